#include "noguess.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {

// The most repairs of one minefield, per cell of the board, before another is drawn. Most need far
// fewer.
constexpr std::uint64_t kPatience = 4;

}  // namespace

Reasoning parse_reasoning(std::string_view word) {
  if (word == "single") return Reasoning::single;
  if (word == "all") return Reasoning::all;
  throw std::invalid_argument("reasoning is single or all, not '" + std::string(word) + "'");
}

NoGuess::NoGuess(const Graph& graph, const NoGuessWish& wish)
    : graph_(graph),
      wish_(wish),
      known_(graph),
      mined_(graph.size()),
      number_(graph.size()),
      kept_(graph.size()) {
  if (wish.first >= graph.size())
    throw std::invalid_argument("there is no cell " + std::to_string(wish.first));
  if (wish.start == Start::any)
    throw std::invalid_argument("a game without guesses cannot begin with one: use safe or open");
  kept_[wish.first] = 1;
  if (wish.start == Start::open)
    for (Cell cell : graph.neighbours(wish.first)) kept_[cell] = 1;
  for (Cell cell = 0; cell < graph.size(); ++cell)
    if (!kept_[cell]) allowed_.push_back(cell);
  if (wish.mines > allowed_.size())
    throw std::invalid_argument("only " + std::to_string(allowed_.size()) +
                                " cells may be mined if the game begins there");
}

void NoGuess::draw(Random& random) {
  std::fill(mined_.begin(), mined_.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < wish_.mines; ++i) {
    std::swap(allowed_[i], allowed_[i + random.below(allowed_.size() - i)]);
    mined_[allowed_[i]] = 1;
  }
  moved_ = 0;
  count();
}

void NoGuess::count() {
  std::fill(number_.begin(), number_.end(), std::uint8_t{0});
  for (Cell cell = 0; cell < graph_.size(); ++cell)
    if (mined_[cell])
      for (Cell other : graph_.neighbours(cell)) ++number_[other];
}

void NoGuess::explore(Budget& budget) {
  known_.cover();
  left_ = graph_.size() - wish_.mines;
  open(wish_.first);
  advance(budget);
}

void NoGuess::advance(Budget& budget) {
  const auto opens = [this](Cell cell) { return open(cell); };
  const std::int64_t mines = wish_.total ? static_cast<std::int64_t>(wish_.mines) : -1;
  while (left_ > 0) {
    budget.tick(graph_.size());
    if (known_.settle_single(opens)) continue;
    if (wish_.reasoning == Reasoning::single) return;
    turn_.settle(graph_, {known_.codes(), mines, false, kNoCell});
    if (turn_.safe.empty()) turn_.prove(budget);
    for (Cell cell : turn_.mined) known_.note_mined(cell);
    if (turn_.safe.empty()) return;
    for (Cell cell : turn_.safe)
      if (covered(cell)) open(cell);
  }
}

// Opens a safe cell and, around each 0, all its neighbours. Returns whether any are left.
bool NoGuess::open(Cell cell) {
  stack_.assign(1, cell);
  while (!stack_.empty()) {
    const Cell next = stack_.back();
    stack_.pop_back();
    if (!covered(next)) continue;
    known_.show(next, number_[next]);
    --left_;
    if (number_[next] == 0)
      for (Cell other : graph_.neighbours(next))
        if (covered(other)) stack_.push_back(other);
  }
  return left_ > 0;
}

std::size_t NoGuess::stuck(std::span<const Cell> mined, Budget& budget) {
  std::fill(mined_.begin(), mined_.end(), std::uint8_t{0});
  for (Cell cell : mined) {
    if (cell >= graph_.size() || kept_[cell] || mined_[cell])
      throw std::invalid_argument("cell " + std::to_string(cell) + " cannot be mined");
    mined_[cell] = 1;
  }
  if (mined.size() != wish_.mines)
    throw std::invalid_argument("there are not " + std::to_string(wish_.mines) + " mines");
  count();
  explore(budget);
  return left_;
}

