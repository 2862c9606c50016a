#include "deduce.hpp"

#include <algorithm>
#include <bit>

namespace minewright {

namespace {

// The most clues in a small set: they fit into the bits of a box, and no person looks at more.
constexpr std::size_t kMostClues = 24;
// The most boxes to fill while looking for the smallest set: a few tenths of a second.
constexpr std::uint64_t kMostFilled = 20'000'000;

}  // namespace

std::optional<Deduction> Deducer::next(const Graph& graph, const Question& question, Search search,
                                       Budget& budget) {
  if (!read(graph, question)) return std::nullopt;
  if (auto step = single(search)) return step;
  if (auto step = several(graph, question, search, false, budget)) return step;
  if (question.mines < 0) return std::nullopt;
  return several(graph, question, search, true, budget);
}

// Reads the clues that still have covered cells. Returns false if one of them cannot be met.
bool Deducer::read(const Graph& graph, const Question& question) {
  const auto covered = [&](Cell cell) {
    return question.cells[cell] == kCovered || question.cells[cell] == kMarked;
  };
  clues_.clear();
  clue_cells_.clear();
  clue_at_.assign(graph.size(), -1);
  for (Cell cell = 0; cell < graph.size(); ++cell) {
    if (question.cells[cell] > kMaxNumber) continue;
    std::int32_t left = question.cells[cell], unknown = 0;
    for (Cell other : graph.neighbours(cell)) {
      left -= question.cells[other] == kMined;
      unknown += covered(other);
    }
    if (left < 0 || left > unknown) return false;
    if (unknown == 0) continue;
    clue_at_[cell] = static_cast<std::int32_t>(clues_.size());
    clues_.push_back({cell, left});
    clue_cells_.open();
    for (Cell other : graph.neighbours(cell))
      if (covered(other)) clue_cells_.push(other);
  }
  return true;
}

// Looks for a clue whose covered cells are all mined or all safe: the first such clue, or the one
// with the fewest cells.
std::optional<Deduction> Deducer::single(Search search) const {
  std::int64_t best = -1;
  for (std::size_t i = 0; i < clues_.size(); ++i) {
    const std::size_t cells = clue_cells_[i].size();
    if (clues_[i].left != 0 && static_cast<std::size_t>(clues_[i].left) != cells) continue;
    if (best >= 0 && cells >= clue_cells_[static_cast<std::size_t>(best)].size()) continue;
    best = static_cast<std::int64_t>(i);
    if (search == Search::paper) break;
  }
  if (best < 0) return std::nullopt;
  const auto i = static_cast<std::size_t>(best);
  Deduction step{0, {clues_[i].cell}, {}, {}};
  auto& concluded = clues_[i].left == 0 ? step.safe : step.mined;
  concluded.assign(clue_cells_[i].begin(), clue_cells_[i].end());
  return step;
}

std::optional<Deduction> Deducer::several(const Graph& graph, const Question& question,
                                          Search search, bool total, Budget& budget) {
  Question asked = question;
  if (!total) asked.mines = -1;
  const Inference certain = solver_.infer(graph, asked, budget);
  if (certain.safe.empty() && certain.mined.empty()) return std::nullopt;

  const bool safe_first =
      certain.mined.empty() || (!certain.safe.empty() && certain.safe[0] < certain.mined[0]);
  const Cell first = safe_first ? certain.safe[0] : certain.mined[0];
  std::vector<std::uint32_t> clues;
  Candidate found;
  if (search == Search::simplest && !total && smallest(graph, certain, found, budget))
    clues = found.clues;
  else
    clues = drop(graph, question, first, !safe_first, total, budget);

  // Everything that follows from these clues alone.
  keep_only(question, clues);
  asked.cells = buffer_;
  Inference all = solver_.infer(graph, asked, budget);
  Deduction step{total ? 2 : 1, {}, std::move(all.safe), std::move(all.mined)};
  for (std::uint32_t clue : clues) step.clues.push_back(clues_[clue].cell);
  std::sort(step.clues.begin(), step.clues.end());
  return step;
}

// Leaves out the numbers of all other clues; their cells stay open.
void Deducer::keep_only(const Question& question, std::span<const std::uint32_t> clues) {
  buffer_.assign(question.cells.begin(), question.cells.end());
  for (std::uint8_t& code : buffer_)
    if (code <= kMaxNumber) code = kSafe;
  for (std::uint32_t clue : clues) buffer_[clues_[clue].cell] = question.cells[clues_[clue].cell];
}

// Something follows if its opposite is inconsistent.
bool Deducer::follows(const Graph& graph, const Question& question,
                      std::span<const std::uint32_t> clues, Cell cell, bool mined, bool total,
                      Budget& budget) {
  keep_only(question, clues);
  buffer_[cell] = mined ? kSafe : kMined;
  Question asked = question;
  asked.cells = buffer_;
  if (!total) asked.mines = -1;
  return !solver_.consistent(graph, asked, budget);
}

std::vector<std::uint32_t> Deducer::drop(const Graph& graph, const Question& question, Cell cell,
                                         bool mined, bool total, Budget& budget) {
  link_clues(graph);
  std::vector<std::uint32_t> kept;
  if (total) {
    for (std::uint32_t i = 0; i < clues_.size(); ++i) kept.push_back(i);
  } else {
    // Without the total, only clues linked to the cell matter; all others would be dropped anyway.
    std::vector<std::uint8_t> seen(clues_.size(), 0);
    for (Cell near : graph.neighbours(cell))
      if (clue_at_[near] >= 0) {
        kept.push_back(static_cast<std::uint32_t>(clue_at_[near]));
        seen[kept.back()] = 1;
      }
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::uint32_t other : links_[kept[i]])
        if (!seen[other]) seen[other] = 1, kept.push_back(other);
    std::sort(kept.begin(), kept.end());
  }
  for (std::size_t i = 0; i < kept.size();) {
    std::vector<std::uint32_t> fewer(kept);
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (follows(graph, question, fewer, cell, mined, total, budget))
      kept.swap(fewer);
    else
      ++i;
  }
  return kept;
}

