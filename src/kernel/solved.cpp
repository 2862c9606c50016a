#include "solved.hpp"

#include <algorithm>
#include <cmath>

namespace minewright {

namespace {

// Above these (log2 of pairs of states), the first plan is compared with 12 or with 48 others.
constexpr double kEasy = 13.0;
constexpr double kHard = 20.0;
constexpr std::size_t kPlans = 12;
// Planning a huge component must not take longer than solving it, so all its plans together have
// at most this many boxes, and read at most this many entries (about twenty per box on a board).
// Both are counted, never timed: the plan, and with it whether a component is given up as too hard,
// is the same on every machine.
constexpr std::size_t kMostPlanned = 500'000;
constexpr std::uint64_t kMostEffort = 100'000'000;

std::size_t words(const Range& range) { return words_for(static_cast<std::size_t>(range.length)); }

}  // namespace

bool Solved::build(Planner& planner, Budget& budget, std::size_t most_plans) {
  double work = planner.plan(component, merges, budget);
  if (work > kEasy) {
    Random random(index);
    const std::size_t boxes = component.size.size();
    const std::size_t plans =
        std::min({work > kHard ? 4 * kPlans : kPlans, most_plans, kMostPlanned / boxes});
    std::uint64_t effort = planner.effort();
    for (std::size_t i = 0; i < plans && effort < kMostEffort; ++i) {
      const double other = planner.plan(component, other_merges_, budget, &random);
      effort += planner.effort();
      if (other < work) work = other, merges.swap(other_merges_);
    }
  }
  table.build(component, merges, budget);
  return table.root().first_state < table.root().end_state;
}

// The root has several states only if a cell is observed. Together they are the component.
void Solved::describe(Part& part) const {
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
                  words(range), static_cast<std::size_t>(range.low - low));
  }
}

void Solved::climb(double odds, Part& part, Budget& budget) {
  exponent = weights.climb(table, component, Reals{odds}, budget);
  for (auto s = table.root().first_state; s < table.root().end_state; ++s) {
    const Range& range = table.states[s];
    for (std::int32_t k = 0; k < range.length; ++k)
      part.ways[static_cast<std::size_t>(range.low - part.low + k)] +=
          weights.up[range.offset + static_cast<std::uint32_t>(k)];
  }
}

void Solved::reach(const Part& part, std::uint32_t first, std::uint32_t end, Budget& budget) {
  reachable_.assign(table.support.size(), 0);
  for (std::uint32_t s = first; s < end; ++s) {
    const Range& range = table.states[s];
    or_shifted_down(&reachable_[range.word], words(range), part.allowed.data(), part.allowed.size(),
                    static_cast<std::size_t>(range.low - part.low));
  }
  for (std::size_t n = table.nodes.size(); n-- > 0;) {
    const Node& node = table.nodes[n];
    budget.tick(node.end_triple - node.first_triple);
    // Shifting may have set bits of counts that the state cannot have.
    const Range& last = table.states[node.end_state - 1];
    for (std::size_t w = table.states[node.first_state].word; w < last.word + words(last); ++w)
      reachable_[w] &= table.support[w];
    for (std::uint32_t i = node.first_triple; i < node.end_triple; ++i) {
      const Triple& t = table.triples[i];
      const Range &x = table.states[t.left], &y = table.states[t.right];
      const Range& z = table.states[t.merged];
      const auto base = static_cast<std::size_t>(x.low + y.low - z.low);
      if (words(z) == 1) {
        // The usual case. The parts are shorter, so they have one word too.
        const std::uint64_t merged = reachable_[z.word] >> base;
        for (std::uint64_t rest = table.support[y.word]; rest != 0; rest &= rest - 1)
          reachable_[x.word] |= merged >> std::countr_zero(rest);
        for (std::uint64_t rest = table.support[x.word]; rest != 0; rest &= rest - 1)
          reachable_[y.word] |= merged >> std::countr_zero(rest);
        continue;
      }
      const auto carry = [&](const Range& to, const Range& other) {
        for_each_bit(&table.support[other.word], words(other), [&](std::size_t k) {
          or_shifted_down(&reachable_[to.word], words(to), &reachable_[z.word], words(z), base + k);
        });
      };
      carry(x, y);
      carry(y, x);
    }
  }
}

bool Solved::descend(double odds, const Part& part, std::uint32_t first, std::uint32_t end,
                     Budget& budget) {
  weights.down.assign(weights.up.size(), 0.0);
  for (std::uint32_t s = first; s < end; ++s) {
    const Range& range = table.states[s];
    for (std::int32_t k = 0; k < range.length; ++k)
      weights.down[range.offset + static_cast<std::uint32_t>(k)] =
          part.weight[static_cast<std::size_t>(range.low - part.low + k)];
  }
  weights.descend(table, component.size.size(), Reals{odds}, budget);

  // Only wide tables can leave the range of doubles. What underflow has lost there is at most the
  // smallest double times the largest factor. That must be negligible compared with the whole.
  if (exponent == 0 && part.ways.size() < 48) return true;
  for (const Node& node : table.nodes) {
    const Range& front = table.states[node.first_state];
    const Range& last = table.states[node.end_state - 1];
    double up = 0, down = 0, whole = 0;
    for (auto i = front.offset; i < last.offset + static_cast<std::uint32_t>(last.length); ++i) {
      up = std::max(up, weights.up[i]);
      down = std::max(down, weights.down[i]);
      whole += weights.up[i] * weights.down[i];
    }
    if (!(whole > 1e-280 * std::max(up, down)) || !std::isfinite(whole)) return false;
  }
  return true;
}

Certainty Solved::certain(std::size_t box) const {
  Certainty certain{true, true};
  for (auto s = table.nodes[box].first_state; s < table.nodes[box].end_state; ++s) {
    const Range& range = table.states[s];
    if ((reachable_[range.word] & 1) == 0) continue;
    certain.safe &= range.low == 0;
    certain.mined &= range.low == component.size[box];
  }
  return certain;
}

double Solved::expected(std::size_t box) const {
  double total = 0, mined = 0;
  for (auto s = table.nodes[box].first_state; s < table.nodes[box].end_state; ++s) {
    const Range& range = table.states[s];
    const double weight = weights.up[range.offset] * weights.down[range.offset];
    total += weight;
    mined += weight * range.low;
  }
  return mined / total;
}

}  // namespace minewright
