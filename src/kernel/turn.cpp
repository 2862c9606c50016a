#include "turn.hpp"

#include <algorithm>

namespace minewright {

namespace {

constexpr double kNothing = 2.0;  // the chance of a box without uncertain cells

}  // namespace

void Turn::settle(const Graph& graph, const Question& question) {
  safe.clear();
  mined.clear();
  reduced_.run(graph, question);
  mines_ = question.mines - reduced_.mines;
  for (Cell cell : reduced_.settled)
    (reduced_.state[cell] == Reduced::kProvedMined ? mined : safe).push_back(cell);
}

void Turn::take_certain(std::size_t index) {
  const auto boxes = reduced_.component_boxes[index];
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    component_of_[boxes[b]] = static_cast<std::uint32_t>(index);
    const Certainty certain = pool_[index].certain(b);
    if (!certain.safe && !certain.mined) continue;
    auto& list = certain.safe ? safe : mined;
    for (Cell cell : reduced_.members[boxes[b]]) list.push_back(cell);
    chance_[boxes[b]] = kNothing;
  }
}

void Turn::prove(Budget& budget) {
  pool_.clear();
  for (std::size_t i = 0; i < reduced_.component_boxes.size(); ++i) {
    pool_.next(i).take(reduced_, {&i, 1});
    pool_.solve(budget);
  }
  pool_.join.allow(pool_.parts(), rest(), mines_, budget);
  chance_.assign(boxes() + 1, 0.0);
  component_of_.resize(boxes());
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    pool_[i].reach(pool_.part(i), budget);
    take_certain(i);
  }
  if (rest() == 0 || pool_.join.rest_safe || pool_.join.rest_mined) {
    auto& list = pool_.join.rest_safe ? safe : mined;
    list.insert(list.end(), reduced_.rest.begin(), reduced_.rest.end());
    chance_[boxes()] = kNothing;
  }
}

double Turn::chance_of(Cell cell) const {
  for (std::size_t box = 0; box < boxes(); ++box)
    for (Cell member : cells(box))
      if (member == cell) return chance_[box];
  return chance_[boxes()];
}

bool Turn::weigh(Budget& budget) {
  std::int64_t unknown = rest();
  for (std::size_t box = 0; box < boxes(); ++box)
    unknown += static_cast<std::int64_t>(reduced_.members[box].size());
  const auto free = static_cast<double>(std::max<std::int64_t>(1, unknown - mines_));
  odds_ = std::clamp(static_cast<double>(mines_) / free, 1e-3, 1e3);
  for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i].climb(odds_, pool_.part(i), budget);
  pool_.join.weigh(pool_.parts(), rest(), mines_, odds_, budget);
  bool in_range = pool_.join.in_range;
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    in_range &= pool_[i].descend(odds_, pool_.part(i), budget);
    const auto boxes = reduced_.component_boxes[i];
    for (std::size_t b = 0; b < boxes.size(); ++b)
      if (chance_[boxes[b]] != kNothing)
        chance_[boxes[b]] = pool_[i].expected(b) / pool_[i].component.size[b];
  }
  if (chance_[boxes()] != kNothing) chance_[boxes()] = pool_.join.rest_probability;
  return in_range;
}

}  // namespace minewright
