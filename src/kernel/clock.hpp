// The clocks by which work is measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace minewright {

enum class Clock : std::uint8_t {
  wall,
  thread,  // processor time of the calling thread, where the system provides it
};

// Returns the time since an arbitrary moment.
inline std::int64_t nanoseconds([[maybe_unused]] Clock clock) {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now{};
  if (clock == Clock::thread && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
#endif
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace minewright
