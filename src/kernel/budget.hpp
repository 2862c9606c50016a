// How much work may be spent before giving up, and whether somebody wants it stopped.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "clock.hpp"

namespace minewright {

struct OverBudget : std::runtime_error {
  OverBudget() : std::runtime_error("budget exceeded") {}
};

// What ran out was the time.
struct OutOfTime : OverBudget {};

class Budget {
 public:
  // `interrupt`, if any, is called now and then and may throw: the caller's way to stop the work.
  Budget(std::uint64_t states, double seconds, void (*interrupt)() = nullptr,
         Clock clock = Clock::wall)
      : states_(states),
        seconds_(seconds),
        interrupt_(interrupt),
        clock_(clock),
        start_(nanoseconds(clock)),
        wall_start_(clock == Clock::wall ? start_ : nanoseconds(Clock::wall)) {}

  // Books pairs of states tried; throws OverBudget when they are too many.
  void spend(std::uint64_t pairs) {
    used_ += pairs;
    if (used_ > states_) throw OverBudget();
    tick(pairs);
  }
  // Books work that is bounded by states already booked; only time can run out.
  void tick(std::uint64_t work) {
    ticks_ += work;
    if (ticks_ < kLook) return;
    ticks_ = 0;
    look();
  }
  // Reads the clock: throws OutOfTime when the time is over.
  void look() {
    const double now = since(wall_start_, Clock::wall);
    // Asking Python means waiting for its lock: seldom, but often enough for a person.
    if (interrupt_ != nullptr && now > asked_ + 0.05) {
      asked_ = now;
      interrupt_();
    }
    // A thread never works longer than the wall's clock runs, and that one is cheap to read.
    if (now > seconds_ && elapsed() > seconds_) throw OutOfTime();
  }

  // A part of this budget: the same states, and at most so many seconds from now.
  Budget part(std::uint64_t states, double seconds) const {
    return {states, seconds, interrupt_, clock_};
  }
  void add(const Budget& part) { used_ += part.used_; }

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

}  // namespace minewright
