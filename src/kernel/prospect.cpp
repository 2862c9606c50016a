#include "prospect.hpp"

#include <algorithm>
#include <cmath>

namespace minewright {

namespace {
constexpr std::uint32_t kNone = UINT32_MAX;
constexpr double kEqual = 1e-9;
}  // namespace

std::uint32_t Prospector::find(std::uint32_t cells) {
  while (cells_[cells].link != cells) cells = cells_[cells].link = cells_[cells_[cells].link].link;
  return cells;
}

void Prospector::unite(std::uint32_t some, std::uint32_t others) {
  some = find(some);
  others = find(others);
  cells_[std::max(some, others)].link = std::min(some, others);
}

void Prospector::touch(const Turn& turn, std::uint32_t box) {
  const std::uint32_t component = turn.component_of(box);
  if (is_touched_[component]) return;
  is_touched_[component] = 1;
  touched_.push_back(component);
}

// Splits the boxes of all touched components, without the cell itself, into watched cells and
// others. The watched cells of the rest come first.
void Prospector::divide(const Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near) {
  const auto rest_box = static_cast<std::uint32_t>(turn.boxes());
  cells_.clear();
  touched_.clear();
  is_touched_.assign(turn.components(), 0);
  watched_ = static_cast<std::int32_t>(near.size());
  const auto add = [&](std::uint32_t box, std::int64_t size, bool watched) {
    if (size == 0) return;
    const auto link = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({box, static_cast<std::int32_t>(size), watched, link});
  };
  if (own != rest_box) touch(turn, own);
  for (std::uint32_t box : near)
    if (box != rest_box) touch(turn, box);
  const auto watched_of = [&](std::uint32_t box) {
    const auto [first, end] = std::equal_range(near.begin(), near.end(), box);
    return static_cast<std::int64_t>(end - first);
  };
  rest_ = static_cast<std::int64_t>(turn.reduced().rest.size()) - (own == rest_box);
  add(rest_box, watched_of(rest_box), true);
  rest_ -= watched_of(rest_box);
  for (std::uint32_t component : touched_)
    for (std::uint32_t box : turn.reduced().component_boxes[component]) {
      const std::int64_t watched = watched_of(box);
      const auto size = static_cast<std::int64_t>(turn.reduced().members[box].size());
      add(box, watched, true);
      add(box, size - watched - (box == own), false);
    }
}

// Finds the pieces: cells are linked through constraints, the watched cells through the new one.
void Prospector::connect(const Turn& turn) {
  const Reduced& reduced = turn.reduced();
  first_.assign(reduced.constraints.size(), kNone);
  std::uint32_t first_watched = kNone;
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].watched) {
      if (first_watched == kNone) first_watched = i;
      unite(first_watched, i);
    }
    if (cells_[i].box == turn.boxes()) continue;
    for (std::uint32_t c : reduced.box_constraints[cells_[i].box]) {
      if (first_[c] == kNone) first_[c] = i;
      unite(first_[c], i);
    }
  }
  piece_.assign(cells_.size(), kNone);
  count_ = 0;
  if (first_watched != kNone) piece_[find(first_watched)] = static_cast<std::uint32_t>(count_++);
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    const std::uint32_t root = find(i);
    if (piece_[root] == kNone) piece_[root] = static_cast<std::uint32_t>(count_++);
    piece_[i] = piece_[root];
  }
}

void Prospector::make_pieces(const Turn& turn, Budget& budget) {
  const Reduced& reduced = turn.reduced();
  pool_.clear();
  if (counted_safe_.size() < count_) counted_safe_.resize(count_);
  local_.assign(reduced.constraints.size(), kNone);
  for (std::size_t p = 0; p < count_; ++p) {
    Component& component = pool_.next(p);
    if (p == 0 && watched_ > 0) {
      component.observed = 0;
      component.constraints.push_back({0, watched_});
      component.cells.push_back(watched_);
    }
    for (std::uint32_t i = 0; i < cells_.size(); ++i) {
      const Cells& cells = cells_[i];
      if (piece_[i] != p) continue;
      component.size.push_back(cells.size);
      component.box_constraints.open();
      if (cells.watched) component.box_constraints.push(0);
      if (cells.box == turn.boxes()) continue;
      for (std::uint32_t c : reduced.box_constraints[cells.box]) {
        if (local_[c] == kNone) {
          local_[c] = static_cast<std::uint32_t>(component.constraints.size());
          component.constraints.push_back(reduced.constraints[c]);
          component.cells.push_back(0);
        }
        component.box_constraints.push(local_[c]);
        component.cells[local_[c]] += cells.size;
      }
    }
    pool_.solve(budget);
    pool_[p].climb(turn.odds(), pool_.part(p), budget);
    counted_safe_[p].allowed.clear();
  }
}

void Prospector::add_others(const Turn& turn) {
  others_.clear();
  least_elsewhere_ = 1;
  for (std::uint32_t i = 0; i < turn.components(); ++i) {
    if (is_touched_[i]) continue;
    Part& part = pool_.add_part();
    part.low = turn.part(i).low;
    part.ways = turn.part(i).ways;
    part.possible = turn.part(i).possible;
    others_.push_back(i);
    for (std::uint32_t box : turn.reduced().component_boxes[i])
      least_elsewhere_ = std::min(least_elsewhere_, turn.chance(box));
  }
}

