#include "dilemma.hpp"

#include <algorithm>
#include <utility>

namespace minewright {

namespace {

// Dilemmas less likely than this do not count.
constexpr double kLeast = 0.02;
constexpr std::size_t kMostTelling = 6;
// The cost, in states, of finding out whether there is anything to weigh.
constexpr std::uint64_t kWork = 16;

}  // namespace

bool Dilemmas::touch(Cell a, Cell b) const {
  const auto near = graph_.neighbours(a);
  return std::ranges::find(near, b) != near.end();
}

// Fills `telling_`. Returns false if a telling cell is open, or will be.
bool Dilemmas::find_telling(const Search& search, std::span<const Cell> one,
                            std::span<const Cell> other) {
  telling_.clear();
  for (Cell own : one)
    for (Cell cell : graph_.neighbours(own)) ++balance_[cell];
  for (Cell own : other)
    for (Cell cell : graph_.neighbours(own)) --balance_[cell];
  for (const auto side : {one, other})
    for (Cell own : side) balance_[own] = 0;
  bool dark = true;
  for (const auto side : {one, other})
    for (Cell own : side)
      for (Cell cell : graph_.neighbours(own)) {
        if (balance_[cell] == 0) continue;
        balance_[cell] = 0;
        if (search.codes[cell] == kMined) continue;
        dark &= uncertain(search, cell);
        telling_.push_back(cell);
      }
  return dark;
}

// Returns the chance of a mine under what is assumed in `codes_`, or nothing if doubles cannot hold
// the numbers.
std::optional<double> Dilemmas::chance_of(const Search& search, Cell cell) {
  if (codes_[cell] != kCovered) return codes_[cell] == kMined ? 1.0 : 0.0;
  search.budget.tick(graph_.size());  // settling looks at the whole board
  turn_.settle(graph_, {codes_, search.mines, false, kNoCell});
  turn_.prove(search.budget);
  for (Cell proved : turn_.mined) codes_[proved] = kMined;
  if (codes_[cell] == kMined) return 1.0;
  if (std::ranges::find(turn_.safe, cell) != turn_.safe.end()) return 0.0;
  if (!turn_.weigh(search.budget)) return std::nullopt;
  return turn_.chance_of(cell);
}

// Returns the chance of a dilemma, or 0 if it is small. All telling cells are assumed to be mined,
// one after the other, then all cells of one side to be mined and those of the other to be safe. By
// then the two sides are interchangeable, so the reverse is equally likely. A dilemma whose chance
// is unknown does not count either: a cell is worth more only because of what is known.
double Dilemmas::chance(const Search& search, std::span<const Cell> one,
                        std::span<const Cell> other) {
  codes_.assign(search.codes.begin(), search.codes.end());
  double chance = 2;
  const auto assume = [&](Cell cell, bool mined) {
    const std::optional<double> risk = chance == 2 ? mined_[cell] : chance_of(search, cell);
    if (!risk) return false;
    chance *= mined ? *risk : 1 - *risk;
    codes_[cell] = mined ? kMined : kSafe;
    return chance >= kLeast;
  };
  for (Cell cell : telling_)
    if (!assume(cell, true)) return 0;
  for (Cell cell : one)
    if (!assume(cell, true)) return 0;
  for (Cell cell : other)
    if (!assume(cell, false)) return 0;
  return chance;
}

// Dilemmas that have cells in common mostly exclude each other, so only the likeliest counts.
void Dilemmas::try_sides(Search& search, std::span<const Cell> one, std::span<const Cell> other) {
  search.budget.spend(kWork);
  if (!find_telling(search, one, other) || telling_.size() > kMostTelling) return;
  // An estimate of the largest possible chance, to save the work where it is small.
  double most = 1;
  for (const auto side : {one, other})
    for (Cell cell : side) most = std::min(most, 2 * mined_[cell]);
  for (Cell cell : telling_) most *= mined_[cell];
  if (most < kLeast) return;
  const double likely = chance(search, one, other);
  if (likely < kLeast) return;
  const double worth = 1 / (1 - likely / 2);
  const auto raise = [&](Cell cell) {
    search.factors[cell] = std::max(search.factors[cell], worth);
  };
  std::ranges::for_each(one, raise);
  std::ranges::for_each(other, raise);
  std::ranges::for_each(telling_, raise);
}

// Tries sides of two cells each, four cells that all touch each other: these two, and two that come
// after them. Where none of the four touches a number, it is too early to tell.
void Dilemmas::try_squares(Search& search, Cell a, Cell b) {
  common_.clear();
  for (Cell c : graph_.neighbours(a))
    if (c > b && uncertain(search, c) && touch(b, c)) common_.push_back(c);
  for (Cell c : common_)
    for (Cell d : common_) {
      if (d <= c || !touch(c, d)) continue;
      if (is_rest_[a] && is_rest_[b] && is_rest_[c] && is_rest_[d]) continue;
      const Cell sides[3][4] = {{a, b, c, d}, {a, c, b, d}, {a, d, b, c}};
      for (const auto& cells : sides)
        try_sides(search, std::span(cells).first(2), std::span(cells).last(2));
    }
}

// Tries two pairs together, each of which numbers would tell apart: these two cells, and two that
// come after the first. A number that touches only one cell of the first pair must touch the
// opposite side in the second, so that it is the same either way.
void Dilemmas::try_pairs(Search& search, Cell a, Cell b) {
  for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)}) {
    Cell number = kNoCell;
    for (Cell cell : graph_.neighbours(own))
      if (search.codes[cell] <= kMaxNumber && !touch(other, cell)) number = cell;
    if (number == kNoCell) continue;
    for (Cell c : graph_.neighbours(number)) {
      if (c <= a || c == b || !uncertain(search, c)) continue;
      for (Cell d : graph_.neighbours(c)) {
        if (d <= a || d == b || !uncertain(search, d) || touch(number, d)) continue;
        const Cell one[] = {own, d}, opposite[] = {other, c};
        try_sides(search, one, opposite);
      }
    }
    return;  // every such number would find the same
  }
}

void Dilemmas::find(const Turn& turn, std::span<const std::uint8_t> codes, Budget& budget) {
  clear();
  mined_.assign(graph_.size(), 2.0);
  for (std::size_t box = 0; box <= turn.boxes(); ++box)
    for (Cell cell : turn.cells(box)) mined_[cell] = turn.chance(box);
  is_rest_.assign(graph_.size(), 0);
  for (Cell cell : turn.reduced().rest) is_rest_[cell] = 1;
  Search search{codes, turn.mines() + turn.reduced().mines, budget, factor_};
  for (Cell a = 0; a < graph_.size(); ++a) {
    if (!uncertain(search, a)) continue;
    for (Cell b : graph_.neighbours(a)) {
      if (b < a || !uncertain(search, b)) continue;
      try_sides(search, {&a, 1}, {&b, 1});
      try_squares(search, a, b);
      try_pairs(search, a, b);
    }
  }
  factor_.swap(search.factors);
}

}  // namespace minewright
