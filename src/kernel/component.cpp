#include "component.hpp"

namespace minewright {

void Component::clear() {
  size.clear();
  box_constraints.clear();
  constraint_boxes.clear();
  constraints.clear();
  cells.clear();
  observed = -1;
}

void Component::take(const Reduced& reduced, std::span<const std::size_t> components) {
  clear();
  for (std::size_t index : components) {
    const auto first_box = static_cast<std::uint32_t>(size.size());
    const auto first_constraint = static_cast<std::uint32_t>(constraints.size());
    for (std::uint32_t box : reduced.component_boxes[index]) {
      size.push_back(static_cast<std::int32_t>(reduced.members[box].size()));
      box_constraints.open();
      for (std::uint32_t c : reduced.box_constraints[box])
        box_constraints.push(first_constraint + reduced.constraint_place[c]);
    }
    for (std::uint32_t c : reduced.component_constraints[index]) {
      if (static_cast<std::int32_t>(c) == reduced.observed_constraint)
        observed = static_cast<std::int32_t>(constraints.size());
      constraints.push_back(reduced.constraints[c]);
      constraint_boxes.open();
      cells.push_back(0);
      for (std::uint32_t box : reduced.constraint_boxes[c]) {
        constraint_boxes.push(first_box + reduced.box_place[box]);
        cells.back() += static_cast<std::int32_t>(reduced.members[box].size());
      }
    }
  }
}

}  // namespace minewright
