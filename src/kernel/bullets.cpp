#include "bullets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace minewright {

template <std::size_t W>
Bullets<W>::Bullets(const Graph& graph) : graph_(graph), near_(graph.size()) {
  if (!fits(graph)) throw std::invalid_argument("too many cells or neighbours for this width");
  all_ = Set::first(graph.size());
  for (Cell cell = 0; cell < graph.size(); ++cell)
    for (Cell other : graph.neighbours(cell)) near_[cell].set(other);
}

template <std::size_t W>
void Bullets<W>::begin(const Set& solution, const Set& clues, const Set& open, Wanted wanted) {
  solution_ = solution;
  clues_ = clues;
  open_ = open;
  wanted_ = wanted;
}

template <std::size_t W>
void Bullets<W>::flip(Difference& difference, std::size_t cell) const {
  difference.flipped.set(cell);
  difference.open.reset(cell);
  Set carry = near_[cell] & clues_;
  if (solution_.test(cell)) {
    --difference.surplus;
    for (std::size_t i = 0; i < kPlanes && carry.any(); ++i) {
      const Set borrow = carry.without(difference.excess[i]);
      difference.excess[i] = difference.excess[i] ^ carry;
      carry = borrow;
    }
  } else {
    ++difference.surplus;
    for (std::size_t i = 0; i < kPlanes && carry.any(); ++i) {
      const Set next = carry & difference.excess[i];
      difference.excess[i] = difference.excess[i] ^ carry;
      carry = next;
    }
  }
}

// Tries to bring everything back into balance.
template <std::size_t W>
bool Bullets<W>::balance(const Difference& difference, Budget& budget) {
  budget.spend(1);
  Set out;
  for (std::size_t i = 0; i < kPlanes; ++i) out = out | difference.excess[i];
  if (!out.any()) {
    if (wanted_ == Wanted::any || difference.surplus == 0) {
      rival_ = difference.flipped;
      return true;
    }
    if (wanted_ == Wanted::single) {
      (difference.surplus > 0 ? more_ : fewer_) = true;
      return false;
    }
    return balance_by(
        difference.surplus > 0 ? difference.open & solution_ : difference.open.without(solution_),
        difference, budget);
  }
  // The clue with the fewest cells that could balance it.
  const Set& under = difference.excess[kPlanes - 1];
  const Set removable = difference.open & solution_, addable = difference.open.without(solution_);
  int fewest = INT32_MAX;
  Set best;
  const bool dead = out.find([&](std::size_t clue) {
    const Set fitting = near_[clue] & (under.test(clue) ? addable : removable);
    if (!fitting.any()) return true;
    if (fewest == 1) return false;
    const int count = fitting.count();
    if (count < fewest) fewest = count, best = fitting;
    return false;
  });
  return !dead && balance_by(best, difference, budget);
}

// One of these cells must differ. Tries each as the first that does: the ones before it stay the
// same.
template <std::size_t W>
bool Bullets<W>::balance_by(const Set& cells, Difference difference, Budget& budget) {
  return cells.find([&](std::size_t cell) {
    Difference next = difference;
    flip(next, cell);
    difference.open.reset(cell);
    return balance(next, budget);
  });
}

template <std::size_t W>
bool Bullets<W>::rival_at(std::size_t cell, Budget& budget) {
  Difference difference;
  difference.open = open_;
  flip(difference, cell);
  open_.reset(cell);
  return balance(difference, budget);
}

