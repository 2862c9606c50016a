// Sets of small numbers as arrays of 64-bit words, with the operations that counting mines needs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace minewright {

inline std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

inline bool test_bit(const std::uint64_t* set, std::size_t i) {
  return set[i / 64] >> (i % 64) & 1;
}
inline void set_bit(std::uint64_t* set, std::size_t i) {
  set[i / 64] |= std::uint64_t{1} << (i % 64);
}

// target |= source << shift; bits that would leave the target are dropped.
inline void or_shifted_up(std::uint64_t* target, std::size_t target_words,
                          const std::uint64_t* source, std::size_t source_words,
                          std::size_t shift) {
  const std::size_t skip = shift / 64, by = shift % 64;
  for (std::size_t i = 0; i < source_words && i + skip < target_words; ++i) {
    target[i + skip] |= source[i] << by;
    if (by != 0 && i + skip + 1 < target_words) target[i + skip + 1] |= source[i] >> (64 - by);
  }
}

// target |= source >> shift.
inline void or_shifted_down(std::uint64_t* target, std::size_t target_words,
                            const std::uint64_t* source, std::size_t source_words,
                            std::size_t shift) {
  const std::size_t skip = shift / 64, by = shift % 64;
  for (std::size_t i = 0; i < target_words && i + skip < source_words; ++i) {
    target[i] |= source[i + skip] >> by;
    if (by != 0 && i + skip + 1 < source_words) target[i] |= source[i + skip + 1] << (64 - by);
  }
}

// Calls visit(i) for every number in the set, in ascending order.
template <class Visit>
void for_each_bit(const std::uint64_t* set, std::size_t words, Visit visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

}  // namespace minewright
