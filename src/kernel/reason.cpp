#include "reason.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Compares lists of numbers, to sort them and to find equal ones.
bool before(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
bool equal(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Fills `order` with 0 … size-1 so that equal lists are adjacent, the first of them in front.
void order_by_list(const Lists& lists, std::vector<std::uint32_t>& order) {
  order.resize(lists.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (before(lists[a], lists[b])) return true;
    return a < b && !before(lists[b], lists[a]);
  });
}

}  // namespace

void check(std::size_t variables, std::span<const AtLeast> constraints) {
  std::vector<std::size_t> named(variables, 0);
  for (std::size_t i = 0; i < constraints.size(); ++i)
    for (std::uint32_t cell : constraints[i].cells) {
      const std::string where =
          "at-least constraint " + std::to_string(i) + " names cell " + std::to_string(cell);
      if (cell >= variables)
        throw std::invalid_argument(where + ", and there are only " + std::to_string(variables) +
                                    " variables");
      if (named[cell] == i + 1) throw std::invalid_argument(where + " twice: name each cell once");
      named[cell] = i + 1;
    }
}

Consequences Reasoner::run(std::size_t variables, std::span<const AtLeast> constraints,
                           Budget& budget) {
  truth_.assign(variables, Truth::open);
  if (!settle(constraints) || !make_intervals(constraints)) return {};
  make_boxes();
  order_.resize(members_.size());
  for (std::uint32_t box = 0; box < order_.size(); ++box) order_[box] = box;
  link(order_, kNone, wholes_);
  for (std::size_t i = 0; i < wholes_.size(); ++i)
    if (!solve(wholes_[i], budget)) return {};
  return {true, truth_};
}

// A constraint that needs every cell it has left settles them. Known cells are such constraints.
bool Reasoner::settle(std::span<const AtLeast> constraints) {
  first_row_.assign(truth_.size() + 1, 0);
  rows_.clear();
  queue_.clear();
  for (const AtLeast& constraint : constraints) {
    const auto size = static_cast<std::int64_t>(constraint.cells.size());
    if (constraint.count > size) return false;
    if (constraint.count == size) queue_.push_back(static_cast<std::uint32_t>(rows_.size()));
    // A constraint that asks for less than nothing asks for nothing, and cannot overflow later.
    rows_.push_back({std::max<std::int64_t>(constraint.count, 0), size});
    for (std::uint32_t cell : constraint.cells) ++first_row_[cell + 1];
  }
  for (std::size_t cell = 0; cell < truth_.size(); ++cell) first_row_[cell + 1] += first_row_[cell];
  rows_of_.resize(first_row_.back());
  work_.assign(first_row_.begin(), first_row_.end() - 1);
  for (std::uint32_t row = 0; row < constraints.size(); ++row)
    for (std::uint32_t cell : constraints[row].cells) rows_of_[work_[cell]++] = row;

  while (!queue_.empty()) {
    const AtLeast& constraint = constraints[queue_.back()];
    const Row& tight = rows_[queue_.back()];
    queue_.pop_back();
    if (tight.need <= 0) continue;
    for (std::uint32_t cell : constraint.cells) {
      if (truth_[cell] != Truth::open) continue;
      truth_[cell] = constraint.value ? Truth::is_true : Truth::is_false;
      for (auto i = first_row_[cell]; i < first_row_[cell + 1]; ++i) {
        Row& row = rows_[rows_of_[i]];
        --row.left;
        if (constraints[rows_of_[i]].value == constraint.value) --row.need;
        if (row.need > row.left) return false;
        if (row.need > 0 && row.need == row.left) queue_.push_back(rows_of_[i]);
      }
    }
  }
  return true;
}

// "At least 3 are true" and "at least 5 are false" of the same eight cells: the interval 3 … 3.
bool Reasoner::make_intervals(std::span<const AtLeast> constraints) {
  live_.clear();
  live_cells_.clear();
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].need <= 0) continue;
    live_.push_back(row);
    work_.clear();
    for (std::uint32_t cell : constraints[row].cells)
      if (truth_[cell] == Truth::open) work_.push_back(cell);
    std::sort(work_.begin(), work_.end());
    live_cells_.open();
    for (std::uint32_t cell : work_) live_cells_.push(cell);
  }
  order_by_list(live_cells_, order_);
  sets_.clear();
  intervals_.clear();
  for (std::uint32_t i : order_) {
    const auto cells = live_cells_[i];
    const auto size = static_cast<std::int32_t>(cells.size());
    const auto need = static_cast<std::int32_t>(rows_[live_[i]].need);
    if (sets_.size() == 0 || !equal(sets_[sets_.size() - 1], cells)) {
      sets_.open();
      for (std::uint32_t cell : cells) sets_.push(cell);
      intervals_.push_back({0, size});
    }
    Constraint& interval = intervals_.back();
    if (constraints[live_[i]].value)
      interval.low = std::max(interval.low, need);
    else
      interval.high = std::min(interval.high, size - need);
    if (interval.low > interval.high) return false;
  }
  return true;
}