// The solution was unique while the clue was shown, so a rival must break exactly that clue: it has
// a bullet there, or a different number of bullets around it.
//
// A rival may have several parts, each in balance on all clues, which only together have the right
// number of bullets. Some parts then have more bullets than the solution and some have fewer. The
// search first looks for single parts and notes which of the two kinds exist. Only if both do is
// the long search for combinations needed.
template <std::size_t W>
bool Bullets<W>::still_unique(const Set& solution, const Set& clues, std::size_t hidden,
                              Budget& budget) {
  const bool had_more = more_, had_fewer = fewer_;
  begin(solution, clues, all_.without(clues), Wanted::single);
  settle();
  const Set open = open_;
  const bool bullets = (open & solution).any(), others = open.without(solution).any();
  if (!bullets || !others) {
    // Here all rivals have fewer bullets, or all have more. Later clues may need to know.
    fewer_ |= bullets;
    more_ |= others;
    return true;
  }
  Set suspects = near_[hidden] & open;
  if (open.test(hidden)) suspects.set(hidden);
  const auto rival = [&](std::size_t cell) { return rival_at(cell, budget); };
  // In most rivals a single bullet has moved between two cells beside the same clues.
  if (suspects.find([&](std::size_t cell) { return has_twin(cell); })) {
    more_ = had_more, fewer_ = had_fewer;
    return false;
  }
  bool found = suspects.find(rival);
  if (!found && more_ && fewer_) {
    open_ = open;
    wanted_ = Wanted::combined;
    found = suspects.find(rival);
  }
  if (found) more_ = had_more, fewer_ = had_fewer;
  return !found;
}

// Returns whether another cell stands beside the same clues and exactly one of the two is a bullet.
template <std::size_t W>
bool Bullets<W>::has_twin(std::size_t cell) const {
  const Set beside = near_[cell] & clues_;
  Set others = solution_.test(cell) ? open_.without(solution_) : open_ & solution_;
  // A twin is next to each of these clues, so the neighbours of any one are enough to compare.
  beside.find([&](std::size_t clue) {
    others = others & near_[clue];
    return true;
  });
  return others.find([&](std::size_t other) { return (near_[other] & clues_) == beside; });
}

// Closes cells that single clues settle, one after the other: no rival differs there.
template <std::size_t W>
void Bullets<W>::settle() {
  Set clues = clues_;
  for (bool changed = true; changed;) {
    changed = false;
    clues.each([&](std::size_t clue) {
      const Set cells = near_[clue] & open_;
      const Set bullets = cells & solution_;
      if (bullets.any() && bullets != cells) return;
      clues.reset(clue);
      if (!cells.any()) return;
      open_ = open_.without(cells);
      changed = true;
    });
  }
}

template <std::size_t W>
bool Bullets<W>::unique(const Set& solution, const Set& clues, Budget& budget, bool total) {
  begin(solution, clues, all_.without(clues), total ? Wanted::combined : Wanted::any);
  settle();
  const Set cells = open_;
  return !cells.find([&](std::size_t cell) { return rival_at(cell, budget); });
}

template <std::size_t W>
auto Bullets<W>::minimal_clues(const Set& solution, Random& random, Budget& budget) -> Set {
  budget.tick(1);  // if nothing is searched for, nothing else looks at the clock
  Set clues = all_.without(solution);
  // With all clues shown, only a bullet that no clue touches can be removed without contradiction.
  more_ = false;
  fewer_ = solution.find([&](std::size_t cell) { return !(near_[cell] & clues).any(); });
  order_.clear();
  clues.each([&](std::size_t cell) { order_.push_back(cell); });
  random.shuffle(order_);
  for (std::size_t cell : order_) {
    clues.reset(cell);
    if (!still_unique(solution, clues, cell, budget)) clues.set(cell);
  }
  return clues;
}

template <std::size_t W>
auto Bullets<W>::minimal_alone(const Set& solution, Random& random, Budget& budget)
    -> std::optional<Set> {
  Set clues = all_.without(solution);
  if (!unique(solution, clues, budget, false)) return std::nullopt;
  order_.clear();
  clues.each([&](std::size_t cell) { order_.push_back(cell); });
  random.shuffle(order_);
  for (std::size_t hidden : order_) {
    clues.reset(hidden);
    begin(solution, clues, all_.without(clues), Wanted::any);
    settle();
    // A rival must break the clue that was just hidden.
    Set suspects = near_[hidden] & open_;
    if (open_.test(hidden)) suspects.set(hidden);
    if (suspects.find([&](std::size_t cell) { return rival_at(cell, budget); })) clues.set(hidden);
  }
  return clues;
}

