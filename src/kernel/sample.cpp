#include "sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "infer.hpp"

namespace minewright {

namespace {

// Pairs of states for one block: a millisecond or so.
constexpr std::uint64_t kBlockStates = 100'000;

}  // namespace

// Focused local search: take a constraint that is not met, change one of its boxes towards it by
// one mine, and keep the change unless it makes too much worse elsewhere. `noise` is how much.
bool Sampler::search(Random& random, std::uint64_t steps, double noise) {
  const std::size_t boxes = component_.size.size(), count = component_.constraints.size();
  value_.resize(boxes);
  excess_.resize(count);
  for (std::size_t c = 0; c < count; ++c) excess_[c] = -component_.constraints[c].low;
  for (std::uint32_t box = 0; box < boxes; ++box) {
    value_[box] = 0;
    for (std::int32_t cell = 0; cell < component_.size[box]; ++cell)
      value_[box] += random.uniform() * (1 + odds_) < odds_;
    for (std::uint32_t c : component_.box_constraints[box]) excess_[c] += value_[box];
  }
  // The constraints not met, in no order, and where each stands in that list.
  std::vector<std::uint32_t> unmet, at(count, UINT32_MAX);
  const auto book = [&](std::uint32_t c) {
    if ((excess_[c] != 0) == (at[c] != UINT32_MAX)) return;
    if (excess_[c] != 0) {
      at[c] = static_cast<std::uint32_t>(unmet.size());
      unmet.push_back(c);
    } else {
      at[unmet.back()] = at[c];
      unmet[at[c]] = unmet.back();
      unmet.pop_back();
      at[c] = UINT32_MAX;
    }
  };
  for (std::uint32_t c = 0; c < count; ++c) book(c);

  while (!unmet.empty() && steps-- > 0) {
    const std::uint32_t constraint = unmet[random.below(unmet.size())];
    const std::int32_t step = excess_[constraint] > 0 ? -1 : 1;
    const auto members = component_.constraint_boxes[constraint];
    const std::uint32_t box = members[random.below(members.size())];
    const std::int32_t value = value_[box] + step;
    if (value < 0 || value > component_.size[box]) continue;
    std::int32_t worse = 0;
    for (std::uint32_t c : component_.box_constraints[box])
      worse += std::abs(excess_[c] + step) - std::abs(excess_[c]);
    if (worse > 0 && random.uniform() >= std::exp(-worse / noise)) continue;
    value_[box] = value;
    for (std::uint32_t c : component_.box_constraints[box]) excess_[c] += step, book(c);
  }
  return unmet.empty();
}

void Sampler::start(Random& random, Budget& budget) {
  // Several short searches with different noise find what one long search misses.
  constexpr double kNoise[] = {0.45, 0.3, 0.6, 0.2};
  const std::size_t boxes = component_.size.size();
  std::uint64_t steps = 200 * boxes;
  for (std::size_t attempt = 0; !search(random, steps, kNoise[attempt % 4]); ++attempt) {
    budget.look();
    if (attempt % 4 == 3) steps *= 2;
  }
  mines_ = std::accumulate(value_.begin(), value_.end(), std::int64_t{0});
  expected.assign(boxes, 0.0);
  draws.assign(boxes, 0);
  const auto cells =
      std::accumulate(component_.size.begin(), component_.size.end(), std::size_t{0});
  totals.assign(cells + 1, 0.0);
  place_.assign(boxes, -1);
  constraint_place_.assign(component_.constraints.size(), -1);
}

// Takes the weights, and walks to a total that has one: then the assignment is part of a whole
// minefield. If no such total is reached, the budget ends it; nothing is claimed.
void Sampler::steer(std::span<const double> weight, Random& random, Budget& budget) {
  std::vector<double> towards(weight.size(), 0.0);
  double pull = 0;
  for (std::size_t k = 0; k < weight.size(); ++k)
    towards[k] = pull = weight[k] > 0 ? 1.0 : pull / 4;
  pull = 0;
  for (std::size_t k = weight.size(); k-- > 0;) {
    pull = weight[k] > 0 ? 1.0 : pull / 4;
    towards[k] = std::max({towards[k], pull, 1e-250});
  }
  weight_ = towards;
  while (weight[static_cast<std::size_t>(mines_)] <= 0) sweep(random, budget);
  weight_ = weight;
}

// A block of linked boxes around the seed, nearest first, ties at random.
void Sampler::pick_block(std::uint32_t seed, Random& random) {
  block_.assign(1, seed);
  place_[seed] = 0;
  std::vector<std::uint32_t> next;
  for (std::size_t i = 0; i < block_.size() && block_.size() < block_size_; ++i) {
    next.clear();
    for (std::uint32_t c : component_.box_constraints[block_[i]])
      for (std::uint32_t other : component_.constraint_boxes[c])
        if (place_[other] < 0) place_[other] = 0, next.push_back(other);
    random.shuffle(next);
    for (std::uint32_t box : next) {
      if (block_.size() < block_size_)
        block_.push_back(box);
      else
        place_[box] = -1;
    }
  }
  for (std::uint32_t box : block_) place_[box] = -1;
}

// The block as a component of its own: constraints need what the boxes around leave over.
void Sampler::fill_block() {
  Component& own = solved_.component;
  own.size.clear();
  own.box_constraints.clear();
  own.constraint_boxes.clear();
  own.constraints.clear();
  own.cells.clear();
  own.observed = -1;
  block_constraints_.clear();
  for (std::uint32_t box : block_) {
    own.size.push_back(component_.size[box]);
    own.box_constraints.open();
    for (std::uint32_t c : component_.box_constraints[box]) {
      if (constraint_place_[c] < 0) {
        constraint_place_[c] = static_cast<std::int32_t>(block_constraints_.size());
        block_constraints_.push_back(c);
      }
      own.box_constraints.push(static_cast<std::uint32_t>(constraint_place_[c]));
    }
  }
  for (std::uint32_t c : block_constraints_) {
    Constraint bounds = component_.constraints[c];
    std::int32_t cells = 0;
    own.constraint_boxes.open();
    for (std::uint32_t box : component_.constraint_boxes[c]) {
      if (place_[box] < 0) {
        bounds.low -= value_[box];
        bounds.high -= value_[box];
      } else {
        cells += component_.size[box];
        own.constraint_boxes.push(static_cast<std::uint32_t>(place_[box]));
      }
    }
    own.constraints.push_back(bounds);
    own.cells.push_back(cells);
    constraint_place_[c] = -1;
  }
}

// Draws the block's boxes from the root of its table down to the leaves.
void Sampler::draw_block(Random& random) {
  const Table& table = solved_.table;
  const auto& up = solved_.weights.up;
  const Range& root = table.states[table.root().first_state];
  const auto pick = [&](auto&& weight_of, std::size_t n) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) total += weight_of(i);
    double left = random.uniform() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = weight_of(i);
      if (weight <= 0) continue;
      last = i;
      left -= weight;
      if (left < 0) break;
    }
    return last;
  };
  const std::size_t k = pick([&](std::size_t i) { return up[root.offset + i] * part_.weight[i]; },
                             static_cast<std::size_t>(root.length));

  struct Pending {
    std::uint32_t node, state;
    std::int32_t mines;
  };
  const auto boxes = static_cast<std::uint32_t>(block_.size());
  std::vector<Pending> pending{{static_cast<std::uint32_t>(table.nodes.size() - 1),
                                table.root().first_state, root.low + static_cast<std::int32_t>(k)}};
  while (!pending.empty()) {
    const Pending at = pending.back();
    pending.pop_back();
    if (at.node < boxes) {
      value_[block_[at.node]] = at.mines;
      continue;
    }
    const Node& node = table.nodes[at.node];
    // Every way the state arises: a triple, and how its mines are split.
    struct Way {
      std::uint32_t triple;
      std::int32_t left;
      double weight;
    };
    std::vector<Way> ways;
    for (auto t = node.first_triple; t < node.end_triple; ++t) {
      const Triple& triple = table.triples[t];
      if (triple.merged != at.state) continue;
      const Range &x = table.states[triple.left], &y = table.states[triple.right];
      for (std::int32_t i = 0; i < x.length; ++i) {
        const std::int32_t j = at.mines - (x.low + i) - y.low;
        if (j < 0 || j >= y.length) continue;
        ways.push_back({t, x.low + i,
                        up[x.offset + static_cast<std::uint32_t>(i)] *
                            up[y.offset + static_cast<std::uint32_t>(j)]});
      }
    }
    const Way& way = ways[pick([&](std::size_t i) { return ways[i].weight; }, ways.size())];
    const Triple& triple = table.triples[way.triple];
    const Merge& merge = solved_.merges[at.node - boxes];
    pending.push_back({merge.left, triple.left, way.left});
    pending.push_back({merge.right, triple.right, at.mines - way.left});
  }
}

