// The order in which the boxes of a component are merged.
//
// For every constraint that reaches outside a group of boxes, the group must remember how many of
// the constraint's mines it holds. Merging groups until one is left solves the component. The order
// decides how much there is to remember: the plan always closes the constraint whose merged group
// has the least to remember (weighted min-degree elimination).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "component.hpp"
#include "random.hpp"

namespace minewright {

// A step of the plan. The first node ids are the boxes; each merge adds one.
struct Merge {
  std::uint32_t left, right;
};

class Planner {
 public:
  // Fills `merges`. Returns the estimated work of solving in bits (log2 of the pairs of states).
  // With `random`, ties and near-ties are broken at random: a hard component is planned several
  // times, and the best plan is kept. Throws OutOfTime.
  double plan(const Component& component, std::vector<Merge>& merges, Budget& budget,
              Random* random = nullptr);
  // The work of the last plan itself: how many entries of open constraints were read.
  std::uint64_t effort() const { return effort_; }

 private:
  struct Open {
    std::uint32_t constraint;
    std::int32_t inside;
  };
  std::span<const Open> open(std::uint32_t group) const {
    return {pool_.data() + start_[group], length_[group]};
  }
  double bits(std::uint32_t constraint, std::int32_t inside) const;
  double cost(std::uint32_t constraint);
  double merged_bits(std::uint32_t left, std::uint32_t right);
  std::uint32_t merge(std::uint32_t left, std::uint32_t right);
  void eliminate(std::uint32_t constraint, std::vector<Merge>& merges);

  const Component* component_ = nullptr;
  std::vector<std::uint32_t> start_, length_;
  std::vector<Open> pool_;
  std::vector<double> width_;                             // per group, in bits
  std::vector<std::vector<std::uint32_t>> holders_;       // groups that have a constraint open
  std::vector<double> price_;                             // per constraint: of closing it next
  std::vector<std::pair<double, std::uint32_t>> offers_;  // a heap with the cheapest on top
  std::vector<std::uint8_t> closed_;
  std::vector<std::int32_t> sum_;
  std::vector<std::uint32_t> touched_, batch_;
  double work_ = 0;
  std::uint64_t effort_ = 0;
};

}  // namespace minewright
