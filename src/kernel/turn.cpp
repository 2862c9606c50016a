#include "turn.hpp"

#include <algorithm>
#include <cmath>

namespace minewright {

namespace {

constexpr double kNothing = 2.0;  // the chance of what holds no uncertain cell

}  // namespace

void Turn::settle(const Graph& graph, const Question& question) {
  safe.clear();
  mined.clear();
  reduced_.run(graph, question);
  mines_ = question.mines - reduced_.mines;
  for (Cell cell : reduced_.settled)
    (reduced_.state[cell] == Reduced::kProvedMined ? mined : safe).push_back(cell);
}

void Turn::solve(Budget& budget) {
  count_ = reduced_.component_boxes.size();
  while (solved_.size() < count_) solved_.push_back(std::make_unique<Solved>());
  if (parts_.size() < count_) parts_.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    Solved& solved = *solved_[i];
    solved.index = i;
    solved.component.take(reduced_, {&i, 1});
    solved.build(planner_, budget);
    solved.describe(parts_[i]);
  }
  join_.allow(parts(), rest(), mines_, budget);
}

void Turn::take_certain(std::size_t index) {
  const auto boxes = reduced_.component_boxes[index];
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Certainty certain = solved_[index]->certain(b);
    if (!certain.safe && !certain.mined) continue;
    auto& list = certain.safe ? safe : mined;
    for (Cell cell : reduced_.members[boxes[b]]) list.push_back(cell);
    chance_[boxes[b]] = kNothing;
  }
}

void Turn::prove(Budget& budget) {
  solve(budget);
  chance_.assign(boxes() + 1, 0.0);
  for (std::size_t i = 0; i < count_; ++i) {
    solved_[i]->reach(parts_[i], budget);
    take_certain(i);
  }
  if (rest() == 0 || join_.rest_safe || join_.rest_mined) {
    auto& list = join_.rest_safe ? safe : mined;
    list.insert(list.end(), reduced_.rest.begin(), reduced_.rest.end());
    chance_[boxes()] = kNothing;
  }
}

void Turn::climb(Budget& budget) {
  std::int64_t unknown = rest();
  for (std::size_t box = 0; box < boxes(); ++box)
    unknown += static_cast<std::int64_t>(reduced_.members[box].size());
  const auto free = static_cast<double>(std::max<std::int64_t>(1, unknown - mines_));
  odds_ = std::clamp(static_cast<double>(mines_) / free, 1e-3, 1e3);
  for (std::size_t i = 0; i < count_; ++i) solved_[i]->climb(odds_, parts_[i], budget);
  join_.weigh(parts(), rest(), mines_, odds_, budget);
}

bool Turn::weigh(Budget& budget) {
  climb(budget);
  bool in_range = join_.in_range;
  for (std::size_t i = 0; i < count_; ++i) {
    in_range &= solved_[i]->descend(odds_, parts_[i], budget);
    const auto boxes = reduced_.component_boxes[i];
    for (std::size_t b = 0; b < boxes.size(); ++b)
      if (chance_[boxes[b]] != kNothing)
        chance_[boxes[b]] = solved_[i]->expected(b) / solved_[i]->component.size[b];
  }
  if (chance_[boxes()] != kNothing) chance_[boxes()] = join_.rest_probability;
  return in_range;
}

// How many cells are safe whatever the reached states are.
std::int64_t Turn::certainly_safe() const {
  std::int64_t count = join_.rest_safe ? rest() : 0;
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t b = 0; b < solved_[i]->component.size.size(); ++b)
      if (solved_[i]->certain(b).safe) count += solved_[i]->component.size[b];
  return count;
}

Prospect Turn::prospect(Budget& budget) {
  solve(budget);
  Prospect result;
  const auto settled = static_cast<std::int64_t>(safe.size());
  const auto add = [&](double chance, std::int64_t count) {
    if (count > 0) result.progress += chance;
    result.expected += chance * static_cast<double>(count);
    if (chance > 0) result.information -= chance * std::log2(chance);
  };
  if (reduced_.observed_constraint < 0) {
    // Nothing uncertain around the cell: it can show one number only.
    for (std::size_t i = 0; i < count_; ++i) solved_[i]->reach(parts_[i], budget);
    add(1.0, settled + certainly_safe());
    return result;
  }
  climb(budget);
  std::size_t watched = 0;
  while (solved_[watched]->component.observed < 0) ++watched;
  const Solved& solved = *solved_[watched];
  const Table& table = solved.table;
  Part& part = parts_[watched];
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
  possible_ = part.possible;
  for (std::uint32_t s = first; s < end; ++s) {
    const Range& range = table.states[s];
    std::fill(part.possible.begin(), part.possible.end(), 0);
    or_shifted_up(part.possible.data(), part.possible.size(), &table.support[range.word],
                  words_for(static_cast<std::size_t>(range.length)),
                  static_cast<std::size_t>(range.low - part.low));
    if (!join_.allow(parts(), rest(), mines_, budget)) continue;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i == watched)
        solved_[i]->reach(parts_[i], s, s + 1, budget);
      else
        solved_[i]->reach(parts_[i], budget);
    }
    add(numbers_[s - first] / total, settled + certainly_safe());
  }
  part.possible = possible_;
  return result;
}

}  // namespace minewright
