// Exact counts and the minefields themselves, from the same tables as the fast path.
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

// The largest primes below 2^31, found once a thread.
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

// log2 of the number of minefields of a component.
double Solver::log2_ways(std::size_t solved) const {
  const Part& part = part_pool_[solved];
  double most = -1e300;
  for (std::size_t k = 0; k < part.ways.size(); ++k)
    if (part.ways[k] > 0)
      most = std::max(most, std::log2(part.ways[k]) -
                                static_cast<double>(part.low + static_cast<std::int64_t>(k)) *
                                    std::log2(odds_));
  return most + std::log2(static_cast<double>(part.ways.size())) + solved_[solved]->exponent;
}

Exact Solver::exact(const Graph& graph, const Question& question, bool marginals, Budget& budget) {
  Exact result;
  result.consistent = solve(graph, question, budget);
  if (!result.consistent) return result;
  weigh(budget);
  result.mines_left = mines_left_;
  result.rest = reduced_.rest;
  for (Cell cell : reduced_.settled)
    (reduced_.state[cell] == Reduced::kProvedMined ? result.mined : result.safe).push_back(cell);

  for (std::size_t i = 0; i < count_; ++i) {
    try {
      result.parts.push_back(exact_part(i, marginals, budget));
    } catch (const OverBudget&) {
      throw TooHard(cells_of(solved_[i]->index), budget);
    }
  }
  return result;
}

