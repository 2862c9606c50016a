// The boxes and constraints of a component, numbered from 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lists.hpp"
#include "reduce.hpp"

namespace minewright {

struct Component {
  std::vector<std::int32_t> size;  // per box: the number of its cells
  Lists box_constraints, constraint_boxes;
  std::vector<Constraint> constraints;
  std::vector<std::int32_t> cells;  // per constraint: the number of its cells
  std::int32_t observed = -1;       // the constraint that stays open to the end, or -1

  void clear();
  // Takes some components of a reduced position together.
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

}  // namespace minewright
