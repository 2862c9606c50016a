// The components of one position: solved one after the other, then joined. Their memory is kept
// for the next position.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "join.hpp"
#include "solved.hpp"

namespace minewright {

class Pool {
 public:
  void clear() { count_ = parts_ = 0; }
  // Returns an empty component to be filled, which `solve` then adds. Its index identifies it for
  // the caller, and also seeds its plans.
  Component& next(std::size_t index);
  // Plans and solves that component, and describes it for the join. Returns false, and adds
  // nothing, if it has no solution. Throws OverBudget. At most `most_plans` further plans are tried
  // if the first looks expensive.
  bool solve(Budget& budget, std::size_t most_plans = SIZE_MAX);
  // Adds a part that has no component here, for the join alone, after all components.
  Part& add_part();

  std::size_t size() const { return count_; }
  Solved& operator[](std::size_t i) { return *solved_[i]; }
  const Solved& operator[](std::size_t i) const { return *solved_[i]; }
  Part& part(std::size_t i) { return part_[i]; }
  const Part& part(std::size_t i) const { return part_[i]; }
  std::span<Part> parts() { return {part_.data(), parts_}; }

  Join join;

 private:
  Planner planner_;
  std::vector<std::unique_ptr<Solved>> solved_;  // the first `count_` are in use
  std::vector<Part> part_;                       // of the components, then of `add_part`
  std::size_t count_ = 0, parts_ = 0;
};

}  // namespace minewright
