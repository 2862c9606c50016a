// Components meet in one place only: together with the rest they hold all the mines there are.
//
// Given each component's polynomial (ways by number of mines), the join finds which mine counts
// of a component are possible at all (on bits, exactly) and how much each weighs. It folds the
// polynomials pairwise up a balanced tree and carries the weights down again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"

namespace minewright {

// A component as the join sees it: ways[i] for low+i mines, and which of them are possible.
struct Part {
  std::int64_t low = 0;
  std::vector<double> ways;
  std::vector<std::uint64_t> possible;
  // Filled by the join: which counts are possible under the total, and their weights.
  std::vector<std::uint64_t> allowed;
  std::vector<double> weight;
};

class Join {
 public:
  // Finds what is possible; false when no combination fits.
  // `mines`: what the components and the rest hold together, negative when not known.
  bool allow(std::span<Part> parts, std::int64_t rest, std::int64_t mines, Budget& budget);
  // After `allow`, the weights. `odds`: the weight of a mine in `ways`.
  void weigh(std::span<Part> parts, std::int64_t rest, std::int64_t mines, double odds,
             Budget& budget);

  double rest_probability = 0;                 // of a mine in a cell of the rest
  bool rest_safe = false, rest_mined = false;  // certain
  // False if doubles could not hold the numbers: then weights must be found exactly.
  bool in_range = true;

 private:
  // A node holds the sums of some parts' extra mines (beyond their fewest), 0 … length-1.
  struct Node {
    std::uint32_t left, right;  // nodes; a leaf has its part in `left` and itself in `right`
    std::size_t length, offset, word;
  };
  void plant(std::span<Part> parts);
  double tilt_for(std::span<const Part> parts, double rest, double mines, double odds) const;
  void weigh_rest(double* weight, std::size_t length, std::int64_t rest, double each) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> level_, next_level_;
  std::int64_t slack_ = 0;  // mines left when every part holds its fewest
  std::vector<std::uint64_t> possible_, allowed_;
  std::vector<double> ways_, weight_;
};

}  // namespace minewright
