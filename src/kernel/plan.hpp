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

#include "lists.hpp"
#include "random.hpp"
#include "reduce.hpp"

namespace minewright {

// Boxes and constraints of a component, numbered from 0. Several components can be taken together.
struct Component {
  std::vector<std::int32_t> size;  // per box: the number of its cells
  Lists box_constraints, constraint_boxes;
  std::vector<Constraint> constraints;
  std::vector<std::int32_t> cells;  // per constraint: the number of its cells
  std::int32_t observed = -1;       // the constraint that stays open to the end, or -1

  void take(const Reduced& reduced, std::span<const std::size_t> components);

  // The fewest and the most mines that `inside` cells of a constraint can hold.
  std::int32_t least(std::uint32_t constraint, std::int32_t inside) const {
    const std::int32_t outside = cells[constraint] - inside;
    const std::int32_t least = constraints[constraint].low - outside;
    return least > 0 ? least : 0;
  }
  std::int32_t most(std::uint32_t constraint, std::int32_t inside) const {
    const std::int32_t high = constraints[constraint].high;
    return high < inside ? high : inside;
  }
};

// A step of the plan. The first node ids are the boxes; each merge adds one.
struct Merge {
  std::uint32_t left, right;
};

class Planner {
 public:
  // Fills `merges`. Returns the estimated work in bits (log2 of the states visited).
  // With `random`, ties and near-ties are broken at random: a hard component is planned
  // several times, and the best plan is kept.
  double plan(const Component& component, std::vector<Merge>& merges, Random* random = nullptr);

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
  double merged_bits(std::uint32_t left, std::uint32_t right) const;
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
};

}  // namespace minewright
