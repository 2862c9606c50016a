// Components meet in one place only: together with the rest they hold all the mines there are.
//
// Given each component's polynomial (ways by number of mines), the join finds which mine counts
// of a component are possible at all (on bits, exactly) and how much each weighs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
  // `mines`: what the components and the rest hold together, negative when not known.
  // Finds what is possible; false when no combination fits.
  bool allow(std::span<Part> parts, std::int64_t rest, std::int64_t mines);
  // After `allow`, the weights. `odds`: the weight of a mine in `ways`.
  void weigh(std::span<Part> parts, std::int64_t rest, std::int64_t mines, double odds);

  double rest_probability = 0;                 // of a mine in a cell of the rest
  bool rest_safe = false, rest_mined = false;  // certain
  // False if doubles could not hold the numbers: then weights must be found exactly.
  bool in_range = true;

 private:
  std::vector<std::size_t> moving_;  // parts with more than one possible count
  std::int64_t slack_ = 0;           // mines left when every part holds its fewest
  std::size_t span_ = 0;             // 1 + how many more the parts can hold
  std::vector<std::uint64_t> after_bits_, before_bits_, next_bits_;
  std::vector<double> after_, before_, next_, scaled_;
};

}  // namespace minewright
