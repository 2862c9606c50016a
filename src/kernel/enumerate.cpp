// The minefields themselves. They are numbered: every state has a count, so the i-th minefield is
// found by walking down from the top and choosing at each state the part that i falls into. This
// needs no search, no backtracking and no recursion.
#include <algorithm>

#include "infer.hpp"

namespace minewright {

namespace {

// Counts up to a cap. Above it, all that matters is that the count is large.
struct Capped {
  using Number = std::uint64_t;
  static constexpr std::uint64_t kCap = std::uint64_t{1} << 62;

  static std::uint64_t product(std::uint64_t x, std::uint64_t y) {
    return x != 0 && y > kCap / x ? kCap : x * y;
  }
  static void add_product(std::uint64_t& sum, std::uint64_t x, std::uint64_t y) {
    sum = std::min(kCap, sum + product(x, y));
  }
  static std::uint64_t binomial(std::int64_t n, std::int64_t k) {
    if (k < 0 || k > n) return 0;
    std::uint64_t value = 1;
    for (std::int64_t i = 1; i <= std::min(k, n - k); ++i) {
      const auto factor = static_cast<std::uint64_t>(n - i + 1);
      if (value > kCap / factor) return kCap;
      value = value * factor / static_cast<std::uint64_t>(i);
    }
    return value;
  }
  static int box_weights(std::int32_t size, std::int32_t low, std::uint64_t* first,
                         std::uint64_t* last) {
    for (std::uint64_t* weight = first; weight != last; ++weight)
      *weight = binomial(size, low + static_cast<std::int32_t>(weight - first));
    return 0;
  }
  static int rescale(std::uint64_t*, std::uint64_t*) { return 0; }
};

// Returns whether `index` falls into this part. If not, subtracts the part's count from it.
bool falls_into(std::uint64_t& index, std::uint64_t count) {
  if (index < count) return true;
  index -= count;
  return false;
}

// Adds the index-th way to place `mines` mines in the cells, in reading order.
void choose(std::span<const Cell> cells, std::int64_t mines, std::uint64_t index,
            std::vector<Cell>& mined) {
  const auto n = static_cast<std::int64_t>(cells.size());
  for (std::int64_t i = 0; i < n && mines > 0; ++i) {
    if (!falls_into(index, Capped::binomial(n - i - 1, mines - 1))) continue;
    mined.push_back(cells[static_cast<std::size_t>(i)]);
    --mines;
  }
}

// Components folded pairwise: the number of ways to hold low, low+1, … mines together.
struct Fold {
  std::size_t left, right;  // a leaf stores itself in both
  std::int64_t low;
  std::vector<std::uint64_t> ways;
};

std::vector<Fold> fold(std::vector<Fold> nodes, Budget& budget) {
  std::vector<std::size_t> level(nodes.size()), next;
  for (std::size_t i = 0; i < level.size(); ++i) level[i] = i;
  while (level.size() > 1) {
    next.clear();
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      const Fold &a = nodes[level[i]], &b = nodes[level[i + 1]];
      Fold both{level[i], level[i + 1], a.low + b.low, {}};
      both.ways.assign(a.ways.size() + b.ways.size() - 1, 0);
      budget.tick(a.ways.size() * b.ways.size());
      for (std::size_t j = 0; j < a.ways.size(); ++j)
        for (std::size_t k = 0; k < b.ways.size(); ++k)
          Capped::add_product(both.ways[j + k], a.ways[j], b.ways[k]);
      next.push_back(nodes.size());
      nodes.push_back(std::move(both));
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level.swap(next);
  }
  if (nodes.empty()) nodes.push_back({0, 0, 0, {1}});
  return nodes;
}

}  // namespace

// Adds the index-th way to place `mines` mines in a component.
void Solver::unrank(const Solved& solved, const std::vector<std::uint64_t>& ways,
                    std::int64_t mines, std::uint64_t index, std::vector<Cell>& mined) const {
  struct Pending {
    std::uint32_t node, state;
    std::int32_t mines;
    std::uint64_t index;
  };
  const StateTable& table = solved.table;
  const auto boxes = static_cast<std::uint32_t>(solved.component.size.size());
  std::vector<Pending> pending{{static_cast<std::uint32_t>(table.nodes.size() - 1),
                                table.root().first_state, static_cast<std::int32_t>(mines), index}};
  while (!pending.empty()) {
    Pending at = pending.back();
    pending.pop_back();
    if (at.node < boxes) {
      choose(reduced_.members[reduced_.component_boxes[solved.index][at.node]], at.mines, at.index,
             mined);
      continue;
    }
    const Merge& merge = solved.merges[at.node - boxes];
    bool found = false;
    for (auto t = table.nodes[at.node].first_triple; !found; ++t) {
      const Triple& triple = table.triples[t];
      if (triple.merged != at.state) continue;
      const Range &x = table.states[triple.left], &y = table.states[triple.right];
      for (std::int32_t i = 0; i < x.length && !found; ++i) {
        const std::int32_t j = at.mines - (x.low + i) - y.low;
        if (j < 0 || j >= y.length) continue;
        const std::uint64_t left = ways[x.offset + static_cast<std::uint32_t>(i)];
        const std::uint64_t right = ways[y.offset + static_cast<std::uint32_t>(j)];
        found = falls_into(at.index, Capped::product(left, right));
        if (!found) continue;
        pending.push_back({merge.left, triple.left, x.low + i, at.index / right});
        pending.push_back({merge.right, triple.right, y.low + j, at.index % right});
      }
    }
  }
}

std::vector<std::vector<Cell>> Solver::enumerate(const Graph& graph, const Question& question,
                                                 std::size_t limit, Budget& budget) {
  std::vector<std::vector<Cell>> found;
  if (limit == 0 || !solve(graph, question, budget)) return found;
  std::vector<Weights<Capped>> weights(pool_.size());
  std::vector<Fold> nodes;
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    const StateTable& table = pool_[i].table;
    weights[i].climb(table, pool_[i].component, Capped{}, budget);
    const Range& root = table.states[table.root().first_state];
    const auto ways = weights[i].up.begin() + root.offset;
    nodes.push_back({i, i, root.low, {ways, ways + root.length}});
  }
  nodes = fold(std::move(nodes), budget);
  std::vector<Cell> settled;
  for (Cell cell : reduced_.settled)
    if (reduced_.state[cell] == Reduced::kProvedMined) settled.push_back(cell);

