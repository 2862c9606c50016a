#include "minefield.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace minewright {

Start parse_start(std::string_view word) {
  if (word == "any") return Start::any;
  if (word == "safe") return Start::safe;
  if (word == "open") return Start::open;
  throw std::invalid_argument("a start rule is any, safe or open, not '" + std::string(word) + "'");
}

Minefield::Minefield(const Graph& graph)
    : graph_(&graph),
      truth_(graph.size(), 0),
      visible_(graph.size(), kCovered),
      permutation_(graph.size()),
      covered_safe_(graph.size()) {
  opened_.reserve(graph.size());
  min_degree_ = graph.max_degree();
  for (Cell cell = 0; cell < graph.size(); ++cell)
    min_degree_ = std::min(min_degree_, graph.neighbours(cell).size());
}

void Minefield::reset(std::size_t mines, Start start, const Random& random) {
  if (mines > room(start))
    throw std::invalid_argument("the start rule leaves room for " + std::to_string(room(start)) +
                                " mines, not " + std::to_string(mines));
  cover(mines, start);
  random_ = random;
  laid_ = false;
  if (start == Start::any) lay();
}

void Minefield::reset(std::span<const Cell> mined, Start start) {
  for (Cell cell : mined)
    if (cell >= graph_->size())
      throw std::invalid_argument("there is no cell " + std::to_string(cell));
  if (mined.size() > graph_->size()) throw std::invalid_argument("there are more mines than cells");
  std::copy(mined.begin(), mined.end(), permutation_.begin());
  const auto end = permutation_.begin() + static_cast<std::ptrdiff_t>(mined.size());
  std::sort(permutation_.begin(), end);
  const auto twice = std::adjacent_find(permutation_.begin(), end);
  if (twice != end)
    throw std::invalid_argument("cell " + std::to_string(*twice) + " is named twice");
  cover(mined.size(), start);
  std::fill(truth_.begin(), truth_.end(), 0);
  for (Cell cell : mined) truth_[cell] = kMined;
  count();
}

std::size_t Minefield::room(Start start, Cell first) const {
  const std::size_t kept = start == Start::any    ? 0
                           : start == Start::safe ? 1
                                                  : 1 + graph_->neighbours(first).size();
  return graph_->size() - kept;
}

std::size_t Minefield::room(Start start) const {
  if (graph_->size() == 0) return 0;
  return graph_->size() - (start == Start::any ? 0 : start == Start::safe ? 1 : 1 + min_degree_);
}

bool Minefield::allows(Cell first) const {
  if (!laid_) return mines_ <= room(start_, first);
  if (start_ == Start::any) return true;
  return truth_[first] != kMined && (start_ == Start::safe || truth_[first] == 0);
}

std::span<const Cell> Minefield::open(Cell cell) {
  if (visible_[cell] != kCovered) return {};
  if (opened_.empty()) {
    if (!allows(cell))
      throw std::invalid_argument("the start rule does not allow cell " + std::to_string(cell) +
                                  " to be opened first");
    if (!laid_)
      draw({&cell, 1}, start_ == Start::open ? graph_->neighbours(cell) : std::span<const Cell>{});
  }
  const std::size_t from = opened_.size();
  uncover(cell);
  return cascade(from);
}

std::span<const Cell> Minefield::chord(Cell cell) {
  const std::size_t number = visible_[cell];
  if (number > kMaxNumber) return {};
  const auto near = graph_->neighbours(cell);
  const auto marks = std::count_if(near.begin(), near.end(),
                                   [this](Cell other) { return visible_[other] == kMarked; });
  if (static_cast<std::size_t>(marks) != number) return {};
  const std::size_t from = opened_.size();
  for (Cell other : near) uncover(other);
  return cascade(from);
}

void Minefield::mark(Cell cell) {
  if (visible_[cell] == kCovered)
    visible_[cell] = kMarked;
  else if (visible_[cell] == kMarked)
    visible_[cell] = kCovered;
}

void Minefield::lay() {
  if (!laid_) draw({}, {});
}

void Minefield::move_mines(std::span<const Cell> mined) {
  std::copy(mined.begin(), mined.end(), permutation_.begin());
  std::fill(truth_.begin(), truth_.end(), 0);
  for (Cell cell : mined) truth_[cell] = kMined;
  count();
}

void Minefield::cover(std::size_t mines, Start start) {
  std::fill(visible_.begin(), visible_.end(), kCovered);
  opened_.clear();
  mines_ = mines;
  covered_safe_ = graph_->size() - mines;
  start_ = start;
  laid_ = true;
  exploded_ = false;
}

// A forward Fisher-Yates shuffle that stops as soon as there are enough mines.
// The mines are moved to the front of the cells drawn so far. The shuffle never
// looks at those places again, so this does not disturb it.
void Minefield::draw(std::span<const Cell> forbidden, std::span<const Cell> also_forbidden) {
  std::iota(permutation_.begin(), permutation_.end(), Cell{0});
  std::fill(truth_.begin(), truth_.end(), 0);
  for (Cell cell : forbidden) truth_[cell] = kSafe;
  for (Cell cell : also_forbidden) truth_[cell] = kSafe;
  const std::size_t size = permutation_.size();
  std::size_t found = 0;
  for (std::size_t drawn = 0; found < mines_; ++drawn) {
    std::swap(permutation_[drawn], permutation_[drawn + random_.below(size - drawn)]);
    const Cell cell = permutation_[drawn];
    if (truth_[cell] == kSafe) continue;
    truth_[cell] = kMined;
    permutation_[found++] = cell;
  }
  for (Cell cell : forbidden) truth_[cell] = 0;
  for (Cell cell : also_forbidden) truth_[cell] = 0;
  count();
  laid_ = true;
}

void Minefield::count() {
  for (std::size_t i = 0; i < mines_; ++i)
    for (Cell other : graph_->neighbours(permutation_[i]))
      if (truth_[other] != kMined) ++truth_[other];
}

void Minefield::uncover(Cell cell) {
  if (visible_[cell] != kCovered) return;
  visible_[cell] = truth_[cell];
  opened_.push_back(cell);
  if (truth_[cell] == kMined)
    exploded_ = true;
  else
    --covered_safe_;
}

// The list of opened cells is also the queue of the cascade, so a board of any
// size needs no recursion and no extra memory.
std::span<const Cell> Minefield::cascade(std::size_t from) {
  for (std::size_t next = from; next < opened_.size(); ++next)
    if (truth_[opened_[next]] == 0)
      for (Cell other : graph_->neighbours(opened_[next])) uncover(other);
  return std::span<const Cell>(opened_).subspan(from);
}

}  // namespace minewright