// Solves the block while everything around it stands still; false if that is too hard.
bool Sampler::solve_block(Budget& budget) {
  for (std::size_t i = 0; i < block_.size(); ++i) place_[block_[i]] = static_cast<std::int32_t>(i);
  fill_block();
  for (std::uint32_t box : block_) place_[box] = -1;
  Budget own = budget.part(kBlockStates, budget.left());
  try {
    solved_.build(planner_, own);
  } catch (const OverBudget&) {
    budget.look();
    return false;
  }
  if (adapting && own.used() < kBlockStates / 32) ++block_size_;
  return true;
}

void Sampler::forget() {
  std::fill(expected.begin(), expected.end(), 0.0);
  std::fill(draws.begin(), draws.end(), 0u);
  std::fill(totals.begin(), totals.end(), 0.0);
}

void Sampler::sweep(Random& random, Budget& budget) {
  const std::size_t boxes = component_.size.size();
  std::vector<std::uint32_t> order(boxes);
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  std::vector<std::uint8_t> drawn(boxes, 0);
  for (std::uint32_t seed : order) {
    if (drawn[seed]) continue;
    budget.look();
    pick_block(seed, random);
    while (!solve_block(budget)) {
      // Too hard: leave out the boxes farthest from the seed. While the walk warms up, the next
      // blocks begin smaller too.
      if (block_.size() == 1) throw OverBudget();
      block_.resize(std::max<std::size_t>(1, block_.size() * 3 / 4));
      if (adapting) block_size_ = block_.size();
    }
    for (std::uint32_t box : block_) mines_ -= value_[box];
    solved_.describe(part_);
    solved_.climb(odds_, part_, budget);
    part_.weight.resize(part_.ways.size());
    for (std::size_t k = 0; k < part_.weight.size(); ++k)
      part_.weight[k] = weight_[static_cast<std::size_t>(mines_ + part_.low) + k];
    solved_.descend(odds_, part_, budget);
    for (std::size_t b = 0; b < block_.size(); ++b) {
      expected[block_[b]] += solved_.expected(b);
      ++draws[block_[b]];
      drawn[block_[b]] = 1;
    }
    double whole = 0;
    for (std::size_t k = 0; k < part_.ways.size(); ++k) whole += part_.ways[k] * part_.weight[k];
    for (std::size_t k = 0; k < part_.ways.size(); ++k)
      totals[static_cast<std::size_t>(mines_ + part_.low) + k] +=
          part_.ways[k] * part_.weight[k] / whole;
    draw_block(random);
    for (std::uint32_t box : block_) mines_ += value_[box];
  }
}

