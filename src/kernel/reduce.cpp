#include "reduce.hpp"

#include <algorithm>

namespace minewright {

namespace {
constexpr std::uint32_t kNone = UINT32_MAX;
}  // namespace

void Reduced::run(const Graph& graph, const Question& question) {
  consistent = true;
  observed_constraint = -1;
  settled.clear();
  rest.clear();
  read(graph, question);
  if (consistent) settle_single(graph);
  if (consistent) make_boxes(graph);
  if (consistent) settle_subsets();
  if (!consistent) return;
  merge_boxes();
  make_components();
}

// Reads the codes and finds how many unknown cells and how many missing mines every clue has.
void Reduced::read(const Graph& graph, const Question& question) {
  const std::size_t n = graph.size();
  std::uint8_t meaning[256];
  std::fill(std::begin(meaning), std::end(meaning), std::uint8_t{kOpen});
  meaning[kCovered] = kUnknown;
  meaning[kMarked] = question.trust_marks ? kProvedMined : kUnknown;
  meaning[kMined] = kProvedMined;
  observed_ = question.observed;

  state.resize(n);
  mines = 0;
  for (std::size_t cell = 0; cell < n; ++cell) {
    state[cell] = meaning[question.cells[cell]];
    mines += state[cell] == kProvedMined;
  }
  if (observed_ != kNoCell) state[observed_] = kOpen;

  // Loops over the covered cells, because there are usually fewer of them than open ones.
  unknown_.assign(n, 0);
  need_.assign(n, 0);
  for (Cell cell = 0; cell < n; ++cell) {
    if (state[cell] == kOpen) continue;
    auto& counts = state[cell] == kUnknown ? unknown_ : need_;
    const std::int16_t by = state[cell] == kUnknown ? 1 : -1;
    for (Cell other : graph.neighbours(cell))
      counts[other] = static_cast<std::int16_t>(counts[other] + by);
  }
  constraint_of_.assign(n, -1);
  clues_.clear();
  queue_.clear();
  for (Cell cell = 0; cell < n; ++cell) {
    if (cell == observed_) {
      need_[cell] = 0;
    } else {
      if (question.cells[cell] > kMaxNumber) continue;
      const auto need = static_cast<std::int16_t>(need_[cell] + question.cells[cell]);
      need_[cell] = need;
      if (need < 0 || need > unknown_[cell]) {
        consistent = false;
        return;
      }
      if (unknown_[cell] > 0 && (need == 0 || need == unknown_[cell])) queue_.push_back(cell);
    }
    if (unknown_[cell] == 0) continue;
    clues_.push_back(cell);
    constraint_of_[cell] = 0;
  }
}

void Reduced::settle_cell(const Graph& graph, Cell cell, bool mined) {
  state[cell] = mined ? kProvedMined : kProvedSafe;
  mines += mined;
  settled.push_back(cell);
  for (Cell clue_cell : graph.neighbours(cell)) {
    if (constraint_of_[clue_cell] < 0) continue;
    const std::int16_t unknown = --unknown_[clue_cell];
    if (clue_cell == observed_) continue;
    const std::int16_t need = need_[clue_cell] -= mined;
    if (need < 0 || need > unknown)
      consistent = false;
    else if (unknown > 0 && (need == 0 || need == unknown))
      queue_.push_back(clue_cell);
  }
}

// A clue settles its unknown cells if all of them must be mined, or none.
void Reduced::settle_single(const Graph& graph) {
  while (!queue_.empty() && consistent) {
    const Cell clue_cell = queue_.back();
    queue_.pop_back();
    if (unknown_[clue_cell] == 0) continue;
    const bool mined = need_[clue_cell] > 0;
    for (Cell cell : graph.neighbours(clue_cell))
      if (state[cell] == kUnknown) settle_cell(graph, cell, mined);
  }
}

// Groups the unknown cells next to clues into boxes. All cells of a box have the same
// first constraint, so only cells with the same first constraint are compared.
void Reduced::make_boxes(const Graph& graph) {
  raw_constraints_.clear();
  raw_clue_.clear();
  for (Cell cell : clues_) {
    if (unknown_[cell] == 0) {
      constraint_of_[cell] = -1;
      continue;
    }
    constraint_of_[cell] = static_cast<std::int32_t>(raw_constraints_.size());
    if (cell == observed_) {
      observed_constraint = constraint_of_[cell];
      raw_constraints_.push_back({0, unknown_[cell]});
    } else {
      raw_constraints_.push_back({need_[cell], need_[cell]});
    }
    raw_clue_.push_back(cell);
  }

  box_of_.assign(graph.size(), kNone);
  raw_members_.clear();
  raw_box_constraints_.clear();
  size_.clear();
  // Boxes are discovered in the order of their first constraint. A cell that joins an earlier box
  // can no longer be pushed onto its list, so cells are linked first and listed afterwards.
  std::vector<std::uint32_t>& head = stamp_;
  head.clear();
  link_.resize(graph.size());
  for (Cell clue_cell : raw_clue_) {
    const std::size_t first = size_.size();
    for (Cell cell : graph.neighbours(clue_cell)) {
      if (state[cell] != kUnknown || box_of_[cell] != kNone) continue;
      // The cell gets a list of its own, which is dropped if a box has the same one.
      raw_box_constraints_.open();
      for (Cell other : graph.neighbours(cell))
        if (constraint_of_[other] >= 0)
          raw_box_constraints_.push(static_cast<std::uint32_t>(constraint_of_[other]));
      const auto list = raw_box_constraints_[size_.size()];
      auto box = static_cast<std::uint32_t>(first);
      while (!std::ranges::equal(raw_box_constraints_[box], list)) ++box;
      if (box < size_.size()) {
        raw_box_constraints_.drop();
      } else {
        size_.push_back(0);
        head.push_back(kNone);
      }
      box_of_[cell] = box;
      ++size_[box];
      link_[cell] = head[box];
      head[box] = cell;
    }
  }
  for (std::uint32_t box = 0; box < size_.size(); ++box) {
    raw_members_.open();
    for (std::uint32_t cell = head[box]; cell != kNone; cell = link_[cell]) raw_members_.push(cell);
  }

  // A box is in a constraint as a whole, so list it when its first listed cell is met.
  raw_constraint_boxes_.clear();
  for (Cell clue_cell : raw_clue_) {
    raw_constraint_boxes_.open();
    for (Cell cell : graph.neighbours(clue_cell))
      if (state[cell] == kUnknown && head[box_of_[cell]] == cell)
        raw_constraint_boxes_.push(box_of_[cell]);
  }

  for (Cell cell = 0; cell < graph.size(); ++cell)
    if (state[cell] == kUnknown && box_of_[cell] == kNone) rest.push_back(cell);
}

// Settles the boxes of a constraint if none or all of its cells must be mined.
bool Reduced::settle_boxes_of(std::uint32_t constraint) {
  std::int64_t cells = 0;
  for (std::uint32_t box : raw_constraint_boxes_[constraint]) cells += size_[box];
  const std::int32_t need = raw_constraints_[constraint].low;
  if (need < 0 || need > cells) {
    consistent = false;
    return false;
  }
  if (cells == 0 || (need != 0 && need != cells)) return false;
  const bool mined = need > 0;
  while (!raw_constraint_boxes_[constraint].empty()) {
    const std::uint32_t box = raw_constraint_boxes_[constraint].back();
    box_gone_[box] = 1;
    for (std::uint32_t cell : raw_members_[box]) {
      state[cell] = mined ? kProvedMined : kProvedSafe;
      mines += mined;
      settled.push_back(cell);
    }
    for (std::uint32_t other : raw_box_constraints_[box]) {
      raw_constraint_boxes_.remove(other, box);
      Constraint& bounds = raw_constraints_[other];
      const bool observed = static_cast<std::int32_t>(other) == observed_constraint;
      if (observed) {
        bounds.high -= static_cast<std::int32_t>(size_[box]);
        continue;
      }
      if (mined) bounds.low = bounds.high -= static_cast<std::int32_t>(size_[box]);
      if (!queued_[other]) queued_[other] = 1, work_.push_back(other);
    }
  }
  return true;
}

// A constraint that contains another shrinks to the difference. That leaves fewer boxes, and
// often splits a component in two.
void Reduced::settle_subsets() {
  const std::size_t count = raw_constraints_.size();
  box_gone_.assign(size_.size(), 0);
  queued_.assign(count, 1);
  work_.clear();
  for (std::size_t c = count; c-- > 0;) work_.push_back(static_cast<std::uint32_t>(c));
  stamp_.assign(size_.size(), kNone);
  std::uint32_t round = 0;

  while (!work_.empty() && consistent) {
    const std::uint32_t inner = work_.back();
    work_.pop_back();
    queued_[inner] = 0;
    if (static_cast<std::int32_t>(inner) == observed_constraint) continue;
    if (settle_boxes_of(inner) || !consistent) continue;
    auto boxes = raw_constraint_boxes_[inner];
    if (boxes.empty()) continue;

    // A constraint that contains this one has all its boxes, including the one in the fewest
    // constraints.
    std::uint32_t rarest = boxes[0];
    for (std::uint32_t box : boxes) {
      stamp_[box] = round;
      if (raw_box_constraints_[box].size() < raw_box_constraints_[rarest].size()) rarest = box;
    }
    const std::size_t inside = boxes.size();
    for (std::size_t i = 0; i < raw_box_constraints_[rarest].size();) {
      const std::uint32_t outer = raw_box_constraints_[rarest][i];
      if (outer == inner || static_cast<std::int32_t>(outer) == observed_constraint ||
          raw_constraint_boxes_[outer].size() < inside) {
        ++i;
        continue;
      }
      std::size_t shared = 0;
      for (std::uint32_t box : raw_constraint_boxes_[outer]) shared += stamp_[box] == round;
      if (shared < inside) {
        ++i;
        continue;
      }
      for (std::uint32_t box : raw_constraint_boxes_[inner])
        raw_box_constraints_.remove(box, outer);
      raw_constraint_boxes_.filter(outer, [&](std::uint32_t box) { return stamp_[box] != round; });
      Constraint& bounds = raw_constraints_[outer];
      bounds.low = bounds.high -= raw_constraints_[inner].low;
      if (!queued_[outer]) queued_[outer] = 1, work_.push_back(outer);
    }
    ++round;
  }
}

// After constraints have shrunk, several boxes may be in the same ones. Merges such boxes, drops
// what is settled, and renumbers boxes and constraints.
void Reduced::merge_boxes() {
  renumbered_.assign(raw_constraints_.size(), kNone);
  constraints.clear();
  clue.clear();
  std::int32_t observed = -1;
  for (std::size_t c = 0; c < raw_constraints_.size(); ++c) {
    if (raw_constraint_boxes_[c].empty()) continue;
    renumbered_[c] = static_cast<std::uint32_t>(constraints.size());
    if (static_cast<std::int32_t>(c) == observed_constraint)
      observed = static_cast<std::int32_t>(constraints.size());
    constraints.push_back(raw_constraints_[c]);
    clue.push_back(raw_clue_[c]);
  }
  observed_constraint = observed;

  members.clear();
  box_constraints.clear();
  std::vector<std::uint32_t>& new_box = stamp_;  // per raw box
  new_box.assign(size_.size(), kNone);
  for (std::uint32_t c = 0; c < raw_constraints_.size(); ++c) {
    for (std::uint32_t box : raw_constraint_boxes_[c]) {
      if (new_box[box] != kNone) continue;
      const auto list = raw_box_constraints_[box];
      new_box[box] = static_cast<std::uint32_t>(members.size());
      members.open();
      for (std::uint32_t cell : raw_members_[box]) members.push(cell);
      for (std::uint32_t other : raw_constraint_boxes_[c]) {
        if (new_box[other] != kNone) continue;
        if (!std::ranges::equal(list, raw_box_constraints_[other])) continue;
        new_box[other] = new_box[box];
        for (std::uint32_t cell : raw_members_[other]) members.push(cell);
      }
      box_constraints.open();
      for (std::uint32_t other : list) box_constraints.push(renumbered_[other]);
    }
  }

  constraint_boxes.clear();
  link_.assign(members.size(), kNone);
  for (std::uint32_t c = 0; c < raw_constraints_.size(); ++c) {
    if (renumbered_[c] == kNone) continue;
    constraint_boxes.open();
    for (std::uint32_t box : raw_constraint_boxes_[c]) {
      if (link_[new_box[box]] == c) continue;
      link_[new_box[box]] = c;
      constraint_boxes.push(new_box[box]);
    }
  }
}

void Reduced::make_components() {
  component_boxes.clear();
  component_constraints.clear();
  std::vector<std::uint8_t>& box_seen = box_gone_;
  std::vector<std::uint8_t>& constraint_seen = queued_;
  box_seen.assign(members.size(), 0);
  constraint_seen.assign(constraints.size(), 0);
  box_place.resize(members.size());
  constraint_place.resize(constraints.size());
  for (std::uint32_t start = 0; start < constraints.size(); ++start) {
    if (constraint_seen[start]) continue;
    constraint_seen[start] = 1;
    component_boxes.open();
    component_constraints.open();
    work_.assign(1, start);
    std::uint32_t boxes = 0, taken = 0;
    while (!work_.empty()) {
      const std::uint32_t c = work_.back();
      work_.pop_back();
      component_constraints.push(c);
      constraint_place[c] = taken++;
      for (std::uint32_t box : constraint_boxes[c]) {
        if (box_seen[box]) continue;
        box_seen[box] = 1;
        component_boxes.push(box);
        box_place[box] = boxes++;
        for (std::uint32_t other : box_constraints[box]) {
          if (constraint_seen[other]) continue;
          constraint_seen[other] = 1;
          work_.push_back(other);
        }
      }
    }
  }
}

}  // namespace minewright
