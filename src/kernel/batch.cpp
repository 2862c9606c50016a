#include "batch.hpp"

#include <algorithm>
#include <stdexcept>

namespace minewright {

namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 31;

std::size_t cells_in(const Graph& graph, std::size_t lanes) {
  if (lanes > kMostCells || lanes * graph.size() > kMostCells)
    throw std::invalid_argument("all lanes together have at most 2^31 cells");
  return lanes * graph.size();
}

}  // namespace

Batch::Batch(const Graph& graph, std::size_t lanes, const BatchRules& rules)
    : visible(cells_in(graph, lanes), kCovered),
      mask(lanes * graph.size()),
      reward(lanes),
      over(lanes),
      won(lanes),
      streams(lanes),
      graph_(&graph),
      rules_(rules),
      first_mask_(graph.size()),
      seeds_(lanes),
      next_(lanes) {
  const Minefield field(graph);
  if (rules.mines > field.room(rules.start) || rules.mines >= graph.size())
    throw std::invalid_argument("the mines do not fit");
  fields_.reserve(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) fields_.emplace_back(graph);
  share_ = rules.reward.progress / static_cast<double>(graph.size() - rules.mines);
  for (Cell cell = 0; cell < graph.size(); ++cell)
    first_mask_[cell] = rules.mines <= field.room(rules.start, cell);
}

void Batch::seed(std::span<const std::uint64_t> seeds) {
  if (seeds.size() != lanes()) throw std::invalid_argument("each lane needs a seed");
  std::copy(seeds.begin(), seeds.end(), seeds_.begin());
  std::fill(next_.begin(), next_.end(), 0);
}

void Batch::begin_all() {
  for (std::size_t lane = 0; lane < lanes(); ++lane) begin(lane);
  std::fill(reward.begin(), reward.end(), 0);
  std::fill(over.begin(), over.end(), 0);
  std::fill(won.begin(), won.end(), 0);
}

void Batch::begin_over() {
  for (std::size_t lane = 0; lane < lanes(); ++lane)
    if (fields_[lane].over()) begin(lane);
}

void Batch::step(std::span<const std::int64_t> moves) {
  if (moves.size() != lanes()) throw std::invalid_argument("each lane needs a move");
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    reward[lane] = 0;
    if (fields_[lane].over())
      begin(lane);
    else
      open(lane, moves[lane]);
    over[lane] = fields_[lane].over();
    won[lane] = fields_[lane].won();
  }
}

void Batch::begin(std::size_t lane) {
  const std::size_t row = lane * size();
  streams[lane] = next_[lane]++;
  fields_[lane].reset(rules_.mines, rules_.start, Random(seeds_[lane], streams[lane]));
  std::fill_n(visible.begin() + static_cast<std::ptrdiff_t>(row), size(), kCovered);
  std::copy(first_mask_.begin(), first_mask_.end(),
            mask.begin() + static_cast<std::ptrdiff_t>(row));
}

void Batch::open(std::size_t lane, std::int64_t move) {
  const std::size_t row = lane * size();
  const auto cell = static_cast<std::size_t>(move);
  if (move < 0 || cell >= size() || mask[row + cell] == 0) {
    reward[lane] = rules_.reward.useless;
    return;
  }
  Minefield& field = fields_[lane];
  const bool first = field.opened().empty();
  const auto opened = field.open(static_cast<Cell>(cell));
  // The mask of the first move no longer applies: from now on, any covered cell may be opened.
  if (first) std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(row), size(), std::int8_t{1});
  for (Cell each : opened) {
    visible[row + each] = field.visible()[each];
    mask[row + each] = 0;
  }
  if (field.exploded()) {
    reward[lane] = rules_.reward.loss;
    return;
  }
  reward[lane] = share_ * static_cast<double>(opened.size());
  if (field.won()) reward[lane] += rules_.reward.win;
}

}  // namespace minewright
