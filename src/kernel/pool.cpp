#include "pool.hpp"

namespace minewright {

Component& Pool::next(std::size_t index) {
  if (solved_.size() == count_) solved_.push_back(std::make_unique<Solved>());
  solved_[count_]->index = index;
  Component& component = solved_[count_]->component;
  component.clear();
  return component;
}

bool Pool::solve(Budget& budget, std::size_t most_plans) {
  Solved& solved = *solved_[count_];
  if (!solved.build(planner_, budget, most_plans)) return false;
  ++count_;
  solved.describe(add_part());
  return true;
}

Part& Pool::add_part() {
  if (part_.size() == parts_) part_.emplace_back();
  return part_[parts_++];
}

}  // namespace minewright