template <std::size_t W>
auto Bullets<W>::minimal_orbits(const Set& solution, const std::vector<std::vector<Cell>>& orbits,
                                bool total, Random& random, Budget& budget) -> std::optional<Set> {
  budget.tick(1);
  Set clues;
  order_.clear();
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    const bool whole = std::none_of(orbits[i].begin(), orbits[i].end(),
                                    [&](Cell cell) { return solution.test(cell); });
    if (!whole) continue;
    order_.push_back(i);
    for (Cell cell : orbits[i]) clues.set(cell);
  }
  if (!unique(solution, clues, budget, total)) return std::nullopt;
  random.shuffle(order_);
  for (std::size_t i : order_) {
    const Set before = clues;
    for (Cell cell : orbits[i]) clues.reset(cell);
    if (!unique(solution, clues, budget, total)) clues = before;
  }
  return clues;
}

// Type 0: a clue whose unknown neighbours are all bullets, or all free of them.
template <std::size_t W>
bool Bullets<W>::step_of_one(const Set& clues) {
  return clues.find([&](std::size_t clue) {
    const Set cells = near_[clue] & unknown_;
    if (!cells.any()) return false;
    const Set bullets = cells & solution_;
    if (bullets.any() && bullets != cells) return false;
    unknown_ = unknown_.without(cells);
    return true;
  });
}

// Type 1: finds the first cell that follows from all clues, then a minimal set of clues from which
// it follows, then everything that follows from that set. A rival rules out every cell in which it
// differs.
template <std::size_t W>
bool Bullets<W>::step_of_several(const Set& clues, Budget& budget) {
  Set used;
  Set candidates;
  clues.each([&](std::size_t clue) {
    const Set cells = near_[clue] & unknown_;
    if (cells.any()) used.set(clue), candidates = candidates | cells;
  });
  const auto follows = [&](std::size_t cell, const Set& from) {
    begin(solution_, from, unknown_, Wanted::any);
    return !rival_at(cell, budget);
  };
  Set free;
  std::size_t first = SIZE_MAX;
  candidates.find([&](std::size_t cell) {
    if (free.test(cell)) return false;
    if (follows(cell, used)) {
      first = cell;
      return true;
    }
    free = free | rival_;
    return false;
  });
  if (first == SIZE_MAX) return false;

  const Set before = used;
  before.each([&](std::size_t clue) {
    used.reset(clue);
    if (!follows(first, used)) used.set(clue);
  });
  Set concluded, around;
  used.each([&](std::size_t clue) { around = around | (near_[clue] & unknown_); });
  concluded.set(first);
  free = Set{};
  around.each([&](std::size_t cell) {
    if (cell == first || free.test(cell)) return;
    if (follows(cell, used))
      concluded.set(cell);
    else
      free = free | rival_;
  });
  unknown_ = unknown_.without(concluded);
  return true;
}

template <std::size_t W>
Grade Bullets<W>::grade(const Set& solution, const Set& clues, Budget& budget) {
  Grade grade;
  solution_ = solution;
  unknown_ = all_.without(clues);
  while (unknown_.any()) {
    if (step_of_one(clues))
      ++grade.singles;
    else if (step_of_several(clues, budget))
      ++grade.several;
    else
      break;
  }
  // Type 2 settles the rest at once.
  grade.total = (unknown_ & solution).count();
  return grade;
}

template <std::size_t W>
std::vector<int> Bullets<W>::effort(const Set& solution, const Set& clues, Budget& budget) {
  std::vector<int> steps;
  const auto count = [&](std::size_t needs) {
    if (steps.size() < needs) steps.resize(needs);
    ++steps[needs - 1];
  };
  codes_.assign(size(), kCovered);
  clues.each([&](std::size_t clue) {
    codes_[clue] = static_cast<std::uint8_t>((near_[clue] & solution).count());
  });
  unknown_ = all_.without(clues);
  while (unknown_.any()) {
    std::optional<Deduction> step;
    try {
      step = deducer_.next(graph_, {codes_, -1, false, kNoCell}, Search::simplest, budget);
    } catch (const TooHard&) {
      throw OverBudget();
    }
    if (!step) break;
    count(step->clues.size());
    for (Cell cell : step->safe) codes_[cell] = kSafe, unknown_.reset(cell);
    for (Cell cell : step->mined) codes_[cell] = kMined, unknown_.reset(cell);
  }
  if (!unknown_.any()) return steps;
  // The number of bullets settles the rest, with as few other clues as it needs.
  Set used;
  clues.each([&](std::size_t clue) {
    if ((near_[clue] & unknown_).any()) used.set(clue);
  });
  const Set before = used;
  before.each([&](std::size_t clue) {
    used.reset(clue);
    begin(solution, used, unknown_, Wanted::combined);
    if (unknown_.find([&](std::size_t cell) { return rival_at(cell, budget); })) used.set(clue);
  });
  count(static_cast<std::size_t>(used.count()) + 1);
  return steps;
}