std::int64_t Prospector::count_safe(const Solved& solved) const {
  std::int64_t count = 0;
  for (std::size_t box = 0; box < solved.component.size.size(); ++box)
    if (solved.certain(box).safe) count += solved.component.size[box];
  return count;
}

// Counts the cells outside the watched piece that are certainly safe, given what the join allows.
std::int64_t Prospector::count_safe(Turn& turn, Budget& budget) {
  std::int64_t count = pool_.join.rest_safe ? rest_ : 0;
  for (std::size_t p = watched_ > 0; p < count_; ++p) {
    CountedSafe& counted = counted_safe_[p];
    if (counted.allowed != pool_.part(p).allowed) {
      pool_[p].reach(pool_.part(p), budget);
      counted.allowed = pool_.part(p).allowed;
      counted.safe = count_safe(pool_[p]);
    }
    count += counted.safe;
  }
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const Part& part = pool_.part(count_ + i);
    // Nothing was safe before, so a component that has not changed still has no safe cell.
    if (part.allowed == turn.part(others_[i]).allowed) continue;
    turn.solved(others_[i]).reach(part, budget);
    count += count_safe(turn.solved(others_[i]));
  }
  return count;
}

// Returns the lowest chance of a mine if the watched piece is in one of these root states, which
// the join has just taken into account.
double Prospector::least_risk(Turn& turn, std::uint32_t first, std::uint32_t end, Budget& budget) {
  const std::span<Part> parts = pool_.parts();
  if (watched_ > 0) {
    Part& part = pool_.part(0);
    const Solved& solved = pool_[0];
    std::fill(part.ways.begin(), part.ways.end(), 0.0);
    for (std::uint32_t s = first; s < end; ++s) {
      const Range& range = solved.table.states[s];
      for (std::int32_t k = 0; k < range.length; ++k)
        part.ways[static_cast<std::size_t>(range.low - part.low + k)] +=
            solved.weights.up[range.offset + static_cast<std::uint32_t>(k)];
    }
  }
  pool_.join.weigh(parts, rest_, turn.mines(), turn.odds(), budget);
  double least = least_elsewhere_;
  if (rest_ > 0) least = std::min(least, pool_.join.rest_probability);
  for (std::size_t p = 0; p < count_; ++p) {
    Solved& solved = pool_[p];
    if (p == 0 && watched_ > 0)
      solved.descend(turn.odds(), pool_.part(p), first, end, budget);
    else
      solved.descend(turn.odds(), pool_.part(p), budget);
    for (std::size_t box = 0; box < solved.component.size.size(); ++box)
      least = std::min(least, solved.expected(box) / solved.component.size[box]);
  }
  // If all other cells are mined, the game is won.
  return least > 1 - kEqual ? 0.0 : least;
}

Prospect Prospector::look(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near,
                          Budget& budget) {
  return look(turn, own, near, false, budget);
}

Prospect Prospector::follow(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near,
                            Budget& budget) {
  return look(turn, own, near, true, budget);
}

Prospect Prospector::look(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near,
                          bool follow, Budget& budget) {
  divide(turn, own, near);
  connect(turn);
  make_pieces(turn, budget);
  add_others(turn);
  const std::span<Part> parts = pool_.parts();
  const std::int64_t mines = turn.mines();
  pool_.join.allow(parts, rest_, mines, budget);

  Prospect result;
  outcomes.clear();
  const auto add = [&](std::int32_t number, double chance, std::int64_t safe, std::uint32_t first,
                       std::uint32_t end) {
    if (safe > 0) result.progress += chance;
    result.expected += chance * static_cast<double>(safe);
    if (chance > 0) result.information -= chance * std::log2(chance);
    if (!follow) return;
    outcomes.push_back(
        {number, chance, safe, safe > 0 ? 0.0 : least_risk(turn, first, end, budget)});
  };
  if (watched_ == 0) {
    add(0, 1.0, count_safe(turn, budget), 0, 0);  // it can show only one number
    return result;
  }
  pool_.join.weigh(parts, rest_, mines, turn.odds(), budget);
  Solved& solved = pool_[0];
  const StateTable& table = solved.table;
  Part& part = pool_.part(0);
  const std::uint32_t first = table.root().first_state, end = table.root().end_state;
  numbers_.assign(end - first, 0.0);
  double total = 0;
  for (std::uint32_t s = first; s < end; ++s) {
    const Range& range = table.states[s];
    for (std::int32_t k = 0; k < range.length; ++k)
      numbers_[s - first] += solved.weights.up[range.offset + static_cast<std::uint32_t>(k)] *
                             part.weight[static_cast<std::size_t>(range.low - part.low + k)];
    total += numbers_[s - first];
  }
  if (!pool_.join.in_range || !(total > 0))
    throw OverBudget();  // doubles could not hold the numbers
  for (std::uint32_t s = first; s < end; ++s) {
    const Range& range = table.states[s];
    std::fill(part.possible.begin(), part.possible.end(), 0);
    or_shifted_up(part.possible.data(), part.possible.size(), &table.support[range.word],
                  words_for(static_cast<std::size_t>(range.length)),
                  static_cast<std::size_t>(range.low - part.low));
    if (!pool_.join.allow(parts, rest_, mines, budget)) continue;
    solved.reach(part, s, s + 1, budget);
    add(table.root_amount[s - first], numbers_[s - first] / total,
        count_safe(solved) + count_safe(turn, budget), s, s + 1);
  }
  return result;
}

}  // namespace minewright
