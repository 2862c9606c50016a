// How much work may be spent before giving up, and a way for the caller to stop it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cell.hpp"
#include "clock.hpp"

namespace minewright {

struct OverBudget : std::runtime_error {
  OverBudget() : std::runtime_error("budget exceeded") {}
};

// The time ran out, not the states.
struct OutOfTime : OverBudget {};

class Budget {
 public:
  // `interrupt`, if given, is called now and then. It may throw to stop the work.
  Budget(std::uint64_t states, double seconds, void (*interrupt)() = nullptr,
         Clock clock = Clock::wall)
      : states_(states),
        seconds_(seconds),
        interrupt_(interrupt),
        clock_(clock),
        start_(nanoseconds(clock)),
        wall_start_(clock == Clock::wall ? start_ : nanoseconds(Clock::wall)) {}

  // Books pairs of states that were tried. Throws OverBudget when there are too many.
  void spend(std::uint64_t pairs) {
    used_ += pairs;
    if (used_ > states_) throw OverBudget();
    tick(pairs);
  }
  // Books work that is bounded by earlier bookings, so that only the time can run out.
  void tick(std::uint64_t work) {
    ticks_ += work;
    if (ticks_ < kLook) return;
    ticks_ = 0;
    look();
  }
  // Reads the clock. Throws OutOfTime when the time is up.
  void look() {
    const double now = since(wall_start_, Clock::wall);
    // The caller may have to wait for a lock, so ask seldom, but often enough to react to a person.
    if (interrupt_ != nullptr && now > asked_ + 0.05) {
      asked_ = now;
      interrupt_();
    }
    // A thread never works longer than the wall clock runs, and the wall clock is cheap to read.
    if (now > seconds_ && elapsed() > seconds_) throw OutOfTime();
  }

  // Returns a budget with states and seconds of its own, which begins now and has the same clock
  // and the same interrupt.
  Budget part(std::uint64_t states, double seconds) const {
    return {states, seconds, interrupt_, clock_};
  }
  // Returns a budget with states of its own, whose time ends together with this one's.
  Budget part(std::uint64_t states) const {
    Budget own = *this;
    own.states_ = states;
    own.used_ = 0;
    return own;
  }
  void add(const Budget& part) { add(part.used_); }
  void add(std::uint64_t used) { used_ += used; }

  double elapsed() const { return since(start_, clock_); }
  double left() const { return seconds_ - elapsed(); }
  double seconds() const { return seconds_; }
  std::uint64_t states() const { return states_; }
  std::uint64_t used() const { return used_; }

 private:
  static double since(std::int64_t start, Clock clock) {
    return static_cast<double>(nanoseconds(clock) - start) * 1e-9;
  }

  static constexpr std::uint64_t kLook = 1 << 18;  // a millisecond or so

  std::uint64_t states_;
  double seconds_;
  void (*interrupt_)();
  Clock clock_;
  std::int64_t start_, wall_start_;
  std::uint64_t used_ = 0, ticks_ = 0;
  double asked_ = 0;
};

// The budget ran out, and this component was too hard for it.
struct TooHard : std::runtime_error {
  TooHard(std::vector<Cell> component, const Budget& budget)
      : std::runtime_error("budget exceeded"),
        cells(std::move(component)),
        states(budget.used()),
        seconds(budget.elapsed()) {}
  std::vector<Cell> cells;
  std::uint64_t states;
  double seconds;
};

// The component was sampled, but the random walks disagree, so their answer cannot be trusted.
struct WalksDisagree : TooHard {
  using TooHard::TooHard;
};

}  // namespace minewright