void Reasoner::make_boxes() {
  places_.clear();
  for (std::uint32_t set = 0; set < sets_.size(); ++set)
    for (std::uint32_t cell : sets_[set]) places_.push_back({cell, set});
  std::sort(places_.begin(), places_.end());
  live_.clear();  // from here on, the open variables that are in a set
  variable_sets_.clear();
  for (const auto& [cell, set] : places_) {
    if (live_.empty() || live_.back() != cell) live_.push_back(cell), variable_sets_.open();
    variable_sets_.push(set);
  }
  order_by_list(variable_sets_, order_);
  members_.clear();
  box_sets_.clear();
  for (std::uint32_t i : order_) {
    const auto sets = variable_sets_[i];
    if (members_.size() == 0 || !equal(box_sets_[box_sets_.size() - 1], sets)) {
      members_.open();
      box_sets_.open();
      for (std::uint32_t set : sets) box_sets_.push(set);
    }
    members_.push(live_[i]);
  }

  places_.clear();
  for (std::uint32_t box = 0; box < members_.size(); ++box)
    for (std::uint32_t set : box_sets_[box]) places_.push_back({set, box});
  std::sort(places_.begin(), places_.end());
  set_boxes_.clear();
  for (const auto& [set, box] : places_) {
    if (set_boxes_.size() == set) set_boxes_.open();
    set_boxes_.push(box);
  }
  box_round_.assign(members_.size(), 0);
  set_round_.assign(sets_.size(), 0);
  box_place_.resize(members_.size());
  set_place_.resize(sets_.size());
  round_ = 0;
}

// Groups boxes that are linked through constraints other than `without`.
void Reasoner::link(std::span<const std::uint32_t> boxes, std::uint32_t without, Lists& groups) {
  groups.clear();
  ++round_;
  for (std::uint32_t start : boxes) {
    if (box_round_[start] == round_) continue;
    box_round_[start] = round_;
    groups.open();
    work_.assign(1, start);
    while (!work_.empty()) {
      const std::uint32_t box = work_.back();
      work_.pop_back();
      groups.push(box);
      for (std::uint32_t set : box_sets_[box]) {
        if (set == without || set_round_[set] == round_) continue;
        set_round_[set] = round_;
        for (std::uint32_t other : set_boxes_[set]) {
          if (box_round_[other] == round_) continue;
          box_round_[other] = round_;
          work_.push_back(other);
        }
      }
    }
  }
}

// Returns the constraint that contains all of these linked boxes, such as a mine total, or kNone.
std::uint32_t Reasoner::spanning(std::span<const std::uint32_t> boxes) const {
  for (std::uint32_t set : box_sets_[boxes[0]])
    if (set_boxes_[set].size() == boxes.size()) return set;
  return kNone;
}

void Reasoner::take(std::span<const std::uint32_t> boxes, std::uint32_t without,
                    Component& component) {
  ++round_;
  taken_.clear();
  for (std::uint32_t place = 0; place < boxes.size(); ++place) {
    const std::uint32_t box = boxes[place];
    box_place_[box] = place;
    component.size.push_back(static_cast<std::int32_t>(members_[box].size()));
    component.box_constraints.open();
    for (std::uint32_t set : box_sets_[box]) {
      if (set == without) continue;
      if (set_round_[set] != round_) {
        set_round_[set] = round_;
        set_place_[set] = static_cast<std::uint32_t>(taken_.size());
        taken_.push_back(set);
        component.constraints.push_back(intervals_[set]);
        component.cells.push_back(static_cast<std::int32_t>(sets_[set].size()));
      }
      component.box_constraints.push(set_place_[set]);
    }
  }
  for (std::uint32_t set : taken_) {
    component.constraint_boxes.open();
    for (std::uint32_t box : set_boxes_[set]) component.constraint_boxes.push(box_place_[box]);
  }
}

void Reasoner::force(std::uint32_t box, Truth truth) {
  for (std::uint32_t cell : members_[box]) truth_[cell] = truth;
}

std::vector<Cell> Reasoner::cells_of(std::span<const std::uint32_t> boxes) const {
  std::vector<Cell> cells;
  for (std::uint32_t box : boxes)
    for (std::uint32_t cell : members_[box]) cells.push_back(cell);
  std::sort(cells.begin(), cells.end());
  return cells;
}

// Without the constraint that spans all of them, linked boxes usually split into small components.
// The join then enforces that constraint, as it does a mine total.
bool Reasoner::solve(std::span<const std::uint32_t> boxes, Budget& budget) {
  const std::uint32_t whole = spanning(boxes);
  link(boxes, whole, parts_);
  std::int64_t rest = 0;
  pool_.clear();
  rest_.clear();
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const auto part = parts_[i];
    if (whole != kNone && box_sets_[part[0]].size() == 1) {
      rest_.push_back(part[0]);
      rest += static_cast<std::int64_t>(members_[part[0]].size());
      continue;
    }
    take(part, whole, pool_.next(i));
    try {
      if (!pool_.solve(budget)) return false;
    } catch (const OverBudget&) {
      throw TooHard(cells_of(part), budget);
    }
  }

  // The join takes exact totals only. "Low to high of these cells" is the same as "exactly `high`
  // of these cells and high-low spare ones". The spare cells are interchangeable with the rest, so
  // the join can treat them as part of it.
  std::int64_t spare = 0, total = -1;
  if (whole != kNone) {
    total = intervals_[whole].high;
    spare = total - intervals_[whole].low;
  }
  if (!pool_.join.allow(pool_.parts(), rest + spare, total, budget)) return false;
  for (std::uint32_t box : rest_) {
    if (pool_.join.rest_safe) force(box, Truth::is_false);
    if (pool_.join.rest_mined) force(box, Truth::is_true);
  }
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    Solved& solved = pool_[i];
    const auto part = parts_[solved.index];
    try {
      solved.reach(pool_.part(i), budget);
    } catch (const OverBudget&) {
      throw TooHard(cells_of(part), budget);
    }
    for (std::size_t box = 0; box < part.size(); ++box) {
      const Certainty certain = solved.certain(box);
      if (certain.safe) force(part[box], Truth::is_false);
      if (certain.mined) force(part[box], Truth::is_true);
    }
  }
  return true;
}

}  // namespace minewright
