// Decisions kept for positions that recur: after the first cell, thousands of games look alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cell.hpp"

namespace minewright {

class Memo {
 public:
  struct Decision {
    Cell cell;
    double risk;
    std::uint64_t used;  // of the budget
  };

  // Returns what was decided here, or a null pointer. The position is the one that `keep` is about.
  const Decision* recall(std::span<const std::uint8_t> codes) {
    if (entries_.empty()) entries_.resize(kEntries);
    hash(codes);
    const Entry& entry = entries_[low_ % kEntries];
    return entry.low == low_ && entry.high == high_ ? &entry.decision : nullptr;
  }
  // Keeps a decision, perhaps in place of another position's.
  void keep(const Decision& decision) { entries_[low_ % kEntries] = {low_, high_, decision}; }

 private:
  static constexpr std::size_t kEntries = 1 << 12;
  // A position is known by two hashes of its codes, 128 bits in all. No position hashes to 0, 0.
  struct Entry {
    std::uint64_t low = 0, high = 0;
    Decision decision{};
  };

  void hash(std::span<const std::uint8_t> codes) {
    low_ = high_ = 0x9e3779b97f4a7c15ULL;
    std::size_t i = 0;
    for (; i + 8 <= codes.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8; ++k) word |= std::uint64_t{codes[i + k]} << (8 * k);
      add(word);
    }
    for (; i < codes.size(); ++i) add(codes[i]);
  }
  void add(std::uint64_t word) {
    low_ = (low_ ^ word) * 0xbf58476d1ce4e5b9ULL;
    low_ ^= low_ >> 32;
    high_ = (high_ ^ word) * 0x94d049bb133111ebULL;
    high_ ^= high_ >> 29;
  }

  std::vector<Entry> entries_;
  std::uint64_t low_ = 0, high_ = 0;
};

}  // namespace minewright