template <std::size_t W>
std::optional<BulletsPuzzle> Bullets<W>::make(const BulletsWish& wish, const Energy& energy,
                                              const BulletsTaste& taste, Random& random,
                                              Budget& budget) {
  struct Sampled {
    Set clues;
    Grade grade;
    double energy = std::numeric_limits<double>::infinity();
  };
  // Clue sets whose energy is certainly above the limit are not looked at any further.
  const auto sample = [&](const Set& solution, double limit) {
    budget.tick(1);
    Sampled best;
    for (std::size_t i = 0; i < wish.samples; ++i) {
      Set clues;
      if (wish.orbits.empty() && wish.total) {
        clues = minimal_clues(solution, random, budget);
      } else {
        const auto found = wish.orbits.empty()
                               ? minimal_alone(solution, random, budget)
                               : minimal_orbits(solution, wish.orbits, wish.total, random, budget);
        if (!found) break;
        clues = *found;
      }
      const auto count = static_cast<std::size_t>(clues.count());
      if (count < wish.fewest_clues || count > wish.most_clues) continue;
      const Grade own = grade(solution, clues, budget);
      double value = energy(own);
      if (taste.value) {
        if (value + taste.least >= best.energy || value + taste.least > limit) continue;
        value += taste.value(effort(solution, clues, budget));
      }
      if (value < best.energy) best = {clues, own, value};
    }
    return best;
  };

  std::optional<BulletsPuzzle> puzzle;
  std::vector<std::size_t> cells(size());
  try {
    for (std::size_t restart = 0; restart < wish.restarts; ++restart) {
      for (std::size_t i = 0; i < size(); ++i) cells[i] = i;
      random.shuffle(cells);
      Set solution;
      for (std::size_t i = 0; i < wish.bullets; ++i) solution.set(cells[i]);
      constexpr double kNoLimit = std::numeric_limits<double>::infinity();
      Sampled current = sample(solution, kNoLimit);
      const auto keep = [&] {
        if (std::isinf(current.energy) || (puzzle && puzzle->energy <= current.energy)) return;
        puzzle.emplace();
        solution.each([&](std::size_t c) { puzzle->bullets.push_back(static_cast<Cell>(c)); });
        current.clues.each([&](std::size_t c) { puzzle->clues.push_back(static_cast<Cell>(c)); });
        puzzle->grade = current.grade;
        puzzle->energy = current.energy;
      };
      keep();
      if (wish.bullets == 0 || wish.bullets == size()) break;
      for (std::size_t i = 0; i < wish.iterations; ++i) {
        const std::size_t bullet = random.below(wish.bullets);
        const std::size_t other = wish.bullets + random.below(size() - wish.bullets);
        Set moved = solution;
        moved.reset(cells[bullet]);
        moved.set(cells[other]);
        Sampled next = sample(moved, wish.hot > 0 ? kNoLimit : current.energy);
        bool accept = next.energy <= current.energy;
        if (!accept && wish.hot > 0 && std::isfinite(next.energy)) {
          const double share = static_cast<double>(i) / static_cast<double>(wish.iterations);
          const double heat = wish.hot * std::pow(wish.cold / wish.hot, share);
          accept = random.uniform() < std::exp((current.energy - next.energy) / heat);
        }
        if (!accept) continue;
        std::swap(cells[bullet], cells[other]);
        solution = moved;
        current = next;
        keep();
      }
    }
  } catch (const OutOfTime&) {
    throw;  // what was found so far depends on the machine
  } catch (const OverBudget&) {
    // The puzzle found so far is still valid.
  }
  return puzzle;
}

template class Bullets<1>;
template class Bullets<2>;
template class Bullets<4>;
template class Bullets<16>;

}  // namespace minewright