  const Fold& top = nodes.back();
  const auto minefield = [&](std::int64_t held, std::int64_t in_rest, std::uint64_t index) {
    std::vector<Cell> mined(settled);
    const std::uint64_t rest_ways = Capped::binomial(rest(), in_rest);
    choose(reduced_.rest, in_rest, index % rest_ways, mined);
    struct Pending {
      std::size_t node;
      std::int64_t mines;
      std::uint64_t index;
    };
    std::vector<Pending> pending{{nodes.size() - 1, held, index / rest_ways}};
    while (!pending.empty() && pool_.size() > 0) {
      Pending at = pending.back();
      pending.pop_back();
      const Fold& node = nodes[at.node];
      if (node.left == node.right) {
        unrank(pool_[at.node], weights[at.node].up, at.mines, at.index, mined);
        continue;
      }
      const Fold &x = nodes[node.left], &y = nodes[node.right];
      for (std::size_t i = 0; i < x.ways.size(); ++i) {
        const std::int64_t j = at.mines - x.low - static_cast<std::int64_t>(i) - y.low;
        if (j < 0 || j >= static_cast<std::int64_t>(y.ways.size())) continue;
        const std::uint64_t right = y.ways[static_cast<std::size_t>(j)];
        if (!falls_into(at.index, Capped::product(x.ways[i], right))) continue;
        pending.push_back({node.left, x.low + static_cast<std::int64_t>(i), at.index / right});
        pending.push_back({node.right, y.low + j, at.index % right});
        break;
      }
    }
    std::sort(mined.begin(), mined.end());
    budget.spend(mined.size() + 1);
    budget.tick(reduced_.rest.size());
    found.push_back(std::move(mined));
  };
  for (std::size_t k = 0; k < top.ways.size(); ++k) {
    const std::int64_t held = top.low + static_cast<std::int64_t>(k);
    const std::int64_t fewest = mines_left_ < 0 ? 0 : mines_left_ - held;
    const std::int64_t most = mines_left_ < 0 ? rest() : mines_left_ - held;
    for (std::int64_t in_rest = std::max<std::int64_t>(0, fewest);
         in_rest <= std::min(most, rest()); ++in_rest) {
      const std::uint64_t here = Capped::product(top.ways[k], Capped::binomial(rest(), in_rest));
      for (std::uint64_t index = 0; index < here; ++index) {
        if (found.size() == limit) return found;
        minefield(held, in_rest, index);
      }
    }
  }
  return found;
}

}  // namespace minewright
