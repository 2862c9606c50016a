#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace minewright {

namespace {

// Plans that look cheaper than this (log2 of pairs of states) are not worth a second look.
constexpr double kEasy = 13.0;
constexpr int kPlans = 12;

}  // namespace

std::vector<Cell> Solver::cells_of(std::size_t index) const {
  std::vector<Cell> cells;
  for (std::uint32_t box : reduced_.component_boxes[index])
    for (Cell cell : reduced_.members[box]) cells.push_back(cell);
  std::sort(cells.begin(), cells.end());
  return cells;
}

void Solver::build(std::size_t index, Budget& budget) {
  Solved& solved = *solved_[index];
  solved.component.take(reduced_, index);
  double work = planner_.plan(solved.component, solved.merges);
  if (work > kEasy) {
    Random random(index);
    const int plans = work > 20 ? 4 * kPlans : kPlans;
    for (int i = 0; i < plans; ++i) {
      const double other = planner_.plan(solved.component, other_merges_, &random);
      if (other < work) work = other, solved.merges.swap(other_merges_);
    }
  }
  try {
    solved.table.build(solved.component, solved.merges, budget);
  } catch (const OverBudget&) {
    throw TooHard(cells_of(index), budget.used, budget.elapsed());
  }
}

// The component's polynomial: its root states together (several only if a cell is observed).
void Solver::fill_part(std::size_t index) {
  Solved& solved = *solved_[index];
  const Table& table = solved.table;
  Part& part = part_pool_[index];
  const Node& root = table.root();
  std::int32_t low = INT32_MAX, end = 0;
  for (std::uint32_t s = root.first_state; s < root.end_state; ++s) {
    low = std::min(low, table.states[s].low);
    end = std::max(end, table.states[s].low + table.states[s].length);
  }
  const auto length = static_cast<std::size_t>(end - low);
  part.low = low;
  part.ways.assign(length, 0.0);
  part.possible.assign(words_for(length), 0);
  for (std::uint32_t s = root.first_state; s < root.end_state; ++s) {
    const Range& range = table.states[s];
    or_shifted_up(part.possible.data(), part.possible.size(), &table.support[range.word],
                  words_for(static_cast<std::size_t>(range.length)),
                  static_cast<std::size_t>(range.low - low));
  }
}

bool Solver::solve(const Graph& graph, const Question& question, Budget& budget) {
  reduced_.run(graph, question);
  if (!reduced_.consistent) return false;
  mines_left_ = question.mines < 0 ? -1 : question.mines - reduced_.mines;
  if (question.mines >= 0 && mines_left_ < 0) return false;
  count_ = reduced_.component_boxes.size();
  while (solved_.size() < count_) solved_.push_back(std::make_unique<Solved>());
  if (part_pool_.size() < count_) part_pool_.resize(count_);

  std::int64_t unknown = static_cast<std::int64_t>(reduced_.rest.size());
  for (std::size_t box = 0; box < reduced_.members.size(); ++box)
    unknown += static_cast<std::int64_t>(reduced_.members[box].size());
  odds_ = 1.0;
  if (mines_left_ >= 0 && unknown > 0)
    odds_ = std::clamp(static_cast<double>(mines_left_) /
                           std::max(1.0, static_cast<double>(unknown - mines_left_)),
                       1e-3, 1e3);

  for (std::size_t i = 0; i < count_; ++i) {
    build(i, budget);
    if (solved_[i]->table.root().first_state == solved_[i]->table.root().end_state) return false;
    fill_part(i);
  }
  return join_.allow({part_pool_.data(), count_}, static_cast<std::int64_t>(reduced_.rest.size()),
                     mines_left_);
}

bool Solver::consistent(const Graph& graph, const Question& question, Budget& budget) {
  return solve(graph, question, budget);
}

