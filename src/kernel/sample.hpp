// Components too hard to solve: a random walk over their minefields.
//
// The walk keeps one consistent assignment of mines to boxes. Each step picks a block of linked
// boxes, solves the block exactly while everything around it stands still (the same tables as
// everywhere), and draws the block anew from all its minefields. This leaves the uniform
// distribution over minefields as it is. The block's exact expectations are averaged, not the
// draws themselves: that is less noisy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan.hpp"
#include "random.hpp"
#include "solved.hpp"

namespace minewright {

class Sampler {
 public:
  Sampler(const Component& component, double odds) : component_(component), odds_(odds) {}

  // Finds some assignment; throws OverBudget if the time is over before.
  void start(Random& random, Budget& budget);
  std::int64_t mines() const { return mines_; }
  // `weight[k]`: what the rest of the board weighs when the component holds k mines.
  void steer(std::span<const double> weight, Random& random, Budget& budget);

  // One sweep: every box is drawn anew at least once. Adds to the sums below; throws OverBudget
  // when the time is over.
  void sweep(Random& random, Budget& budget);
  void forget();
  bool adapting = true;  // whether blocks still find their size

  std::vector<double> expected;      // sum of expected mines of a box
  std::vector<std::uint32_t> draws;  // how many expectations were summed
  std::vector<double> totals;        // how often k mines were held in all, by expectation

 private:
  bool search(Random& random, std::uint64_t steps, double noise);
  void pick_block(std::uint32_t seed, Random& random);
  void fill_block();
  bool solve_block(Budget& budget);
  void draw_block(Random& random);

  const Component& component_;
  double odds_;
  std::span<const double> weight_;
  std::vector<std::int32_t> value_;  // mines of a box
  std::int64_t mines_ = 0;

  std::vector<std::int32_t> excess_;  // mines a constraint has beyond its need, while searching

  std::size_t block_size_ = 48;
  std::vector<std::uint32_t> block_;
  std::vector<std::int32_t> place_;             // of a box in the block, or -1
  std::vector<std::int32_t> constraint_place_;  // of a constraint in the block, or -1
  std::vector<std::uint32_t> block_constraints_;
  Solved solved_;
  Planner planner_;
  Part part_;
};

}  // namespace minewright
