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

// What a walk has seen.
struct WalkTally {
  struct Box {
    std::uint64_t draws = 0;
    double expected = 0;            // sum of the expected mines
    double mines = 0, squares = 0;  // sums of the mines drawn and of their squares

    void add(double expectation, std::int32_t drawn) {
      ++draws;
      expected += expectation;
      mines += drawn;
      squares += static_cast<double>(drawn) * drawn;
    }
  };
  std::vector<Box> boxes;
  std::vector<double> totals;  // how often k mines were held in all, by expectation
};

class Sampler {
 public:
  // Streams of one seed are independent walks.
  Sampler(const Component& component, double odds, std::uint64_t seed, std::uint64_t stream)
      : component_(component), odds_(odds), stream_(stream), random_(seed, stream) {}

  // All these book their work, and throw OverBudget when it is too much.

  // Finds some assignment.
  void start(Budget& budget);
  std::int64_t mines() const { return mines_; }
  // `weight[k]`: what the rest of the board weighs when the component holds k mines.
  void steer(std::span<const double> weight, Budget& budget);
  // One sweep: every box is drawn anew at least once, and tallied.
  void sweep(Budget& budget);

  void forget();
  bool adapting = true;  // whether blocks still find their size
  WalkTally tally;

 private:
  bool search(std::uint64_t steps, double noise, double odds);
  void pick_block(std::uint32_t seed);
  void fill_block();
  bool solve_block(Budget& budget);
  void draw_block();

  const Component& component_;
  double odds_;
  std::uint64_t stream_;
  Random random_;
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