// Which mine counts of each state occur in a consistent minefield: from the root down, on bits.
void Solver::reach(std::size_t index) {
  Solved& solved = *solved_[index];
  const Table& table = solved.table;
  const Part& part = part_pool_[index];
  auto& reachable = solved.reachable;
  reachable.assign(table.support.size(), 0);
  const auto words = [](const Range& range) {
    return words_for(static_cast<std::size_t>(range.length));
  };
  for (std::uint32_t s = table.root().first_state; s < table.root().end_state; ++s) {
    const Range& range = table.states[s];
    or_shifted_down(&reachable[range.word], words(range), part.allowed.data(), part.allowed.size(),
                    static_cast<std::size_t>(range.low - part.low));
  }
  for (std::size_t n = table.nodes.size(); n-- > 0;) {
    const Node& node = table.nodes[n];
    // Shifting may have brought in counts that the state cannot have.
    if (node.first_state < node.end_state) {
      const Range& last = table.states[node.end_state - 1];
      for (std::size_t w = table.states[node.first_state].word; w < last.word + words(last); ++w)
        reachable[w] &= table.support[w];
    }
    for (std::uint32_t i = node.first_triple; i < node.end_triple; ++i) {
      const Triple& t = table.triples[i];
      const Range &x = table.states[t.left], &y = table.states[t.right];
      const Range& z = table.states[t.merged];
      const auto base = static_cast<std::size_t>(x.low + y.low - z.low);
      for_each_bit(&table.support[y.word], words(y), [&](std::size_t j) {
        or_shifted_down(&reachable[x.word], words(x), &reachable[z.word], words(z), base + j);
      });
      for_each_bit(&table.support[x.word], words(x), [&](std::size_t j) {
        or_shifted_down(&reachable[y.word], words(y), &reachable[z.word], words(z), base + j);
      });
    }
  }
}

// Carries the join's weights down to the boxes. False if doubles could not hold the numbers.
bool Solver::descend(std::size_t index) {
  Solved& solved = *solved_[index];
  const Table& table = solved.table;
  const Part& part = part_pool_[index];
  auto& weights = solved.weights;
  weights.down.assign(weights.up.size(), 0.0);
  for (std::uint32_t s = table.root().first_state; s < table.root().end_state; ++s) {
    const Range& range = table.states[s];
    for (std::int32_t k = 0; k < range.length; ++k)
      weights.down[range.offset + static_cast<std::uint32_t>(k)] =
          part.weight[static_cast<std::size_t>(range.low - part.low + k)];
  }
  weights.descend(table, solved.component.size.size(), Reals{odds_});

  // Only wide tables can reach beyond the doubles. There, what underflow lost is at most the
  // smallest double times the largest partner: it must be nothing beside the whole.
  if (solved.exponent == 0 && part.ways.size() < 48) return true;
  for (const Node& node : table.nodes) {
    const Range& first = table.states[node.first_state];
    const Range& last = table.states[node.end_state - 1];
    double up = 0, down = 0, whole = 0;
    for (auto i = first.offset; i < last.offset + static_cast<std::uint32_t>(last.length); ++i) {
      up = std::max(up, weights.up[i]);
      down = std::max(down, weights.down[i]);
      whole += weights.up[i] * weights.down[i];
    }
    if (!(whole > 1e-280 * std::max(up, down)) || !std::isfinite(whole)) return false;
  }
  return true;
}

// How many minefields stand behind the mine counts of each component, and what they weigh.
void Solver::weigh() {
  for (std::size_t i = 0; i < count_; ++i) {
    Solved& solved = *solved_[i];
    solved.exponent = solved.weights.climb(solved.table, solved.component, Reals{odds_});
    Part& part = part_pool_[i];
    for (auto s = solved.table.root().first_state; s < solved.table.root().end_state; ++s) {
      const Range& range = solved.table.states[s];
      for (std::int32_t k = 0; k < range.length; ++k)
        part.ways[static_cast<std::size_t>(range.low - part.low + k)] +=
            solved.weights.up[range.offset + static_cast<std::uint32_t>(k)];
    }
  }
  join_.weigh({part_pool_.data(), count_}, static_cast<std::int64_t>(reduced_.rest.size()),
              mines_left_, odds_);
}