namespace {

constexpr std::size_t kChains = 8;
constexpr int kForgotten = 2;  // rounds before the chains are believed
constexpr int kFewest = 2;     // rounds after them; with less there is no answer
constexpr int kRounds = 4;
constexpr int kSweeps = 25;  // a round, if the time allows

// Values of one quantity, a list a chain.
using Samples = std::array<std::vector<double>, kChains>;

struct Estimate {
  double mean, error;
};

// Mean and standard error: the larger of the error among all values and that among the chains'
// means, which also sees chains that have not mixed.
Estimate estimate(const Samples& samples) {
  std::vector<double> all, means;
  for (const auto& chain : samples) {
    all.insert(all.end(), chain.begin(), chain.end());
    means.push_back(std::accumulate(chain.begin(), chain.end(), 0.0) /
                    static_cast<double>(chain.size()));
  }
  const auto n = static_cast<double>(all.size());
  const double mean = std::accumulate(all.begin(), all.end(), 0.0) / n;
  const auto error_of = [mean](const std::vector<double>& x) {
    double sum = 0;
    for (double v : x) sum += (v - mean) * (v - mean);
    const auto count = static_cast<double>(x.size());
    return std::sqrt(sum / (count - 1) / count);
  };
  return {mean, std::max(error_of(all), error_of(means))};
}

// What the chains have found of a component: expectations of its boxes, a round each, and how
// often it held k mines.
struct Walked {
  std::vector<Samples> boxes;
  std::array<std::vector<double>, kChains> totals;
};

// Walks all chains in rounds until there are enough, or the time is over. False if that was too
// early for an answer.
bool walk(std::vector<Sampler>& chains, Random& random, Budget& budget, Walked& walked) {
  walked.boxes.resize(chains[0].expected.size());
  for (auto& totals : walked.totals) totals.assign(chains[0].totals.size(), 0.0);
  double sweeps = 1;
  int kept = 0;
  try {
    for (int round = 0; kept < kRounds; ++round) {
      const double before = budget.elapsed();
      for (Sampler& chain : chains) {
        chain.forget();
        for (int i = 0; i < static_cast<int>(sweeps); ++i) chain.sweep(random, budget);
      }
      for (Sampler& chain : chains) chain.adapting = round + 1 < kForgotten;
      if (round < kForgotten) {
        // Rounds as long as the time allows: the first ones tell how long a sweep takes.
        const double each = (budget.elapsed() - before) / sweeps;
        const double left = budget.left();
        sweeps = std::clamp(0.8 * left / each / (kForgotten - round + kRounds), 1.0,
                            static_cast<double>(kSweeps));
        continue;
      }
      for (std::size_t i = 0; i < kChains; ++i) {
        for (std::size_t b = 0; b < walked.boxes.size(); ++b)
          walked.boxes[b][i].push_back(chains[i].expected[b] / chains[i].draws[b]);
        for (std::size_t k = 0; k < walked.totals[i].size(); ++k)
          walked.totals[i][k] += chains[i].totals[k];
      }
      ++kept;
    }
  } catch (const OverBudget&) {
  }
  return kept >= kFewest;
}

}  // namespace

