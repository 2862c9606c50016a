#include "dancing.hpp"

namespace minewright {

DancingLinks::DancingLinks(std::size_t variables, std::span<const AtLeast> constraints,
                           Budget& budget)
    : variables_(variables),
      budget_(budget),
      assigned_(variables + 1),
      found_(variables + 1),
      differs_(variables + 1) {
  nodes_.push_back({0, 0, 0, 0, 0, 0});
  for (std::size_t i = 0; i < variables; ++i) {
    const auto head = static_cast<Index>(nodes_.size());
    nodes_.push_back({nodes_[0].left, 0, head, head, 0, head});
    rejoin_row(head);
  }
  for (const AtLeast& constraint : constraints) {
    const auto size = static_cast<std::int64_t>(constraint.cells.size());
    possible_ &= constraint.count <= size;
    const auto head = static_cast<Index>(nodes_.size());
    nodes_.push_back({head, head, nodes_[0].up, 0, head, 0});
    const bool asks = constraint.count > 0 && possible_;
    rows_.push_back({constraint.value, asks ? static_cast<std::uint32_t>(constraint.count) : 0,
                     static_cast<std::uint32_t>(size), UINT32_MAX});
    // A row that asks for nothing is satisfied, so it never enters the matrix.
    if (!asks) continue;
    rejoin_column(head);
    if (constraint.count == size) tight_.push_back(head);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].need > 0)
      for (std::uint32_t cell : constraints[i].cells)
        append(static_cast<Index>(1 + variables + i), 1 + cell);
}

void DancingLinks::append(Index row, Index column) {
  const auto node = static_cast<Index>(nodes_.size());
  nodes_.push_back({nodes_[row].left, row, nodes_[column].up, column, row, column});
  rejoin_row(node);
  rejoin_column(node);
}

// Knuth's dance: a node that leaves a list keeps its links, which later lead it back.
void DancingLinks::leave_row(Index node) {
  nodes_[nodes_[node].left].right = nodes_[node].right;
  nodes_[nodes_[node].right].left = nodes_[node].left;
}
void DancingLinks::rejoin_row(Index node) {
  nodes_[nodes_[node].left].right = node;
  nodes_[nodes_[node].right].left = node;
}
void DancingLinks::leave_column(Index node) {
  nodes_[nodes_[node].up].down = nodes_[node].down;
  nodes_[nodes_[node].down].up = nodes_[node].up;
}
void DancingLinks::rejoin_column(Index node) {
  nodes_[nodes_[node].up].down = node;
  nodes_[nodes_[node].down].up = node;
}

// A satisfied row asks for nothing more: its cells leave their columns.
void DancingLinks::cover_row(Index head) {
  leave_column(head);
  for (Index node = nodes_[head].right; node != head; node = nodes_[node].right) leave_column(node);
}
void DancingLinks::uncover_row(Index head) {
  for (Index node = nodes_[head].left; node != head; node = nodes_[node].left) rejoin_column(node);
  rejoin_column(head);
}

// Covers a column: its cells leave their rows, and the rows it satisfies are covered. Returns false
// if a row can no longer be satisfied. Even then the column is covered to its end, so that undoing
// it is the same walk backwards.
bool DancingLinks::assign(Index column, bool value) {
  trail_.push_back({column, value, trail_.size()});
  assigned_[column] = 1;
  leave_row(column);
  bool possible = true;
  std::uint64_t work = 1;
  for (Index node = nodes_[column].down; node != column; node = nodes_[node].down) {
    // The node leaves its row first, so that covering the row leaves this column alone.
    leave_row(node);
    Row& row = this->row(node);
    --row.left;
    if (row.value == value && --row.need == 0) {
      cover_row(nodes_[node].row);
      work += row.left;
    } else if (row.need >= row.left) {
      possible &= row.need == row.left;
      tight_.push_back(nodes_[node].row);
    }
    ++work;
  }
  budget_.tick(work);
  return possible;
}

