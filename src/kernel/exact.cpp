// Exact counts, from the same tables as the fast path.
#include <algorithm>
#include <cmath>

#include "infer.hpp"

namespace minewright {

namespace {

bool is_prime(std::uint64_t n) {
  for (std::uint64_t d = 3; d * d <= n; d += 2)
    if (n % d == 0) return false;
  return true;
}

// Returns the index-th largest prime below 2^31. The primes are found once per thread.
std::uint64_t prime(std::size_t index) {
  static thread_local std::vector<std::uint64_t> known{2147483647};
  while (known.size() <= index) {
    std::uint64_t next = known.back() - 2;
    while (!is_prime(next)) next -= 2;
    known.push_back(next);
  }
  return known[index];
}

}  // namespace

// Returns log2 of the number of minefields of a component.
double Solver::log2_ways(std::size_t solved) const {
  const Part& part = pool_.part(solved);
  double most = -1e300;
  for (std::size_t k = 0; k < part.ways.size(); ++k)
    if (part.ways[k] > 0)
      most = std::max(most, std::log2(part.ways[k]) -
                                static_cast<double>(part.low + static_cast<std::int64_t>(k)) *
                                    std::log2(odds_));
  return most + std::log2(static_cast<double>(part.ways.size())) + pool_[solved].exponent;
}

Exact Solver::exact(const Graph& graph, const Question& question, bool marginals, Budget& budget) {
  Exact result;
  result.consistent = solve(graph, question, budget);
  if (!result.consistent) return result;
  odds_ = 1.0;  // plain counts: their size says how many primes are needed
  weigh(budget);
  result.mines_left = mines_left_;
  result.rest = reduced_.rest;
  for (Cell cell : reduced_.settled)
    (reduced_.state[cell] == Reduced::kProvedMined ? result.mined : result.safe).push_back(cell);

  for (std::size_t i = 0; i < pool_.size(); ++i) {
    try {
      result.parts.push_back(exact_part(i, marginals, budget));
    } catch (const OverBudget&) {
      throw TooHard(cells_of(pool_[i].index), budget);
    }
  }
  return result;
}

ExactPart Solver::exact_part(std::size_t i, bool marginals, Budget& budget) const {
  Weights<Modulo> weights;
  const Solved& solved = pool_[i];
  const StateTable& table = solved.table;
  const Range root = table.states[table.root().first_state];
  ExactPart part;
  part.low = root.low;
  std::int32_t largest = 1;
  for (std::uint32_t box : reduced_.component_boxes[solved.index]) {
    const auto members = reduced_.members[box];
    part.boxes.emplace_back(members.begin(), members.end());
    largest = std::max(largest, static_cast<std::int32_t>(members.size()));
  }
  // One prime more than the estimate needs: the reader checks that it changes nothing.
  const double bits = log2_ways(i) + std::log2(static_cast<double>(largest)) + 1;
  const auto primes = static_cast<std::size_t>(std::max(0.0, bits) / 30.9) + 2;
  for (std::size_t p = 0; p < primes; ++p) {
    const Modulo ring{prime(p)};
    part.primes.push_back(ring.prime);
    weights.climb(table, solved.component, ring, budget);
    const auto ways = weights.up.begin() + root.offset;
    part.ways.emplace_back(ways, ways + root.length);
    if (!marginals) continue;
    auto& mined = part.mined.emplace_back(part.boxes.size());
    for (std::int32_t k = 0; k < root.length; ++k) {
      // Only completions with exactly this many mines.
      weights.down.assign(weights.up.size(), 0);
      weights.down[root.offset + static_cast<std::uint32_t>(k)] = 1;
      weights.descend(table, part.boxes.size(), ring, budget);
      for (std::size_t b = 0; b < part.boxes.size(); ++b) {
        std::uint64_t sum = 0;
        for (auto s = table.nodes[b].first_state; s < table.nodes[b].end_state; ++s) {
          const Range& range = table.states[s];
          ring.add_product(
              sum, weights.up[range.offset] * static_cast<std::uint64_t>(range.low) % ring.prime,
              weights.down[range.offset]);
        }
        mined[b].push_back(sum);
      }
    }
  }
  return part;
}

}  // namespace minewright
