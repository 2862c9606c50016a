// The backtracking search behind all questions to `Sums`.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "budget.hpp"
#include "partial_sums.hpp"
#include "sums.hpp"

namespace minewright {

// One search. It can undo every change it makes.
class SumSearch {
 public:
  // Starts from the whole ranges, which root() prunes, or from ranges that all sums have pruned.
  void start(const Sums& system, LookAhead by, Budget* budget);
  void start_pruned(const Sums& system);

  bool root();
  // Gives a variable its value and looks ahead. Returns false on a contradiction.
  bool take(std::uint32_t variable, std::int32_t value);
  // Does the same with a range, so that the variable stays open.
  bool restrict(std::uint32_t variable, std::int32_t low, std::int32_t high);
  bool settle();  // lets the sums in the queue prune
  void narrow(std::uint32_t variable, std::int32_t low, std::int32_t high);
  void narrow_and_queue(std::uint32_t variable, std::int32_t low, std::int32_t high);

  struct Mark {
    std::size_t trail, taken, bits;
  };
  Mark mark() const { return {trail_.size(), taken_.size(), partial_.mark()}; }
  void undo(const Mark& mark);

  // Calls visit() at every solution with a sum below `bound_`, until it returns false.
  template <class Visit>
  bool each(Order order, Visit visit);

  std::vector<std::int32_t> low_, high_;
  std::int64_t floor_ = 0;  // the sum of all lows; at a solution, of all values
  std::int64_t bound_ = std::numeric_limits<std::int64_t>::max();

 private:
  friend class Sums;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Change {
    std::uint32_t variable;
    std::int32_t low, high;
  };
  struct Frame {
    std::uint32_t variable;
    std::int32_t value, last;
    Mark mark;
  };

  bool settled(std::uint32_t variable) const {
    return prunes_ ? low_[variable] == high_[variable] : is_taken_[variable] != 0;
  }
  std::uint32_t pick(Order order, std::uint32_t from) const;
  bool look_ahead(std::uint32_t variable);
  bool foresee(std::uint32_t sum);
  void queue_sum(std::uint32_t sum);

  const Sums* system_ = nullptr;
  LookAhead by_ = LookAhead::gac;
  bool prunes_ = true;  // the search prunes ranges: a variable with one value left needs no turn
  Budget* budget_ = nullptr;
  std::uint64_t weight_ = 0;                    // the work per node, for the clock
  std::vector<std::int64_t> least_, most_;      // the ends of each sum
  std::vector<std::uint32_t> open_, open_xor_;  // per sum: open variables, counted and xor-ed
  std::vector<std::uint8_t> is_taken_, queued_;
  std::vector<std::uint32_t> taken_, queue_;
  std::size_t head_ = 0, waiting_ = 0;
  std::vector<Change> trail_;
  std::vector<Frame> frames_;
  PartialSums partial_;
};

template <class Visit>
bool SumSearch::each(Order order, Visit visit) {
  const Mark bottom = mark();
  frames_.clear();
  const auto descend = [&](std::uint32_t from) {
    const std::uint32_t variable = pick(order, from);
    if (variable == kNone) return visit();
    frames_.push_back({variable, low_[variable], high_[variable], mark()});
    return true;
  };
  if (!descend(0)) return false;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    undo(frame.mark);
    if (frame.value > frame.last) {
      frames_.pop_back();
      continue;
    }
    budget_->spend(1);
    budget_->tick(weight_);
    if (!take(frame.variable, frame.value++) || floor_ >= bound_) continue;
    if (!descend(frame.variable + 1)) {
      undo(bottom);
      return false;
    }
  }
  return true;
}

}  // namespace minewright
