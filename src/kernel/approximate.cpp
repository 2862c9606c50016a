// Answers for positions with components that are too hard to solve. Those are sampled.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "infer.hpp"
#include "walks.hpp"

namespace minewright {

namespace {

// The walks may try this many pairs of states, or the budget's if that is more: a few seconds. With
// far fewer they seldom agree.
constexpr std::uint64_t kWalkStates = 400'000'000;
// Components that turn out too hard may together use up this many budgets of states.
constexpr std::uint64_t kTries = 4;

}  // namespace

// Components within the budget are solved exactly. The others together become one part of the join,
// whose ways the walks estimate.
Inference Solver::approximate(const Graph& graph, const Question& question, std::uint64_t seed,
                              Budget& budget) {
  Inference result;
  result.probability.assign(graph.size(), std::numeric_limits<double>::quiet_NaN());
  if (!prepare(graph, question)) return result;
  std::vector<std::size_t> hard;
  std::uint64_t solved = 0, wasted = 0;
  for (std::size_t i = 0; i < reduced_.component_boxes.size(); ++i) {
    Budget own = budget.part(std::min(budget.states() - solved, kTries * budget.states() - wasted),
                             budget.left());
    std::uint64_t* spent = &solved;
    try {
      if (!solve_component(i, own)) return result;
    } catch (const OutOfTime&) {
      throw TooHard(cells_of(i), budget);
    } catch (const OverBudget&) {
      hard.push_back(i);
      spent = &wasted;
    }
    *spent += std::min(own.used(), own.states());
    budget.add(own);
  }
  result.states = budget.used();
  if (hard.empty()) {
    if (pool_.join.allow(pool_.parts(), rest(), mines_left_, budget))
      conclude(question, result, budget);
    return result;
  }

  Component component;
  component.take(reduced_, hard);
  Walks walks(component, odds_, seed);
  Budget walking = budget.part(std::max(budget.states(), kWalkStates), budget.left());
  // Nothing is proved about the hard part, so it may hold any number of mines. The solved
  // components then claim nothing that depends on it.
  const std::size_t easy = pool_.size();
  Part& part = pool_.add_part();
  std::vector<double> weight;
  try {
    walks.start(walking);
    // Guess that its ways peak where the first walk starts. This only keeps the numbers of the join
    // in range.
    const std::size_t most = walks.most();
    part.low = 0;
    part.possible.assign(words_for(most + 1), 0);
    part.ways.resize(most + 1);
    for (std::size_t k = 0; k <= most; ++k) {
      set_bit(part.possible.data(), k);
      const double distance = static_cast<double>(k) - static_cast<double>(walks.mines());
      part.ways[k] = std::exp(-std::abs(distance) / (2 * std::sqrt(static_cast<double>(most)) + 4));
    }
    if (!pool_.join.allow(pool_.parts(), rest(), mines_left_, budget)) return result;
    for (std::size_t i = 0; i < easy; ++i) pool_[i].climb(odds_, pool_.part(i), budget);
    pool_.join.weigh(pool_.parts(), rest(), mines_left_, odds_, budget);
    weight = part.weight;
    walks.steer(weight, walking);
    walks.run(walking);
    budget.add(walking);
  } catch (const Disagreement&) {
    budget.add(walking);
    throw WalksDisagree(cells_of(hard[0]), budget);
  } catch (const OverBudget&) {
    budget.add(walking);
    throw TooHard(cells_of(hard[0]), budget);
  }
  result.states = budget.used();
  result.consistent = result.approximate = true;

  // Answer the solved components and the rest once per walk. The spread is their error.
  std::vector<Inference> per_walk(Walks::kWalks, result);
  for (std::size_t i = 0; i < Walks::kWalks; ++i) {
    const std::vector<double>& totals = walks.totals(i);
    for (std::size_t k = 0; k < totals.size(); ++k)
      part.ways[k] = weight[k] > 0 ? totals[k] / weight[k] : 0.0;
    const double peak = *std::max_element(part.ways.begin(), part.ways.end());
    for (double& ways : part.ways) ways /= peak;
    pool_.join.weigh(pool_.parts(), rest(), mines_left_, odds_, budget);
    if (!pool_.join.in_range) throw TooHard(cells_of(hard[0]), budget);
    for (std::size_t j = 0; j < easy; ++j) answer_component(j, per_walk[i], budget);
    answer_rest(per_walk[i]);
  }

  result.error.assign(graph.size(), std::numeric_limits<double>::quiet_NaN());
  answer_settled(result);
  for (Cell cell = 0; cell < graph.size(); ++cell) {
    if (!std::isnan(result.probability[cell])) result.error[cell] = 0.0;
    if (std::isnan(per_walk[0].probability[cell])) continue;
    if (reduced_.state[cell] != Reduced::kUnknown) {
      result.probability[cell] = per_walk[0].probability[cell];
      result.error[cell] = 0.0;
      continue;
    }
    std::array<double, Walks::kWalks> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = per_walk[i].probability[cell];
    const Estimate found = walks.combine(values);
    result.probability[cell] = found.mean;
    result.error[cell] = found.error;
  }
  std::size_t b = 0;
  for (std::size_t index : hard)
    for (std::uint32_t box : reduced_.component_boxes[index]) {
      const auto size = static_cast<double>(component.size[b]);
      const Estimate found = walks.box(b++);
      for (Cell cell : reduced_.members[box]) {
        result.probability[cell] = uncertain(found.mean / size);
        result.error[cell] = found.error / size;
      }
    }
  finish(question, result);
  return result;
}

}  // namespace minewright