Inference Solver::infer(const Graph& graph, const Question& question, Budget& budget) {
  Inference result;
  result.consistent = solve(graph, question, budget);
  result.states = budget.used;
  const std::size_t n = graph.size();
  result.probability.assign(n, std::numeric_limits<double>::quiet_NaN());
  if (!result.consistent) return result;
  auto& state = reduced_.state;
  for (Cell cell : reduced_.settled)
    result.probability[cell] = state[cell] == Reduced::kProvedMined ? 1.0 : 0.0;

  weigh();
  result.in_range = join_.in_range;

  // Never the look of certainty without a proof.
  const auto uncertain = [](double p) { return std::clamp(p, 0x1p-1022, 1.0 - 0x1p-53); };
  for (std::size_t i = 0; i < count_; ++i) {
    reach(i);
    result.in_range &= descend(i);
    const Solved& solved = *solved_[i];
    const auto boxes = reduced_.component_boxes[i];
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Node& node = solved.table.nodes[b];
      const std::int32_t size = solved.component.size[b];
      bool all_safe = true, all_mined = true;
      double total = 0, mined = 0;
      for (std::uint32_t s = node.first_state; s < node.end_state; ++s) {
        const Range& range = solved.table.states[s];
        if ((solved.reachable[range.word] & 1) == 0) continue;
        all_safe &= range.low == 0;
        all_mined &= range.low == size;
        const double weight = solved.weights.up[range.offset] * solved.weights.down[range.offset];
        total += weight;
        mined += weight * range.low;
      }
      const double p = all_safe ? 0.0 : all_mined ? 1.0 : uncertain(mined / total / size);
      for (Cell cell : reduced_.members[boxes[b]]) {
        result.probability[cell] = p;
        if (all_safe) state[cell] = Reduced::kProvedSafe;
        if (all_mined) state[cell] = Reduced::kProvedMined;
      }
    }
  }
  const double p = join_.rest_safe    ? 0.0
                   : join_.rest_mined ? 1.0
                                      : uncertain(join_.rest_probability);
  for (Cell cell : reduced_.rest) {
    result.probability[cell] = p;
    if (join_.rest_safe) state[cell] = Reduced::kProvedSafe;
    if (join_.rest_mined) state[cell] = Reduced::kProvedMined;
  }
  for (Cell cell = 0; cell < n; ++cell) {
    if (state[cell] == Reduced::kProvedSafe) result.safe.push_back(cell);
    // What is mined by its code is no covered cell; what is mined by a trusted mark is.
    if (state[cell] == Reduced::kProvedMined && question.cells[cell] != kMined) {
      result.mined.push_back(cell);
      result.probability[cell] = 1.0;
    }
    if (!std::isnan(result.probability[cell]) &&
        (result.best < 0 ||
         result.probability[cell] < result.probability[static_cast<Cell>(result.best)]))
      result.best = cell;
  }
  return result;
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
  weigh();
  std::size_t watched = 0;
  while (solved_[watched]->component.observed < 0) ++watched;
  const Table& table = solved_[watched]->table;
  const Part& part = part_pool_[watched];
  double total = 0;
  for (auto s = table.root().first_state; s < table.root().end_state; ++s) {
    const Range& range = table.states[s];
    double weight = 0;
    for (std::int32_t k = 0; k < range.length; ++k)
      weight += solved_[watched]->weights.up[range.offset + static_cast<std::uint32_t>(k)] *
                part.weight[static_cast<std::size_t>(range.low - part.low + k)];
    const auto amount = static_cast<std::size_t>(table.root_amount[s - table.root().first_state]);
    result[known + amount] += weight;
    total += weight;
  }
  for (double& p : result) p /= total;
  return result;
}

}  // namespace minewright