// Components within the budget are exact; the others together become one part of the join whose
// ways are estimated by the walk.
Inference Solver::approximate(const Graph& graph, const Question& question, std::uint64_t seed,
                              Budget& budget) {
  Inference result;
  result.probability.assign(graph.size(), std::numeric_limits<double>::quiet_NaN());
  if (!prepare(graph, question)) return result;
  std::vector<std::size_t> hard;
  for (std::size_t i = 0; i < reduced_.component_boxes.size(); ++i) {
    // Half the time is for the walk, whatever the components take.
    Budget own = budget.part(budget.states(), budget.left() - budget.seconds() / 2);
    try {
      if (!solve_component(i, own)) return result;
    } catch (const OverBudget&) {
      hard.push_back(i);
    }
    budget.add(own);
  }
  result.states = budget.used();
  if (hard.empty()) {
    if (join_.allow(parts(), rest(), mines_left_, budget)) conclude(question, result, budget);
    return result;
  }

  Component component;
  component.take(reduced_, hard);
  Random random(seed);
  std::vector<Sampler> chains;
  for (std::size_t i = 0; i < kChains; ++i) {
    chains.emplace_back(component, odds_);
    try {
      chains.back().start(random, budget);
    } catch (const OverBudget&) {
      throw TooHard(cells_of(hard[0]), budget);
    }
  }

  // For all that is proved, the hard part may hold any number of mines: so the solved components
  // claim nothing that depends on it. The first guess of its ways is a peak where a walk starts;
  // it only keeps the join's numbers in range.
  const std::size_t easy = count_++;
  part_pool_.resize(std::max(part_pool_.size(), count_));
  Part& part = part_pool_[easy];
  const std::size_t most = chains[0].totals.size() - 1;
  part.low = 0;
  part.possible.assign(words_for(most + 1), 0);
  part.ways.resize(most + 1);
  for (std::size_t k = 0; k <= most; ++k) {
    set_bit(part.possible.data(), k);
    const double distance = static_cast<double>(k) - static_cast<double>(chains[0].mines());
    part.ways[k] = std::exp(-std::abs(distance) / (2 * std::sqrt(static_cast<double>(most)) + 4));
  }
  if (!join_.allow(parts(), rest(), mines_left_, budget)) return result;
  for (std::size_t i = 0; i < easy; ++i) solved_[i]->climb(odds_, part_pool_[i], budget);
  join_.weigh(parts(), rest(), mines_left_, odds_, budget);
  const std::vector<double> weight = part.weight;
  Walked walked;
  try {
    for (Sampler& chain : chains) chain.steer(weight, random, budget);
    if (!walk(chains, random, budget, walked)) throw OverBudget();
  } catch (const OverBudget&) {
    throw TooHard(cells_of(hard[0]), budget);
  }

  // The solved components and the rest, once a chain: their spread is their error.
  std::vector<Inference> per_chain(kChains, result);
  for (std::size_t i = 0; i < kChains; ++i) {
    for (std::size_t k = 0; k <= most; ++k)
      part.ways[k] = weight[k] > 0 ? walked.totals[i][k] / weight[k] : 0.0;
    const double peak = *std::max_element(part.ways.begin(), part.ways.end());
    for (double& ways : part.ways) ways /= peak;
    join_.weigh(parts(), rest(), mines_left_, odds_, budget);
    if (!join_.in_range) throw TooHard(cells_of(hard[0]), budget);
    for (std::size_t j = 0; j < easy; ++j) answer_component(j, per_chain[i], budget);
    answer_rest(per_chain[i]);
  }
  count_ = easy;

  result.consistent = result.approximate = true;
  result.error.assign(graph.size(), std::numeric_limits<double>::quiet_NaN());
  answer_settled(result);
  for (Cell cell = 0; cell < graph.size(); ++cell) {
    if (!std::isnan(result.probability[cell])) result.error[cell] = 0.0;
    if (std::isnan(per_chain[0].probability[cell])) continue;
    Samples values;
    for (std::size_t i = 0; i < kChains; ++i) values[i] = {per_chain[i].probability[cell]};
    const Estimate found = estimate(values);
    result.probability[cell] = found.mean;
    result.error[cell] = found.error;
  }
  std::size_t b = 0;
  for (std::size_t index : hard)
    for (std::uint32_t box : reduced_.component_boxes[index]) {
      const auto size = static_cast<double>(component.size[b]);
      const Estimate found = estimate(walked.boxes[b++]);
      for (Cell cell : reduced_.members[box]) {
        result.probability[cell] = uncertain(found.mean / size);
        result.error[cell] = found.error / size;
      }
    }
  finish(question, result);
  return result;
}

}  // namespace minewright
