// A cell, and the codes for what a player sees of it.
#pragma once

#include <cstdint>

namespace minewright {

using Cell = std::uint32_t;
constexpr Cell kNoCell = UINT32_MAX;

// Values below `kMined` are the numbers of open cells.
constexpr std::uint8_t kCovered = 255;  // nothing known
constexpr std::uint8_t kMarked = 254;   // covered, marked as a mine by the player
constexpr std::uint8_t kSafe = 253;     // known to hold no mine, number unknown
constexpr std::uint8_t kMined = 252;    // known to hold a mine
constexpr std::uint8_t kMaxNumber = 251;

}  // namespace minewright
