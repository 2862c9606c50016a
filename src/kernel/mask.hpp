// A set of cells as W machine words: up to 64 * W cells. With W = 1 it is a plain bitboard.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace minewright {

template <std::size_t W>
struct Mask {
  std::array<std::uint64_t, W> words{};

  static Mask first(std::size_t n) {
    Mask mask;
    for (std::size_t i = 0; i < n; ++i) mask.set(i);
    return mask;
  }
  bool test(std::size_t i) const { return words[i / 64] >> (i % 64) & 1; }
  void set(std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool any() const {
    std::uint64_t all = 0;
    for (std::uint64_t word : words) all |= word;
    return all != 0;
  }
  int count() const {
    int total = 0;
    for (std::uint64_t word : words) {
      // Written out, because std::popcount is a call unless the compiler may use the instruction.
      word -= word >> 1 & 0x5555555555555555ULL;
      word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
      word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
      total += static_cast<int>(word * 0x0101010101010101ULL >> 56);
    }
    return total;
  }
  friend Mask operator&(Mask a, const Mask& b) {
    for (std::size_t w = 0; w < W; ++w) a.words[w] &= b.words[w];
    return a;
  }
  friend Mask operator|(Mask a, const Mask& b) {
    for (std::size_t w = 0; w < W; ++w) a.words[w] |= b.words[w];
    return a;
  }
  friend Mask operator^(Mask a, const Mask& b) {
    for (std::size_t w = 0; w < W; ++w) a.words[w] ^= b.words[w];
    return a;
  }
  // Returns the members of this set that are not in the other.
  Mask without(const Mask& other) const {
    Mask result = *this;
    for (std::size_t w = 0; w < W; ++w) result.words[w] &= ~other.words[w];
    return result;
  }
  bool operator==(const Mask&) const = default;

  // Calls visit(i) for the members in ascending order, until it returns true. Returns whether it
  // did.
  template <class Visit>
  bool find(Visit visit) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
        if (visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)))) return true;
    return false;
  }
  template <class Visit>
  void each(Visit visit) const {
    find([&](std::size_t i) {
      visit(i);
      return false;
    });
  }
};

}  // namespace minewright