NoGuessField NoGuess::make(std::uint64_t stream, Budget& budget) {
  Random random(wish_.seed, stream);
  NoGuessField made;
  for (bool found = false; !found;) {
    budget.spend(1);
    ++made.drawn;
    draw(random);
    explore(budget);
    found = left_ == 0 || (wish_.repair && repaired(random, budget));
  }
  made.moved = moved_;
  for (Cell cell = 0; cell < graph_.size(); ++cell)
    if (mined_[cell]) made.mined.push_back(cell);
  return made;
}

bool NoGuess::repaired(Random& random, Budget& budget) {
  const std::uint64_t most = kPatience * graph_.size();
  for (std::uint64_t tries = 0; tries < most;) {
    while (left_ > 0) {
      if (++tries > most) return false;
      budget.spend(1);
      if (!mend(random)) break;
      advance(budget);
    }
    explore(budget);
    if (left_ == 0) return true;
  }
  return false;
}

void NoGuess::move_mine(Cell from, Cell to) {
  mined_[from] = 0;
  mined_[to] = 1;
  ++moved_;
  const auto add = [this](Cell cell, int change) {
    for (Cell other : graph_.neighbours(cell)) {
      number_[other] = static_cast<std::uint8_t>(number_[other] + change);
      if (known_[other] <= kMaxNumber) known_.renumber(other, number_[other]);
    }
  };
  add(from, -1);
  add(to, 1);
}

// Takes a number that is stuck and settles it: either all its unknown cells become safe, or all
// become mined, whichever moves fewer mines. They go to, or come from, cells that no number
// touches, so that nothing else changes; failing that, from other unknown cells.
bool NoGuess::mend(Random& random) {
  clues_.clear();
  int fewest = 0;
  for (Cell cell = 0; cell < graph_.size(); ++cell) {
    if (known_[cell] > kMaxNumber || known_.unknown(cell) == 0) continue;
    const int need = known_.need(cell);
    const int moves = std::min(need, known_.unknown(cell) - need);
    if (clues_.empty() || moves < fewest) {
      clues_.clear();
      fewest = moves;
    }
    if (moves == fewest) clues_.push_back(cell);
  }
  if (clues_.empty()) return break_in(random);
  const Cell clue = clues_[random.below(clues_.size())];
  const int need = known_.need(clue), rest = known_.unknown(clue) - need;
  const bool clear = need < rest || (need == rest && random.below(2) == 0);

  // The cells to change, and those to exchange them with: the ones that no number touches first.
  near_.clear();
  far_.clear();
  for (Cell cell : graph_.neighbours(clue))
    if (covered(cell) && (mined_[cell] != 0) == clear) near_.push_back(cell);
  std::size_t untouched = 0;
  for (Cell cell = 0; cell < graph_.size(); ++cell) {
    if (!covered(cell) || (mined_[cell] != 0) == clear || kept_[cell]) continue;
    bool touched = false, around = false;
    for (Cell other : graph_.neighbours(cell)) {
      touched |= known_[other] <= kMaxNumber;
      around |= other == clue;
    }
    if (around) continue;
    far_.push_back(cell);
    if (!touched) std::swap(far_[untouched++], far_.back());
  }
  if (far_.size() < near_.size()) return break_in(random);
  for (Cell cell : near_) {
    const std::size_t from = untouched > 0 ? untouched : far_.size();
    const std::size_t at = random.below(from);
    const Cell other = far_[at];
    if (untouched > 0) {
      far_[at] = far_[--untouched];
      far_[untouched] = far_.back();
    } else {
      far_[at] = far_.back();
    }
    far_.pop_back();
    if (clear)
      move_mine(cell, other);
    else
      move_mine(other, cell);
  }
  return true;
}

// Where nothing unknown can be exchanged, one mine among or beside the unknown cells changes places
// with any safe cell of the board. What was proved before may no longer hold.
bool NoGuess::break_in(Random& random) {
  near_.clear();
  far_.clear();
  for (Cell cell = 0; cell < graph_.size(); ++cell) {
    if (!mined_[cell]) {
      if (!kept_[cell]) far_.push_back(cell);
      continue;
    }
    bool beside = covered(cell);
    for (Cell other : graph_.neighbours(cell)) beside |= covered(other);
    if (beside) near_.push_back(cell);
  }
  if (!near_.empty() && !far_.empty())
    move_mine(near_[random.below(near_.size())], far_[random.below(far_.size())]);
  return false;
}

}  // namespace minewright
