#include "sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace minewright {

namespace {

// Pairs of states for one block.
constexpr std::uint64_t kBlockStates = 100'000;
// While the walk warms up, blocks grow as long as they take fewer pairs than this.
constexpr std::uint64_t kSmallBlock = kBlockStates / 8;
// Planning a block takes about as long as this many pairs for each of its boxes.
constexpr std::uint64_t kPlanning = 300;
// A step of the search takes about as long as this many pairs.
constexpr std::uint64_t kSearching = 8;

}  // namespace

// Focused local search: take a constraint that is not met, change one of its boxes towards it by
// one mine, and keep the change unless it makes too much worse elsewhere. `noise` is how much.
bool Sampler::search(std::uint64_t steps, double noise, double odds) {
  const std::size_t boxes = component_.size.size(), count = component_.constraints.size();
  value_.resize(boxes);
  excess_.resize(count);
  for (std::size_t c = 0; c < count; ++c) excess_[c] = -component_.constraints[c].low;
  for (std::uint32_t box = 0; box < boxes; ++box) {
    value_[box] = 0;
    for (std::int32_t cell = 0; cell < component_.size[box]; ++cell)
      value_[box] += random_.uniform() * (1 + odds) < odds;
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
    const std::uint32_t constraint = unmet[random_.below(unmet.size())];
    const std::int32_t step = excess_[constraint] > 0 ? -1 : 1;
    const auto members = component_.constraint_boxes[constraint];
    const std::uint32_t box = members[random_.below(members.size())];
    const std::int32_t value = value_[box] + step;
    if (value < 0 || value > component_.size[box]) continue;
    std::int32_t worse = 0;
    for (std::uint32_t c : component_.box_constraints[box])
      worse += std::abs(excess_[c] + step) - std::abs(excess_[c]);
    if (worse > 0 && random_.uniform() >= std::exp(-worse / noise)) continue;
    value_[box] = value;
    for (std::uint32_t c : component_.box_constraints[box]) excess_[c] += step, book(c);
  }
  return unmet.empty();
}

void Sampler::start(Budget& budget) {
  // Several short searches with different noise find what one long search misses. Walks that
  // begin with few mines and walks that begin with many have to meet before they are believed.
  constexpr double kNoise[] = {0.45, 0.3, 0.6, 0.2};
  constexpr double kOdds[] = {1.0, 0.25, 4.0};
  const std::size_t boxes = component_.size.size();
  std::uint64_t steps = 200 * boxes;
  for (std::size_t attempt = 0;; ++attempt) {
    budget.spend(kSearching * steps);
    if (search(steps, kNoise[attempt % 4], odds_ * kOdds[(stream_ + attempt) % 3])) break;
    if (attempt % 4 == 3) steps *= 2;
  }
  mines_ = std::accumulate(value_.begin(), value_.end(), std::int64_t{0});
  tally.boxes.assign(boxes, {});
  const auto cells =
      std::accumulate(component_.size.begin(), component_.size.end(), std::size_t{0});
  tally.totals.assign(cells + 1, 0.0);
  place_.assign(boxes, -1);
  constraint_place_.assign(component_.constraints.size(), -1);
}

// Takes the weights, and walks to a total that has one: then the assignment is part of a whole
// minefield. If no such total is reached, the budget ends it; nothing is claimed.
void Sampler::steer(std::span<const double> weight, Budget& budget) {
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
  while (weight[static_cast<std::size_t>(mines_)] <= 0) sweep(budget);
  weight_ = weight;
}

// A block of linked boxes around the seed, nearest first, ties at random.
void Sampler::pick_block(std::uint32_t seed) {
  block_.assign(1, seed);
  place_[seed] = 0;
  std::vector<std::uint32_t> next;
  for (std::size_t i = 0; i < block_.size() && block_.size() < block_size_; ++i) {
    next.clear();
    for (std::uint32_t c : component_.box_constraints[block_[i]])
      for (std::uint32_t other : component_.constraint_boxes[c])
        if (place_[other] < 0) place_[other] = 0, next.push_back(other);
    random_.shuffle(next);
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
void Sampler::draw_block() {
  const Table& table = solved_.table;
  const auto& up = solved_.weights.up;
  const Range& root = table.states[table.root().first_state];
  const auto pick = [&](auto&& weight_of, std::size_t n) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) total += weight_of(i);
    double left = random_.uniform() * total;
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
  bool solved = true;
  try {
    // A better plan would take longer to find than it saves in a block.
    solved_.build(planner_, own, 0);
  } catch (const OutOfTime&) {
    throw;
  } catch (const OverBudget&) {
    solved = false;
  }
  budget.spend(own.used() + kPlanning * block_.size());
  if (adapting && solved && own.used() < kSmallBlock) block_size_ += 1 + block_size_ / 8;
  return solved;
}

void Sampler::forget() {
  std::fill(tally.boxes.begin(), tally.boxes.end(), WalkTally::Box{});
  std::fill(tally.totals.begin(), tally.totals.end(), 0.0);
}

void Sampler::sweep(Budget& budget) {
  const std::size_t boxes = component_.size.size();
  std::vector<std::uint32_t> order(boxes);
  std::iota(order.begin(), order.end(), 0u);
  random_.shuffle(order);
  std::vector<std::uint8_t> drawn(boxes, 0);
  for (std::uint32_t seed : order) {
    if (drawn[seed]) continue;
    pick_block(seed);
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
    double whole = 0;
    for (std::size_t k = 0; k < part_.ways.size(); ++k) whole += part_.ways[k] * part_.weight[k];
    for (std::size_t k = 0; k < part_.ways.size(); ++k)
      tally.totals[static_cast<std::size_t>(mines_ + part_.low) + k] +=
          part_.ways[k] * part_.weight[k] / whole;
    draw_block();
    for (std::size_t b = 0; b < block_.size(); ++b) {
      const std::uint32_t box = block_[b];
      tally.boxes[box].add(solved_.expected(b), value_[box]);
      drawn[box] = 1;
      mines_ += value_[box];
    }
  }
}

}  // namespace minewright
