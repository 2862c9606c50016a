// In which order the boxes of a component are merged.
//
// A group of boxes needs to remember, for every constraint that reaches outside the group, how
// many mines it already holds there. Merging groups until one is left solves the component; the
// order decides how much there is to remember. The plan closes one constraint after the other,
// always the one whose merged group has the least to remember (weighted min-degree elimination).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lists.hpp"
#include "random.hpp"
#include "reduce.hpp"

namespace minewright {

// Boxes and constraints of a component, numbered from 0. Several components may be taken together.
struct Component {
  std::vector<std::int32_t> size;  // cells of a box
  Lists box_constraints, constraint_boxes;
  std::vector<Constraint> constraints;
  std::vector<std::int32_t> cells;  // of a constraint
  std::int32_t observed = -1;       // the constraint that stays open to the end, or -1

  void take(const Reduced& reduced, std::span<const std::size_t> components);

  // How many mines a group with `inside` of a constraint's cells may hold there.
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

// Merges in order: node ids are boxes first, then one new id a merge.
struct Merge {
  std::uint32_t left, right;
};

class Planner {
 public:
  // Fills `merges`. Returns the estimated work in bits (log2 of the states visited).
  // With `random`, ties and near-ties fall at random: hard components are planned
  // several times and the best plan is kept.
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
  std::vector<double> width_;                             // of a group, in bits
  std::vector<std::vector<std::uint32_t>> holders_;       // groups that have a constraint open
  std::vector<double> price_;                             // of closing a constraint next
  std::vector<std::pair<double, std::uint32_t>> offers_;  // a heap, the cheapest first
  std::vector<std::uint8_t> closed_;
  std::vector<std::int32_t> sum_;
  std::vector<std::uint32_t> touched_, batch_;
  double work_ = 0;
};

}  // namespace minewright
