// How much work may be spent before giving up, and whether somebody wants it stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>

namespace minewright {

struct OverBudget : std::runtime_error {
  OverBudget() : std::runtime_error("budget exceeded") {}
};

class Budget {
 public:
  // `interrupt`, if any, is called now and then and may throw: the caller's way to stop the work.
  Budget(std::uint64_t states, double seconds, void (*interrupt)() = nullptr)
      : states_(states), seconds_(seconds), interrupt_(interrupt) {}

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
  // Reads the clock: throws OverBudget when the time is over.
  void look() {
    const double now = elapsed();
    // Asking Python means waiting for its lock: seldom, but often enough for a person.
    if (interrupt_ != nullptr && now > asked_ + 0.05) {
      asked_ = now;
      interrupt_();
    }
    if (now > seconds_) throw OverBudget();
  }

  // A part of this budget: the same states, and at most so many seconds from now.
  Budget part(std::uint64_t states, double seconds) const { return {states, seconds, interrupt_}; }
  void add(const Budget& part) { used_ += part.used_; }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double left() const { return seconds_ - elapsed(); }
  double seconds() const { return seconds_; }
  std::uint64_t states() const { return states_; }
  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint64_t kLook = 1 << 18;  // a millisecond or so

  std::uint64_t states_;
  double seconds_;
  void (*interrupt_)();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t used_ = 0, ticks_ = 0;
  double asked_ = 0;
};

}  // namespace minewright
