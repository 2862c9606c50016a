#include "dilemma.hpp"

#include <algorithm>

namespace minewright {

namespace {

// Dilemmas less likely than this do not count.
constexpr double kLeast = 0.02;
// How much of the loss counts: it is not certain that the game gets as far as the dilemma.
constexpr double kWeight = 0.9;
constexpr std::size_t kMostTelling = 6;

}  // namespace

// Adds the uncertain cells that touch only the first of two cells. False if one of them is open, or
// will be.
bool Dilemmas::add_telling(std::span<const std::uint8_t> codes, Cell own, Cell other) {
  const auto near = graph_.neighbours(other);
  for (Cell cell : graph_.neighbours(own)) {
    if (cell == other || codes[cell] == kMined) continue;
    if (std::ranges::find(near, cell) != near.end()) continue;
    if (codes[cell] != kCovered || mined_[cell] > 1) return false;
    bound_ *= mined_[cell];
    telling_.push_back(cell);
  }
  return true;
}

// Returns the chance of a mine under what is assumed in `codes_`.
double Dilemmas::chance_of(std::int64_t mines, Cell cell, Budget& budget) {
  if (codes_[cell] == kMined) return 1;
  turn_.settle(graph_, {codes_, mines, false, kNoCell});
  turn_.prove(budget);
  for (Cell proved : turn_.mined) codes_[proved] = kMined;
  if (codes_[cell] == kMined) return 1;
  if (std::ranges::find(turn_.safe, cell) != turn_.safe.end()) return 0;
  return turn_.weigh(budget) ? turn_.chance_of(cell) : 0;
}

// Returns the chance of a dilemma, or 0 if it is small: all telling cells are assumed to be mined,
// one after the other, then one of the two cells. The two have the same neighbours by then, so each
// is as likely as the other.
double Dilemmas::chance(std::int64_t mines, Cell a, Cell b, Budget& budget) {
  double chance = 1;
  for (Cell cell : telling_) {
    chance *= cell == telling_.front() ? mined_[cell] : chance_of(mines, cell, budget);
    if (chance < kLeast) return 0;
    codes_[cell] = kMined;
  }
  chance *= 2 * (telling_.empty() ? mined_[a] : chance_of(mines, a, budget));
  if (chance < kLeast || codes_[a] == kMined) return 0;
  codes_[a] = kMined;
  return chance * (1 - chance_of(mines, b, budget));
}

void Dilemmas::find(const Turn& turn, std::span<const std::uint8_t> codes, Budget& budget) {
  clear();
  std::vector<double> factors = factor_;  // nothing counts if the budget runs out
  mined_.assign(graph_.size(), 2.0);
  for (std::size_t box = 0; box <= turn.boxes(); ++box)
    for (Cell cell : turn.cells(box)) mined_[cell] = turn.chance(box);
  const std::int64_t mines = turn.mines() + turn.reduced().mines;
  const auto uncertain = [&](Cell cell) { return codes[cell] == kCovered && mined_[cell] <= 1; };
  for (Cell a = 0; a < graph_.size(); ++a) {
    if (!uncertain(a)) continue;
    for (Cell b : graph_.neighbours(a)) {
      if (b < a || !uncertain(b)) continue;
      telling_.clear();
      bound_ = 1;
      if (!add_telling(codes, a, b) || !add_telling(codes, b, a)) continue;
      if (bound_ < kLeast || telling_.size() > kMostTelling) continue;
      codes_.assign(codes.begin(), codes.end());
      const double likely = chance(mines, a, b, budget);
      if (likely < kLeast) continue;
      const double worth = 1 / (1 - kWeight * likely / 2);
      for (Cell cell : telling_) factors[cell] *= worth;
      factors[a] *= worth;
      factors[b] *= worth;
    }
  }
  factor_.swap(factors);
}

}  // namespace minewright
