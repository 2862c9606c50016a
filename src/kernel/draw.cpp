#include "draw.hpp"

#include <algorithm>

namespace minewright {

namespace {

// Only proportions matter, so all numbers are scaled down when some grow too large.
constexpr double kLarge = 0x1p500;

void shrink(std::vector<double>& numbers) {
  const double most = *std::max_element(numbers.begin(), numbers.end());
  if (most < kLarge && most > 1 / kLarge) return;
  if (!(most > 0)) return;
  for (double& number : numbers) number /= most;
}

// Returns an index, each with a chance in proportion to its weight.
std::size_t pick(std::span<const double> weights, Random& random) {
  double total = 0;
  for (double weight : weights) total += weight;
  if (!(total > 0)) throw OverBudget();  // doubles could not hold the numbers
  double left = random.uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

void Drawer::add_up(Turn& turn) {
  const std::size_t count = turn.components();
  const auto mines = static_cast<std::size_t>(turn.mines());
  after_.resize(std::max(after_.size(), count + 1));
  const std::size_t rest = turn.reduced().rest.size();
  std::vector<double>& last = after_[count];
  last.assign(mines + 1, 0.0);
  last[0] = 1;
  for (std::size_t m = 1; m <= std::min(mines, rest); ++m) {
    last[m] =
        last[m - 1] * turn.odds() * static_cast<double>(rest - m + 1) / static_cast<double>(m);
    if (last[m] > kLarge) shrink(last);
  }
  for (std::size_t i = count; i-- > 0;) {
    const Part& part = turn.part(i);
    std::vector<double>& sum = after_[i];
    sum.assign(mines + 1, 0.0);
    for (std::size_t k = 0; k < part.ways.size(); ++k)
      for (std::size_t m = static_cast<std::size_t>(part.low) + k; m <= mines; ++m)
        sum[m] += part.ways[k] * after_[i + 1][m - static_cast<std::size_t>(part.low) - k];
    shrink(sum);
  }
}

void Drawer::draw_cells(std::span<const Cell> cells, std::int64_t mines, Random& random) {
  cells_.assign(cells.begin(), cells.end());
  for (std::size_t i = 0; i < static_cast<std::size_t>(mines); ++i) {
    std::swap(cells_[i], cells_[i + random.below(cells_.size() - i)]);
    mined_.push_back(cells_[i]);
  }
}

void Drawer::draw_component(Turn& turn, std::size_t index, std::int64_t mines, Random& random) {
  const Solved& solved = turn.solved(index);
  const StateTable& table = solved.table;
  const auto& up = solved.weights.up;
  const auto boxes = static_cast<std::uint32_t>(solved.component.size.size());
  pending_.assign(1, {static_cast<std::uint32_t>(table.nodes.size() - 1), table.root().first_state,
                      static_cast<std::int32_t>(mines)});
  while (!pending_.empty()) {
    const Pending at = pending_.back();
    pending_.pop_back();
    if (at.node < boxes) {
      draw_cells(turn.cells(turn.reduced().component_boxes[index][at.node]), at.mines, random);
      continue;
    }
    ways_.clear();
    weights_.clear();
    for (auto t = table.nodes[at.node].first_triple; t < table.nodes[at.node].end_triple; ++t) {
      const Triple& triple = table.triples[t];
      if (triple.merged != at.state) continue;
      const Range &x = table.states[triple.left], &y = table.states[triple.right];
      for (std::int32_t i = 0; i < x.length; ++i) {
        const std::int32_t j = at.mines - (x.low + i) - y.low;
        if (j < 0 || j >= y.length) continue;
        ways_.push_back({t, x.low + i});
        weights_.push_back(up[x.offset + static_cast<std::uint32_t>(i)] *
                           up[y.offset + static_cast<std::uint32_t>(j)]);
      }
    }
    const Way way = ways_[pick(weights_, random)];
    const Triple& triple = table.triples[way.triple];
    const Merge& merge = solved.merges[at.node - boxes];
    pending_.push_back({merge.left, triple.left, way.left});
    pending_.push_back({merge.right, triple.right, at.mines - way.left});
  }
}

std::span<const Cell> Drawer::draw(Turn& turn, Random& random) {
  add_up(turn);
  mined_.clear();
  auto left = static_cast<std::size_t>(turn.mines());
  std::vector<double> weights;
  for (std::size_t i = 0; i < turn.components(); ++i) {
    const Part& part = turn.part(i);
    const auto low = static_cast<std::size_t>(part.low);
    weights.assign(part.ways.size(), 0.0);
    for (std::size_t k = 0; k < part.ways.size() && low + k <= left; ++k)
      weights[k] = part.ways[k] * after_[i + 1][left - low - k];
    const std::size_t held = low + pick(weights, random);
    draw_component(turn, i, static_cast<std::int64_t>(held), random);
    left -= held;
  }
  draw_cells(turn.reduced().rest, static_cast<std::int64_t>(left), random);
  return mined_;
}

}  // namespace minewright