void Deducer::link_clues(const Graph& graph) {
  links_.clear();
  std::vector<std::uint32_t> seen(clues_.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < clues_.size(); ++i) {
    links_.open();
    seen[i] = i;
    for (Cell cell : clue_cells_[i])
      for (Cell near : graph.neighbours(cell)) {
        if (clue_at_[near] < 0) continue;
        const auto other = static_cast<std::uint32_t>(clue_at_[near]);
        if (seen[other] != i) seen[other] = i, links_.push(other);
      }
  }
}

// Grows linked sets of clues in order of size, each set once. This is Wernicke's ESU: a set grows
// from its clue of lowest rank, and only by clues to which no earlier member is linked. Every
// minimal set has a clue next to a certain cell. Such clues have the lowest ranks, so only they are
// roots. Returns false if the budget of this search runs out; the set is then found by dropping
// clues.
bool Deducer::smallest(const Graph& graph, const Inference& certain, Candidate& best,
                       Budget& budget) {
  link_clues(graph);
  rank_.assign(clues_.size(), UINT32_MAX);
  std::vector<std::uint32_t> roots;
  for (const auto* cells : {&certain.safe, &certain.mined})
    for (Cell cell : *cells)
      for (Cell near : graph.neighbours(cell)) {
        const std::int32_t clue = clue_at_[near];
        if (clue < 0 || rank_[static_cast<std::size_t>(clue)] != UINT32_MAX) continue;
        rank_[static_cast<std::size_t>(clue)] = static_cast<std::uint32_t>(roots.size());
        roots.push_back(static_cast<std::uint32_t>(clue));
      }
  std::uint32_t next = static_cast<std::uint32_t>(roots.size());
  for (std::uint32_t& rank : rank_)
    if (rank == UINT32_MAX) rank = next++;

  mask_.assign(graph.size(), 0);
  near_.assign(clues_.size(), 0);
  Budget own = budget.part(kMostFilled, budget.left());
  filling_ = &own;
  try {
    const std::size_t most = std::min(kMostClues, clues_.size());
    for (std::size_t size = 2; size <= most; ++size) {
      for (std::uint32_t root : roots) {
        set_.assign(1, root);
        extension_.clear();
        near_[root] = 1;
        for (std::uint32_t other : links_[root])
          if (rank_[other] > rank_[root]) near_[other] = 1, extension_.push_back(other);
        extend(size, 0, best);
        for (std::uint32_t other : extension_) near_[other] = 0;
        near_[root] = 0;
      }
      if (!best.clues.empty()) return true;
    }
  } catch (const OverBudget&) {
    budget.look();
    best = {};
  }
  return false;
}

