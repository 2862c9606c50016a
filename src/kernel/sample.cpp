#include "sample.hpp"

#include <algorithm>
#include <numeric>

#include "assignment.hpp"

namespace minewright {

namespace {

// The budget of a block, in pairs of states.
constexpr std::uint64_t kBlockStates = 100'000;
// While the walk warms up, blocks grow as long as they need fewer pairs than this.
constexpr std::uint64_t kSmallBlock = kBlockStates / 8;
// Planning a block takes about as long as this many pairs per box.
constexpr std::uint64_t kPlanning = 300;

}  // namespace

void Sampler::start(Budget& budget) {
  value_ = find_assignment(component_, odds_, stream_, random_, budget);
  mines_ = std::accumulate(value_.begin(), value_.end(), std::int64_t{0});
  const std::size_t boxes = component_.size.size();
  tally.boxes.assign(boxes, {});
  const auto cells =
      std::accumulate(component_.size.begin(), component_.size.end(), std::size_t{0});
  tally.totals.assign(cells + 1, 0.0);
  place_.assign(boxes, -1);
  constraint_place_.assign(component_.constraints.size(), -1);
}

// Once the total has a weight, the assignment is part of a whole minefield. If the walk never gets
// there, the budget ends it.
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

// Picks linked boxes around the seed: the nearest first, ties in random order.
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

// Makes the block a component. Its constraints need what the boxes outside leave to them.
void Sampler::fill_block() {
  pool_.clear();
  Component& own = pool_.next(0);
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

// Draws the mines of the block, from the root of its table down to the boxes.
void Sampler::draw_block() {
  const Solved& solved = pool_[0];
  const Part& part = pool_.part(0);
  const StateTable& table = solved.table;
  const auto& up = solved.weights.up;
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
  const std::size_t k = pick([&](std::size_t i) { return up[root.offset + i] * part.weight[i]; },
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
    // Every way in which the state arises: a triple, and a split of its mines.
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
    const Merge& merge = solved.merges[at.node - boxes];
    pending.push_back({merge.left, triple.left, way.left});
    pending.push_back({merge.right, triple.right, at.mines - way.left});
  }
}

// Solves the block while everything around it stays fixed. Returns false if that is too hard.
bool Sampler::solve_block(Budget& budget) {
  for (std::size_t i = 0; i < block_.size(); ++i) place_[block_[i]] = static_cast<std::int32_t>(i);
  fill_block();
  for (std::uint32_t box : block_) place_[box] = -1;
  Budget own = budget.part(kBlockStates, budget.left());
  bool solved = true;
  try {
    // For a block, finding a better plan would take longer than the plan saves.
    pool_.solve(own, 0);
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
      // Leave out the boxes farthest from the seed. While the walk warms up, the next blocks
      // begin smaller too.
      if (block_.size() == 1) throw OverBudget();
      block_.resize(std::max<std::size_t>(1, block_.size() * 3 / 4));
      if (adapting) block_size_ = block_.size();
    }
    for (std::uint32_t box : block_) mines_ -= value_[box];
    Solved& solved = pool_[0];
    Part& part = pool_.part(0);
    solved.climb(odds_, part, budget);
    part.weight.resize(part.ways.size());
    for (std::size_t k = 0; k < part.weight.size(); ++k)
      part.weight[k] = weight_[static_cast<std::size_t>(mines_ + part.low) + k];
    solved.descend(odds_, part, budget);
    double whole = 0;
    for (std::size_t k = 0; k < part.ways.size(); ++k) whole += part.ways[k] * part.weight[k];
    for (std::size_t k = 0; k < part.ways.size(); ++k)
      tally.totals[static_cast<std::size_t>(mines_ + part.low) + k] +=
          part.ways[k] * part.weight[k] / whole;
    draw_block();
    for (std::size_t b = 0; b < block_.size(); ++b) {
      const std::uint32_t box = block_[b];
      tally.boxes[box].add(solved.expected(b), value_[box]);
      drawn[box] = 1;
      mines_ += value_[box];
    }
  }
}

}  // namespace minewright
