#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace minewright {

double uncertain(double p) { return std::clamp(p, 0x1p-1022, 1.0 - 0x1p-53); }

std::vector<Cell> Solver::cells_of(std::size_t index) const {
  std::vector<Cell> cells;
  for (std::uint32_t box : reduced_.component_boxes[index])
    for (Cell cell : reduced_.members[box]) cells.push_back(cell);
  std::sort(cells.begin(), cells.end());
  return cells;
}

bool Solver::prepare(const Graph& graph, const Question& question) {
  pool_.clear();
  reduced_.run(graph, question);
  if (!reduced_.consistent) return false;
  mines_left_ = question.mines < 0 ? -1 : question.mines - reduced_.mines;
  if (question.mines >= 0 && mines_left_ < 0) return false;

  std::int64_t unknown = rest();
  for (std::size_t box = 0; box < reduced_.members.size(); ++box)
    unknown += static_cast<std::int64_t>(reduced_.members[box].size());
  odds_ = 1.0;
  if (mines_left_ >= 0 && unknown > 0) {
    const auto free = static_cast<double>(std::max<std::int64_t>(1, unknown - mines_left_));
    odds_ = std::clamp(static_cast<double>(mines_left_) / free, 1e-3, 1e3);
  }
  return true;
}

bool Solver::solve_component(std::size_t index, Budget& budget) {
  pool_.next(index).take(reduced_, {&index, 1});
  return pool_.solve(budget);
}

bool Solver::solve(const Graph& graph, const Question& question, Budget& budget) {
  if (!prepare(graph, question)) return false;
  for (std::size_t i = 0; i < reduced_.component_boxes.size(); ++i) {
    try {
      if (!solve_component(i, budget)) return false;
    } catch (const OverBudget&) {
      throw TooHard(cells_of(i), budget);
    }
  }
  return pool_.join.allow(pool_.parts(), rest(), mines_left_, budget);
}

bool Solver::consistent(const Graph& graph, const Question& question, Budget& budget) {
  return solve(graph, question, budget);
}

void Solver::weigh(Budget& budget) {
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    try {
      pool_[i].climb(odds_, pool_.part(i), budget);
    } catch (const OverBudget&) {
      throw TooHard(cells_of(pool_[i].index), budget);
    }
  }
  pool_.join.weigh(pool_.parts(), rest(), mines_left_, odds_, budget);
}

void Solver::answer_settled(Inference& result) const {
  for (Cell cell : reduced_.settled)
    result.probability[cell] = reduced_.state[cell] == Reduced::kProvedMined ? 1.0 : 0.0;
}

void Solver::answer_component(std::size_t i, Inference& result, Budget& budget) {
  Solved& solved = pool_[i];
  try {
    solved.reach(pool_.part(i), budget);
    result.in_range &= solved.descend(odds_, pool_.part(i), budget);
  } catch (const OverBudget&) {
    throw TooHard(cells_of(solved.index), budget);
  }
  const auto boxes = reduced_.component_boxes[solved.index];
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Certainty certain = solved.certain(b);
    const double p = certain.safe    ? 0.0
                     : certain.mined ? 1.0
                                     : uncertain(solved.expected(b) / solved.component.size[b]);
    for (Cell cell : reduced_.members[boxes[b]]) {
      result.probability[cell] = p;
      if (certain.safe) reduced_.state[cell] = Reduced::kProvedSafe;
      if (certain.mined) reduced_.state[cell] = Reduced::kProvedMined;
    }
  }
}

void Solver::answer_rest(Inference& result) {
  const double p = pool_.join.rest_safe    ? 0.0
                   : pool_.join.rest_mined ? 1.0
                                           : uncertain(pool_.join.rest_probability);
  for (Cell cell : reduced_.rest) {
    result.probability[cell] = p;
    if (pool_.join.rest_safe) reduced_.state[cell] = Reduced::kProvedSafe;
    if (pool_.join.rest_mined) reduced_.state[cell] = Reduced::kProvedMined;
  }
}

void Solver::finish(const Question& question, Inference& result) const {
  for (Cell cell = 0; cell < reduced_.state.size(); ++cell) {
    if (reduced_.state[cell] == Reduced::kProvedSafe) result.safe.push_back(cell);
    // A cell with the code `kMined` is not covered; one with a trusted mark is.
    if (reduced_.state[cell] == Reduced::kProvedMined && question.cells[cell] != kMined) {
      result.mined.push_back(cell);
      result.probability[cell] = 1.0;
      if (result.approximate) result.error[cell] = 0.0;
    }
    // A certain mine is never the best cell, even if there are no others.
    if (!std::isnan(result.probability[cell]) && reduced_.state[cell] != Reduced::kProvedMined &&
        (result.best < 0 ||
         result.probability[cell] < result.probability[static_cast<Cell>(result.best)]))
      result.best = cell;
  }
}

Inference Solver::infer(const Graph& graph, const Question& question, Budget& budget) {
  Inference result;
  result.probability.assign(graph.size(), std::numeric_limits<double>::quiet_NaN());
  result.consistent = solve(graph, question, budget);
  result.states = budget.used();
  if (result.consistent) conclude(question, result, budget);
  return result;
}

void Solver::conclude(const Question& question, Inference& result, Budget& budget) {
  result.consistent = true;
  weigh(budget);
  result.in_range = pool_.join.in_range;
  answer_settled(result);
  for (std::size_t i = 0; i < pool_.size(); ++i) answer_component(i, result, budget);
  answer_rest(result);
  finish(question, result);
}

std::vector<double> Solver::numbers(const Graph& graph, const Question& question, Budget& budget) {
  if (!solve(graph, question, budget)) return {};
  const auto near = graph.neighbours(question.observed);
  std::vector<double> result(near.size() + 1, 0.0);
  std::size_t known = 0;
  for (Cell cell : near) known += reduced_.state[cell] == Reduced::kProvedMined;
  if (reduced_.observed_constraint < 0) {
    result[known] = 1.0;
    return result;
  }
  weigh(budget);
  std::size_t watched = 0;
  while (pool_[watched].component.observed < 0) ++watched;
  const StateTable& table = pool_[watched].table;
  const auto& ways = pool_[watched].weights.up;
  const Part& part = pool_.part(watched);
  double total = 0;
  for (auto s = table.root().first_state; s < table.root().end_state; ++s) {
    const Range& range = table.states[s];
    double weight = 0;
    for (std::int32_t k = 0; k < range.length; ++k)
      weight += ways[range.offset + static_cast<std::uint32_t>(k)] *
                part.weight[static_cast<std::size_t>(range.low - part.low + k)];
    const auto amount = static_cast<std::size_t>(table.root_amount[s - table.root().first_state]);
    result[known + amount] += weight;
    total += weight;
  }
  for (double& p : result) p /= total;
  return result;
}

}  // namespace minewright
