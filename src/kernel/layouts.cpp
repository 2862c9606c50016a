#include "layouts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bits.hpp"

namespace minewright {

namespace {

constexpr double kMany = 1e15;  // above this a count is only known to be large

double choose(double n, double k) {
  double value = 1;
  for (double i = 1; i <= std::min(k, n - k) && value < kMany; ++i) value *= (n - i + 1) / i;
  return std::round(value);
}

bool single(const Part& part) {
  int bits = 0;
  for (std::uint64_t word : part.allowed) bits += std::popcount(word);
  return bits == 1;
}

}  // namespace

// The number of ways in which a component holds `low + k` mines.
double Layouts::ways(const Turn& turn, std::size_t component, std::size_t k) const {
  const Part& part = turn.part(component);
  if (!test_bit(part.allowed.data(), k)) return 0;
  const auto mines = static_cast<double>(part.low) + static_cast<double>(k);
  const double value =
      std::ldexp(part.ways[k], turn.solved(component).exponent) / std::pow(turn.odds(), mines);
  return value < kMany ? std::round(value) : std::numeric_limits<double>::infinity();
}

void Layouts::divide(const Graph& graph, Turn& turn, std::span<const std::uint8_t> codes) {
  const auto components = static_cast<std::uint32_t>(turn.components());
  link_.resize(components + 1);
  for (std::uint32_t i = 0; i <= components; ++i) link_[i] = i;
  const auto find = [this](std::uint32_t i) {
    while (link_[i] != i) i = link_[i] = link_[link_[i]];
    return i;
  };
  component_at_.assign(graph.size(), components);
  for (std::uint32_t box = 0; box < turn.boxes(); ++box)
    for (Cell cell : turn.cells(box)) component_at_[cell] = turn.component_of(box);
  for (std::uint32_t box = 0; box < turn.boxes(); ++box) {
    if (turn.chance(box) > 1) continue;  // all its cells are certain
    const std::uint32_t own = turn.component_of(box);
    for (Cell cell : turn.cells(box))
      for (Cell other : graph.neighbours(cell)) {
        if (codes[other] != kCovered || component_at_[other] == own) continue;
        const std::uint32_t a = find(own), b = find(component_at_[other]);
        link_[std::min(a, b)] = std::max(a, b);
      }
  }
  // A region is open if one of its components can hold several numbers of mines. So is the rest.
  std::vector<std::uint8_t> is_open(components + 1, 0);
  is_open[find(components)] = 1;
  for (std::uint32_t i = 0; i < components; ++i)
    if (!single(turn.part(i))) is_open[find(i)] = 1;
  std::vector<std::uint32_t> number(components + 1, UINT32_MAX);
  region_.assign(components, 0);
  counts_.clear();
  for (std::uint32_t i = 0; i < components; ++i) {
    const std::uint32_t root = find(i);
    if (is_open[root]) continue;
    if (number[root] == UINT32_MAX) {
      number[root] = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back(1);
    }
    region_[i] = number[root];
    const auto k = static_cast<std::size_t>(std::countr_zero(turn.part(i).allowed[0]));
    counts_[region_[i]] *= turn.part(i).allowed.size() == 1
                               ? ways(turn, i, k)
                               : std::numeric_limits<double>::infinity();
  }
  for (std::uint32_t i = 0; i < components; ++i)
    if (is_open[find(i)]) region_[i] = static_cast<std::uint32_t>(counts_.size());
  counts_.push_back(0);
  count_open(turn);
}

void Layouts::count_open(Turn& turn) {
  const std::size_t open = counts_.size() - 1;
  std::int64_t mines = turn.mines();
  std::vector<double> sum{1.0}, next;
  std::int64_t low = 0;
  for (std::size_t i = 0; i < turn.components(); ++i) {
    const Part& part = turn.part(i);
    if (region_[i] != open) {
      mines -= part.low + std::countr_zero(part.allowed[0]);
      continue;
    }
    next.assign(sum.size() + part.ways.size() - 1, 0.0);
    for (std::size_t k = 0; k < part.ways.size(); ++k) {
      const double count = ways(turn, i, k);
      if (count == 0) continue;
      for (std::size_t j = 0; j < sum.size(); ++j)
        if (sum[j] > 0) next[j + k] += sum[j] * count;
    }
    sum.swap(next);
    low += part.low;
  }
  const auto rest = static_cast<double>(turn.reduced().rest.size());
  double total = 0;
  for (std::size_t j = 0; j < sum.size(); ++j) {
    const auto left = static_cast<double>(mines - low) - static_cast<double>(j);
    if (sum[j] > 0 && left >= 0 && left <= rest) total += sum[j] * choose(rest, left);
  }
  counts_[open] = total;
}

double Layouts::most_safety(const Turn& turn, std::size_t region) const {
  double least = region + 1 == regions() ? turn.chance(turn.boxes()) : 1;
  for (std::size_t box = 0; box < turn.boxes(); ++box)
    if (region_[turn.component_of(box)] == region) least = std::min(least, turn.chance(box));
  return 1 - std::min(1.0, least);
}

void Layouts::append(Listed& to, const Listed& more) {
  to.layouts += more.layouts;
  to.mined.insert(to.mined.end(), more.mined.begin(), more.mined.end());
}

Layouts::Listed Layouts::both(const Listed& some, std::size_t some_cells, const Listed& others,
                              std::size_t other_cells) {
  Listed result{some.layouts * others.layouts, {}};
  result.mined.reserve(result.layouts * (some_cells + other_cells));
  for (std::size_t i = 0; i < some.layouts; ++i)
    for (std::size_t j = 0; j < others.layouts; ++j) {
      const auto left = some.mined.begin() + static_cast<std::ptrdiff_t>(i * some_cells);
      const auto right = others.mined.begin() + static_cast<std::ptrdiff_t>(j * other_cells);
      result.mined.insert(result.mined.end(), left, left + static_cast<std::ptrdiff_t>(some_cells));
      result.mined.insert(result.mined.end(), right,
                          right + static_cast<std::ptrdiff_t>(other_cells));
    }
  return result;
}

// Lists all ways to place mines in some cells.
Layouts::Listed Layouts::list_cells(std::size_t cells, std::int64_t mines) {
  Listed result;
  if (mines < 0 || mines > static_cast<std::int64_t>(cells)) return result;
  std::vector<std::uint8_t> layout(cells, 0);
  std::fill(layout.end() - mines, layout.end(), std::uint8_t{1});
  do {
    ++result.layouts;
    result.mined.insert(result.mined.end(), layout.begin(), layout.end());
  } while (std::next_permutation(layout.begin(), layout.end()));
  return result;
}

// Lists the layouts behind a state that have this many mines. The cells are in the order of the
// boxes of the plan's left part, then of its right part.
Layouts::Listed Layouts::list_state(Turn& turn, std::size_t component, std::uint32_t node,
                                    std::uint32_t state, std::int32_t mines) {
  const Solved& solved = turn.solved(component);
  const StateTable& table = solved.table;
  const auto boxes = static_cast<std::uint32_t>(solved.component.size.size());
  if (node < boxes) return list_cells(static_cast<std::size_t>(solved.component.size[node]), mines);
  const Merge& merge = solved.merges[node - boxes];
  Listed result;
  for (auto t = table.nodes[node].first_triple; t < table.nodes[node].end_triple; ++t) {
    const Triple& triple = table.triples[t];
    if (triple.merged != state) continue;
    const Range &x = table.states[triple.left], &y = table.states[triple.right];
    for (std::int32_t i = 0; i < x.length; ++i) {
      const std::int32_t j = mines - (x.low + i) - y.low;
      if (j < 0 || j >= y.length) continue;
      if (!test_bit(&table.support[x.word], static_cast<std::size_t>(i))) continue;
      if (!test_bit(&table.support[y.word], static_cast<std::size_t>(j))) continue;
      const Listed left = list_state(turn, component, merge.left, triple.left, x.low + i);
      const Listed right = list_state(turn, component, merge.right, triple.right, y.low + j);
      append(result, both(left, left.mined.size() / left.layouts, right,
                          right.mined.size() / right.layouts));
    }
  }
  return result;
}

Layouts::Listed Layouts::list_component(Turn& turn, std::size_t component, std::int64_t mines) {
  const StateTable& table = turn.solved(component).table;
  return list_state(turn, component, static_cast<std::uint32_t>(table.nodes.size() - 1),
                    table.root().first_state, static_cast<std::int32_t>(mines));
}

std::size_t Layouts::component_cells(Turn& turn, std::size_t component) const {
  std::size_t count = 0;
  for (std::int32_t size : turn.solved(component).component.size)
    count += static_cast<std::size_t>(size);
  return count;
}

void Layouts::list(const Graph& graph, Turn& turn, std::size_t region) {
  cells.clear();
  place_.assign(graph.size(), kNoPlace);
  const bool open = region + 1 == regions();
  std::int64_t left = turn.mines();  // for the region, if it is the open one
  // by_mines[m] lists the layouts of the components so far that hold m mines.
  std::vector<Listed> by_mines(1), next;
  by_mines[0] = {1, {}};
  std::size_t so_far = 0;
  // The least and the most that the remaining components can hold, and the most for the rest.
  std::int64_t least = 0;
  auto most = static_cast<std::int64_t>(turn.reduced().rest.size());
  for (std::size_t i = 0; i < turn.components(); ++i) {
    const Part& part = turn.part(i);
    if (region_[i] == region) {
      least += part.low;
      most += part.low + static_cast<std::int64_t>(part.ways.size()) - 1;
    } else if (open) {
      left -= part.low + std::countr_zero(part.allowed[0]);
    }
  }
  for (std::size_t i = 0; i < turn.components(); ++i) {
    const Part& part = turn.part(i);
    if (region_[i] != region) continue;
    least -= part.low;
    most -= part.low + static_cast<std::int64_t>(part.ways.size()) - 1;
    const std::size_t own = component_cells(turn, i);
    next.assign(by_mines.size() + static_cast<std::size_t>(part.low) + part.ways.size() - 1, {});
    for (std::size_t k = 0; k < part.ways.size(); ++k) {
      if (!test_bit(part.allowed.data(), k)) continue;
      const auto mines = static_cast<std::size_t>(part.low) + k;
      const Listed listed = list_component(turn, i, static_cast<std::int64_t>(mines));
      for (std::size_t m = 0; m < by_mines.size(); ++m) {
        const std::int64_t missing = left - static_cast<std::int64_t>(m + mines);
        if (by_mines[m].layouts == 0 || (open && (missing < least || missing > most))) continue;
        append(next[m + mines], both(by_mines[m], so_far, listed, own));
      }
    }
    by_mines.swap(next);
    so_far += own;
    // The order of the cells: that of the boxes in the plan, as `list_state` walks it.
    const Solved& solved = turn.solved(i);
    const auto boxes = static_cast<std::uint32_t>(solved.component.size.size());
    std::vector<std::uint32_t> pending{static_cast<std::uint32_t>(solved.table.nodes.size() - 1)};
    while (!pending.empty()) {
      const std::uint32_t node = pending.back();
      pending.pop_back();
      if (node < boxes) {
        const auto members = turn.cells(turn.reduced().component_boxes[i][node]);
        cells.insert(cells.end(), members.begin(), members.end());
      } else {
        pending.push_back(solved.merges[node - boxes].right);
        pending.push_back(solved.merges[node - boxes].left);
      }
    }
  }
  const auto& rest = turn.reduced().rest;
  Listed all;
  for (std::size_t m = 0; m < by_mines.size(); ++m) {
    if (by_mines[m].layouts == 0) continue;
    if (!open) {
      append(all, by_mines[m]);
      continue;
    }
    const Listed placed = list_cells(rest.size(), left - static_cast<std::int64_t>(m));
    if (placed.layouts > 0) append(all, both(by_mines[m], so_far, placed, rest.size()));
  }
  if (open) cells.insert(cells.end(), rest.begin(), rest.end());
  for (std::size_t i = 0; i < cells.size(); ++i) place_[cells[i]] = static_cast<std::uint32_t>(i);
  size_ = all.layouts;
  mined_ = std::move(all.mined);
}

}  // namespace minewright
