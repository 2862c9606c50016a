// A random walk over the minefields of a component that is too hard to solve.
//
// The walk keeps one consistent assignment of mines to boxes. Each step picks a block of linked
// boxes, solves the block exactly while everything around it stays fixed, and draws the block's
// mines anew from all its minefields. A uniform distribution over minefields stays uniform under
// such steps. The block's exact expectations are averaged rather than the draws themselves, because
// they are less noisy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pool.hpp"
#include "random.hpp"

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
  std::vector<double> totals;  // how often the component held k mines, in expectation
};

class Sampler {
 public:
  // Different streams of one seed give independent walks.
  Sampler(const Component& component, double odds, std::uint64_t seed, std::uint64_t stream)
      : component_(component), odds_(odds), stream_(stream), random_(seed, stream) {}

  // Those that take a budget book their work in it, and throw OverBudget.

  // Finds some assignment to begin with.
  void start(Budget& budget);
  std::int64_t mines() const { return mines_; }
  // Takes weight[k], the weight of the rest of the board if the component holds k mines, and walks
  // to a total that has one. The caller keeps the weights.
  void steer(std::span<const double> weight, Budget& budget);
  // Draws every box anew at least once, and tallies it.
  void sweep(Budget& budget);

  void forget();
  bool adapting = true;  // whether the size of the blocks may still change
  WalkTally tally;

 private:
  void pick_block(std::uint32_t seed);
  void fill_block();
  bool solve_block(Budget& budget);
  void draw_block();

  const Component& component_;
  double odds_;
  std::uint64_t stream_;
  Random random_;
  std::span<const double> weight_;
  std::vector<std::int32_t> value_;  // per box: its mines
  std::int64_t mines_ = 0;

  std::size_t block_size_ = 48;
  std::vector<std::uint32_t> block_;
  std::vector<std::int32_t> place_;             // per box: its place in the block, or -1
  std::vector<std::int32_t> constraint_place_;  // per constraint: its place in the block, or -1
  std::vector<std::uint32_t> block_constraints_;
  Pool pool_;  // holds the block
};

}  // namespace minewright
