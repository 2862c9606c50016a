// Components depend on each other only through the total: they and the rest hold all the mines.
//
// Each component has a polynomial: the number of ways for each number of mines. From these the join
// finds which mine counts of a component are possible at all (exactly, on bits) and how much each
// weighs. It folds the polynomials pairwise up a balanced tree and carries the weights down again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"

namespace minewright {

// A component as the join sees it: ways[i] belongs to low+i mines; `possible` says which i can be.
struct Part {
  std::int64_t low = 0;
  std::vector<double> ways;
  std::vector<std::uint64_t> possible;
  // Filled by the join: which counts the total allows, and their weights.
  std::vector<std::uint64_t> allowed;
  std::vector<double> weight;
};

class Join {
 public:
  // Finds the possible counts. Returns false if no combination fits. `mines` is the number of mines
  // in the components and the rest together, negative if unknown.
  bool allow(std::span<Part> parts, std::int64_t rest, std::int64_t mines, Budget& budget);
  // Finds the weights; call it after `allow`. `odds` is the weight of a mine in `ways`.
  void weigh(std::span<Part> parts, std::int64_t rest, std::int64_t mines, double odds,
             Budget& budget);

  double rest_probability = 0;                 // the chance of a mine in a cell of the rest
  bool rest_safe = false, rest_mined = false;  // certainly so
  // False if doubles could not hold the numbers. The weights must then be found exactly.
  bool in_range = true;

 private:
  // A node stands for some parts. Its sums, 0 … length-1, count their mines above the minimum.
  struct Node {
    std::uint32_t left, right;  // nodes; in a leaf, its part and the leaf itself
    std::size_t length, offset, word;
  };
  void plant(std::span<Part> parts);
  double tilt_for(std::span<const Part> parts, double rest, double mines, double odds) const;
  void weigh_rest(double* weight, std::size_t length, std::int64_t rest, double each) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> level_, next_level_;
  std::int64_t slack_ = 0;  // mines left when every part holds its minimum
  std::vector<std::uint64_t> possible_, allowed_;
  std::vector<double> ways_, weight_;
};

}  // namespace minewright