ExactPart Solver::exact_part(std::size_t i, bool marginals, Budget& budget) const {
  Weights<Modulo> weights;
  const Solved& solved = *solved_[i];
  const Table& table = solved.table;
  const Range root = table.states[table.root().first_state];
  ExactPart part;
  part.low = root.low;
  std::int32_t largest = 1;
  for (std::uint32_t box : reduced_.component_boxes[solved.index]) {
    const auto members = reduced_.members[box];
    part.boxes.emplace_back(members.begin(), members.end());
    largest = std::max(largest, static_cast<std::int32_t>(members.size()));
  }
  // One prime more than the estimate asks for: the reader checks that it changes nothing.
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
      // Completions of exactly this many mines.
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

// Walks all minefields without a dead end: every choice it offers was proved to lead to one.
class Solver::Walk {
 public:
  Walk(const Solver& solver, std::size_t limit, std::vector<std::vector<Cell>>& found)
      : s_(solver), limit_(limit), found_(found) {
    for (Cell cell : s_.reduced_.settled)
      if (s_.reduced_.state[cell] == Reduced::kProvedMined) fixed_.push_back(cell);
    // Triples by the state they merge into, and for the components after each one, which
    // numbers of mines they and the rest can hold.
    by_merged_.resize(s_.count_);
    for (std::size_t i = 0; i < s_.count_; ++i) {
      const Table& table = s_.solved_[i]->table;
      by_merged_[i].resize(table.states.size());
      for (std::uint32_t t = 0; t < table.triples.size(); ++t)
        by_merged_[i][table.triples[t].merged].push_back(t);
    }
    if (s_.mines_left_ < 0) return;
    const auto most = static_cast<std::size_t>(s_.mines_left_) + 1;
    after_.assign(s_.count_ + 1, std::vector<std::uint64_t>(words_for(most), 0));
    for (std::size_t k = 0; k < most && k <= s_.reduced_.rest.size(); ++k)
      set_bit(after_[s_.count_].data(), k);
    for (std::size_t i = s_.count_; i-- > 0;)
      for_each_bit(
          s_.part_pool_[i].possible.data(), s_.part_pool_[i].possible.size(), [&](std::size_t k) {
            or_shifted_up(after_[i].data(), after_[i].size(), after_[i + 1].data(),
                          after_[i + 1].size(), k + static_cast<std::size_t>(s_.part_pool_[i].low));
          });
  }

  void run() { component(0, s_.mines_left_); }

 private:
  struct Pending {
    std::uint32_t state;
    std::int32_t mines;
  };
  bool full() const { return found_.size() >= limit_; }

  void component(std::size_t index, std::int64_t left) {
    if (full()) return;
    if (index == s_.count_) {
      rest(left);
      return;
    }
    const Part& part = s_.part_pool_[index];
    const Table& table = s_.solved_[index]->table;
    for_each_bit(part.possible.data(), part.possible.size(), [&](std::size_t extra) {
      const std::int64_t mines = part.low + static_cast<std::int64_t>(extra);
      if (left >= 0 && (mines > left || !test_bit(after_[index + 1].data(),
                                                  static_cast<std::size_t>(left - mines))))
        return;
      pending_.push_back({table.root().first_state, static_cast<std::int32_t>(mines)});
      boxes(index, left >= 0 ? left - mines : -1);
      pending_.pop_back();
    });
  }

  // Splits the pending states of a component until only boxes with their mines are left.
  void boxes(std::size_t index, std::int64_t left) {
    if (full()) return;
    if (pending_.empty()) {
      component(index + 1, left);
      return;
    }
    const Table& table = s_.solved_[index]->table;
    const Pending top = pending_.back();
    pending_.pop_back();
    const std::size_t box_count = s_.solved_[index]->component.size.size();
    if (top.state < table.nodes[box_count - 1].end_state) {
      std::size_t box = 0;
      while (top.state >= table.nodes[box].end_state) ++box;
      const auto members = s_.reduced_.members[s_.reduced_.component_boxes[index][box]];
      choose(members, top.mines, [&] { boxes(index, left); });
    } else {
      for (std::uint32_t t : by_merged_[index][top.state]) {
        const Triple& triple = table.triples[t];
        const Range &x = table.states[triple.left], &y = table.states[triple.right];
        for_each_bit(
            &table.support[x.word], words_for(static_cast<std::size_t>(x.length)),
            [&](std::size_t i) {
              const std::int32_t in_left = x.low + static_cast<std::int32_t>(i);
              const std::int32_t in_right = top.mines - in_left;
              if (in_right < y.low || in_right >= y.low + y.length ||
                  !test_bit(&table.support[y.word], static_cast<std::size_t>(in_right - y.low)))
                return;
              pending_.push_back({triple.right, in_right});
              pending_.push_back({triple.left, in_left});
              boxes(index, left);
              pending_.pop_back();
              pending_.pop_back();
            });
      }
    }
    pending_.push_back(top);
  }

  void rest(std::int64_t left) {
    const auto& cells = s_.reduced_.rest;
    const auto size = static_cast<std::int64_t>(cells.size());
    const std::int64_t fewest = left >= 0 ? left : 0, most = left >= 0 ? left : size;
    for (std::int64_t mines = fewest; mines <= most && !full(); ++mines)
      choose(cells, mines, [&] {
        auto& minefield = found_.emplace_back(fixed_);
        minefield.insert(minefield.end(), chosen_.begin(), chosen_.end());
        std::sort(minefield.begin(), minefield.end());
      });
  }

  // All ways to mine `mines` of the cells. A loop, not a recursion: the rest may be large.
  template <class Then>
  void choose(std::span<const Cell> cells, std::int64_t mines, Then then) {
    const auto n = static_cast<std::int64_t>(cells.size());
    std::vector<std::int64_t> at(static_cast<std::size_t>(mines));
    for (std::int64_t i = 0; i < mines; ++i) at[static_cast<std::size_t>(i)] = i;
    while (!full()) {
      for (std::int64_t i : at) chosen_.push_back(cells[static_cast<std::size_t>(i)]);
      then();
      chosen_.resize(chosen_.size() - at.size());
      std::int64_t i = mines - 1;
      while (i >= 0 && at[static_cast<std::size_t>(i)] == n - mines + i) --i;
      if (i < 0) return;
      ++at[static_cast<std::size_t>(i)];
      for (std::int64_t j = i + 1; j < mines; ++j)
        at[static_cast<std::size_t>(j)] = at[static_cast<std::size_t>(j - 1)] + 1;
    }
  }

  const Solver& s_;
  std::size_t limit_;
  std::vector<std::vector<Cell>>& found_;
  std::vector<Cell> fixed_, chosen_;
  std::vector<Pending> pending_;
  std::vector<std::vector<std::vector<std::uint32_t>>> by_merged_;
  std::vector<std::vector<std::uint64_t>> after_;
};

std::vector<std::vector<Cell>> Solver::enumerate(const Graph& graph, const Question& question,
                                                 std::size_t limit, Budget& budget) {
  std::vector<std::vector<Cell>> found;
  if (limit > 0 && solve(graph, question, budget)) Walk(*this, limit, found).run();
  return found;
}

}  // namespace minewright
