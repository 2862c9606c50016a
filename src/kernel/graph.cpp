#include "graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {
constexpr std::int64_t kMostCells = std::int64_t{1} << 28;
}  // namespace

Graph::Graph(const std::vector<std::vector<Cell>>& lists) {
  offsets_.reserve(lists.size() + 1);
  for (const auto& list : lists) {
    std::vector<Cell> sorted(list);
    std::sort(sorted.begin(), sorted.end());
    targets_.insert(targets_.end(), sorted.begin(), sorted.end());
    offsets_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
  for (Cell cell = 0; cell < size(); ++cell) {
    auto near = neighbours(cell);
    for (std::size_t i = 0; i < near.size(); ++i) {
      const Cell other = near[i];
      if (other >= size())
        throw std::invalid_argument("cell " + std::to_string(cell) + " has neighbour " +
                                    std::to_string(other) + ", but the last cell is " +
                                    std::to_string(size() - 1));
      if (other == cell || (i > 0 && near[i - 1] == other))
        throw std::invalid_argument("cell " + std::to_string(cell) + " lists neighbour " +
                                    std::to_string(other) + ", which is itself or named twice");
      auto back = neighbours(other);
      if (!std::binary_search(back.begin(), back.end(), cell))
        throw std::invalid_argument("cell " + std::to_string(other) + " does not list cell " +
                                    std::to_string(cell) + ", which lists it");
    }
  }
  finish();
}

Graph Graph::lattice(const std::vector<std::int64_t>& shape,
                     const std::vector<std::vector<std::vector<std::int64_t>>>& offsets,
                     bool wrap) {
  const std::size_t dimensions = shape.size();
  if (dimensions == 0 || offsets.empty())
    throw std::invalid_argument("a lattice needs a shape and offsets");
  std::int64_t total = 1;
  for (auto length : shape) {
    if (length < 1) throw std::invalid_argument("every side of a lattice is at least 1");
    // Divides rather than multiplies: a product of such sides may overflow.
    if (length > kMostCells / total)
      throw std::invalid_argument("a lattice has at most 2^28 cells");
    total *= length;
  }
  // Limits steps to the length of a side, so that adding one to a coordinate cannot overflow.
  auto steps = offsets;
  for (auto& list : steps)
    for (auto& step : list) {
      if (step.size() != dimensions)
        throw std::invalid_argument("an offset needs one number per side");
      for (std::size_t d = 0; d < dimensions; ++d)
        step[d] = wrap ? step[d] % shape[d] : std::clamp(step[d], -shape[d], shape[d]);
    }

  Graph graph;
  graph.offsets_.reserve(static_cast<std::size_t>(total) + 1);
  graph.targets_.reserve(static_cast<std::size_t>(total) * steps[0].size());
  std::vector<std::int64_t> at(dimensions, 0);
  std::vector<Cell> near;
  for (std::int64_t cell = 0; cell < total; ++cell) {
    const std::int64_t row = dimensions >= 2 ? at[dimensions - 2] : 0;
    near.clear();
    for (const auto& step : steps[static_cast<std::size_t>(row) % steps.size()]) {
      std::int64_t other = 0;
      bool inside = true;
      for (std::size_t d = 0; d < dimensions && inside; ++d) {
        std::int64_t x = at[d] + step[d];
        if (wrap)
          x = (x + shape[d]) % shape[d];
        else
          inside = x >= 0 && x < shape[d];
        other = other * shape[d] + x;
      }
      if (inside && other != cell) near.push_back(static_cast<Cell>(other));
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    graph.targets_.insert(graph.targets_.end(), near.begin(), near.end());
    if (graph.targets_.size() > UINT32_MAX)
      throw std::invalid_argument("a lattice has at most 2^32 pairs of neighbours");
    graph.offsets_.push_back(static_cast<std::uint32_t>(graph.targets_.size()));
    for (std::size_t d = dimensions; d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
  graph.finish();
  return graph;
}

void Graph::finish() {
  for (Cell cell = 0; cell < size(); ++cell)
    max_degree_ = std::max(max_degree_, neighbours(cell).size());
  if (max_degree_ > kMaxNumber)
    throw std::invalid_argument("a cell has at most " + std::to_string(kMaxNumber) +
                                " neighbours, not " + std::to_string(max_degree_));
}

}  // namespace minewright
