#include "assignment.hpp"

#include <cmath>
#include <cstdlib>

namespace minewright {

namespace {

// A step of the search takes about as long as this many pairs of states.
constexpr std::uint64_t kStepPairs = 8;

// The constraints that are not met, in no particular order.
class Unmet {
 public:
  explicit Unmet(std::size_t constraints) : place_(constraints, kMet) {}
  bool empty() const { return list_.empty(); }
  std::uint32_t any(Random& random) const { return list_[random.below(list_.size())]; }
  void note(std::uint32_t constraint, bool met) {
    if (met == (place_[constraint] == kMet)) return;
    if (!met) {
      place_[constraint] = static_cast<std::uint32_t>(list_.size());
      list_.push_back(constraint);
    } else {
      place_[list_.back()] = place_[constraint];
      list_[place_[constraint]] = list_.back();
      list_.pop_back();
      place_[constraint] = kMet;
    }
  }

 private:
  static constexpr std::uint32_t kMet = UINT32_MAX;
  std::vector<std::uint32_t> list_, place_;
};

// Focused local search: picks a constraint that is not met and moves one of its boxes towards it by
// one mine, unless that does too much harm elsewhere. The more `noise`, the more harm is accepted.
// Returns whether all constraints are met after at most this many steps.
bool search(const Component& component, std::uint64_t steps, double noise, double odds,
            Random& random, std::vector<std::int32_t>& value) {
  const std::size_t boxes = component.size.size(), count = component.constraints.size();
  std::vector<std::int32_t> excess(count);  // the mines beyond what a constraint needs
  value.resize(boxes);
  for (std::size_t c = 0; c < count; ++c) excess[c] = -component.constraints[c].low;
  for (std::uint32_t box = 0; box < boxes; ++box) {
    value[box] = 0;
    for (std::int32_t cell = 0; cell < component.size[box]; ++cell)
      value[box] += random.uniform() * (1 + odds) < odds;
    for (std::uint32_t c : component.box_constraints[box]) excess[c] += value[box];
  }
  Unmet unmet(count);
  for (std::uint32_t c = 0; c < count; ++c) unmet.note(c, excess[c] == 0);

  while (!unmet.empty() && steps-- > 0) {
    const std::uint32_t constraint = unmet.any(random);
    const std::int32_t step = excess[constraint] > 0 ? -1 : 1;
    const auto members = component.constraint_boxes[constraint];
    const std::uint32_t box = members[random.below(members.size())];
    const std::int32_t moved = value[box] + step;
    if (moved < 0 || moved > component.size[box]) continue;
    std::int32_t worse = 0;
    for (std::uint32_t c : component.box_constraints[box])
      worse += std::abs(excess[c] + step) - std::abs(excess[c]);
    if (worse > 0 && random.uniform() >= std::exp(-worse / noise)) continue;
    value[box] = moved;
    for (std::uint32_t c : component.box_constraints[box]) {
      excess[c] += step;
      unmet.note(c, excess[c] == 0);
    }
  }
  return unmet.empty();
}

}  // namespace

std::vector<std::int32_t> find_assignment(const Component& component, double odds,
                                          std::uint64_t stream, Random& random, Budget& budget) {
  // Several short searches with different noise find what one long search misses. Walks that begin
  // with few mines and walks that begin with many must meet before they are believed.
  constexpr double kNoise[] = {0.45, 0.3, 0.6, 0.2};
  constexpr double kOdds[] = {1.0, 0.25, 4.0};
  std::vector<std::int32_t> value;
  std::uint64_t steps = 200 * component.size.size();
  for (std::size_t attempt = 0;; ++attempt) {
    budget.spend(kStepPairs * steps);
    const double own_odds = odds * kOdds[(stream + attempt) % 3];
    if (search(component, steps, kNoise[attempt % 4], own_odds, random, value)) return value;
    if (attempt % 4 == 3) steps *= 2;
  }
}

}  // namespace minewright