// Adds each clue of the extension, starting at `from`, and then all that can be added after it.
void Deducer::extend(std::size_t size, std::size_t from, Candidate& best) {
  if (set_.size() == size) {
    std::size_t cells = 0;
    std::vector<std::uint32_t> sorted(set_);
    std::sort(sorted.begin(), sorted.end());
    if (!anything_follows(sorted)) return;
    for (const Box& box : boxes_) cells += static_cast<std::size_t>(box.size);
    if (cells < best.cells || (cells == best.cells && sorted < best.clues))
      best = {std::move(sorted), cells};
    return;
  }
  for (std::size_t i = from; i < extension_.size(); ++i) {
    const std::uint32_t clue = extension_[i];
    const std::size_t before = extension_.size();
    set_.push_back(clue);
    if (set_.size() < size)
      for (std::uint32_t other : links_[clue])
        if (!near_[other] && rank_[other] > rank_[set_[0]])
          near_[other] = 1, extension_.push_back(other);
    extend(size, i + 1, best);
    for (std::size_t j = before; j < extension_.size(); ++j) near_[extension_[j]] = 0;
    extension_.resize(before);
    set_.pop_back();
  }
}

// Returns whether some cell is certain by these clues alone. For each box it looks for two
// witnesses: a way to meet the clues with a mine in the box, and one with a safe cell in it. A box
// that lacks one of them is certain.
bool Deducer::anything_follows(std::span<const std::uint32_t> clues) {
  touched_.clear();
  boxes_.clear();
  left_.clear();
  room_.clear();
  for (std::size_t i = 0; i < clues.size(); ++i) {
    left_.push_back(clues_[clues[i]].left);
    room_.push_back(static_cast<std::int32_t>(clue_cells_[clues[i]].size()));
    for (Cell cell : clue_cells_[clues[i]]) {
      if (mask_[cell] == 0) touched_.push_back(cell);
      mask_[cell] |= std::uint32_t{1} << i;
    }
  }
  for (Cell cell : touched_) {
    auto box = std::find_if(boxes_.begin(), boxes_.end(),
                            [&](const Box& b) { return b.clues == mask_[cell]; });
    if (box == boxes_.end())
      boxes_.push_back({mask_[cell], 1, 0, false, false});
    else
      ++box->size;
    mask_[cell] = 0;
  }
  bool certain = false;
  for (std::size_t b = 0; b < boxes_.size() && !certain; ++b)
    certain = (!boxes_[b].may_be_mined && !reachable(b, true)) ||
              (!boxes_[b].may_be_safe && !reachable(b, false));
  return certain;
}

// Looks for a way to meet the clues with a mine (or a safe cell) in this box, and notes all that
// this way shows to be possible.
bool Deducer::reachable(std::size_t box, bool mined) {
  const Box chosen = boxes_[box];
  const std::int32_t first = mined ? 1 : 0, last = chosen.size - (mined ? 0 : 1);
  bool found = false;
  for (std::int32_t value = first; value <= last && !found; ++value) {
    bool fits = true;
    for (std::uint32_t rest = chosen.clues; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      left_[c] -= value;
      room_[c] -= chosen.size;
      fits &= left_[c] >= 0 && left_[c] <= room_[c];
    }
    boxes_[box].mines = value;
    found = fits && fill(0, box);
    for (std::uint32_t rest = chosen.clues; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      left_[c] += value;
      room_[c] += chosen.size;
    }
  }
  return found;
}

bool Deducer::fill(std::size_t at, std::size_t fixed) {
  filling_->spend(1);
  if (at == boxes_.size()) {
    for (Box& box : boxes_) {
      box.may_be_mined |= box.mines > 0;
      box.may_be_safe |= box.mines < box.size;
    }
    return true;
  }
  if (at == fixed) return fill(at + 1, fixed);
  Box& box = boxes_[at];
  std::int32_t least = 0, most = box.size;
  for (std::uint32_t rest = box.clues; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    least = std::max(least, left_[c] - (room_[c] - box.size));
    most = std::min(most, left_[c]);
  }
  for (std::int32_t value = least; value <= most; ++value) {
    for (std::uint32_t rest = box.clues; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      left_[c] -= value;
      room_[c] -= box.size;
    }
    box.mines = value;
    const bool found = fill(at + 1, fixed);
    for (std::uint32_t rest = box.clues; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      left_[c] += value;
      room_[c] += box.size;
    }
    if (found) return true;
  }
  return false;
}

}  // namespace minewright