void DancingLinks::undo_to(std::size_t count) {
  while (trail_.size() > count) {
    const auto [column, value, before] = trail_.back();
    trail_.pop_back();
    for (Index node = nodes_[column].up; node != column; node = nodes_[node].up) {
      Row& row = this->row(node);
      if (row.value == value && row.need++ == 0) uncover_row(nodes_[node].row);
      ++row.left;
      rejoin_row(node);
    }
    rejoin_row(column);
    assigned_[column] = 0;
  }
}

// Assigns the cells of every row that needs all it has left, until there is no such row. Returns
// false on a contradiction.
bool DancingLinks::settle() {
  bool possible = true;
  while (possible && !tight_.empty()) {
    const Index head = tight_.back();
    tight_.pop_back();
    const Row& row = this->row(head);
    while (possible && row.need > 0)
      possible = assign(nodes_[nodes_[head].right].column, row.value);
  }
  tight_.clear();
  return possible;
}

bool DancingLinks::suppose(Index column, bool value) {
  budget_.spend(1);
  if (assign(column, value)) return settle();
  tight_.clear();
  return false;
}

// Returns the row with the least freedom among those this search has disturbed, or the root if
// there is none.
//
// The first solution satisfies all rows that the search has not touched. Skipping them keeps the
// search near the cell in question.
DancingLinks::Index DancingLinks::tightest() {
  Index best = 0;
  std::uint32_t least = UINT32_MAX;
  std::uint64_t work = 1;
  for (Index head = nodes_[0].down; head != 0; head = nodes_[head].down, ++work) {
    const Row& row = this->row(head);
    if (row.left == row.quiet || row.left - row.need >= least) continue;
    least = row.left - row.need;
    best = head;
  }
  budget_.tick(work);
  return best;
}

// Depth-first, but without recursion, which would be too deep on a large board.
bool DancingLinks::search() {
  choices_.clear();
  for (Index head = tightest(); head != 0; head = tightest()) {
    const Index column = nodes_[nodes_[head].right].column;
    // First try the value in the first solution, or, before there is one, the value the row needs.
    const bool value = row(head).quiet == UINT32_MAX ? row(head).value : found_[column] != 0;
    choices_.push_back({column, value, trail_.size()});
    bool possible = suppose(column, value);
    while (!possible) {
      if (choices_.empty()) return false;
      const Assignment last = choices_.back();
      choices_.pop_back();
      undo_to(last.before);
      possible = suppose(last.column, !last.value);
    }
  }
  return true;
}

// Takes all current assignments for facts: they follow from the constraints alone, and no row
// counts as disturbed by them.
void DancingLinks::take_for_facts() {
  facts_ = trail_.size();
  for (Index head = nodes_[0].down; head != 0; head = nodes_[head].down)
    row(head).quiet = row(head).left;
}

// Finds a solution. Then, for every variable, finds another solution in which it differs, or proves
// that there is none.
bool DancingLinks::find() {
  if (!possible_ || !settle()) return false;
  facts_ = trail_.size();
  if (!search()) return false;
  for (const Assignment& a : trail_) found_[a.column] = a.value;
  undo_to(facts_);
  take_for_facts();
  for (Index column = 1; column <= variables_; ++column) {
    if (assigned_[column] || differs_[column]) continue;
    const bool value = found_[column] != 0;
    const bool other = suppose(column, !value) && search();
    if (other)
      for (std::size_t i = facts_; i < trail_.size(); ++i)
        if (trail_[i].value != (found_[trail_[i].column] != 0)) differs_[trail_[i].column] = 1;
    undo_to(facts_);
    if (other) continue;
    suppose(column, value);
    take_for_facts();
  }
  return true;
}

Consequences DancingLinks::run() {
  Consequences result;
  try {
    result.satisfiable = find();
  } catch (const OverBudget&) {
    std::vector<Cell> open;
    undo_to(facts_);
    for (Index column = nodes_[0].right; column != 0; column = nodes_[column].right)
      open.push_back(column - 1);
    throw TooHard(std::move(open), budget_);
  }
  if (!result.satisfiable) return result;
  result.variables.assign(variables_, Truth::open);
  for (const Assignment& a : trail_)
    result.variables[a.column - 1] = a.value ? Truth::is_true : Truth::is_false;
  return result;
}

}  // namespace minewright
