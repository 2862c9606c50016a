// A graph of cells: which cells touch which. Everything in the kernel works on
// these neighbour lists and knows nothing about rows and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cell.hpp"

namespace minewright {

class Graph {
 public:
  // Takes one neighbour list per cell. The caller must pass a symmetric graph;
  // otherwise throws std::invalid_argument, which names the first offending cell.
  explicit Graph(const std::vector<std::vector<Cell>>& lists);

  // Makes a lattice. `shape` lists its sides, from the slowest to the fastest
  // coordinate (layers, rows, columns). `offsets[parity]` lists the neighbour
  // offsets of cells whose second-to-last coordinate is even or odd; a single list
  // serves both. With `wrap`, opposite edges meet. A cell is never its own
  // neighbour, nor listed twice by another.
  static Graph lattice(const std::vector<std::int64_t>& shape,
                       const std::vector<std::vector<std::vector<std::int64_t>>>& offsets,
                       bool wrap);

  std::size_t size() const { return offsets_.size() - 1; }
  std::span<const Cell> neighbours(Cell cell) const {
    return {targets_.data() + offsets_[cell], targets_.data() + offsets_[cell + 1]};
  }
  std::size_t max_degree() const { return max_degree_; }

 private:
  Graph() = default;
  void finish();

  std::vector<std::uint32_t> offsets_{0};
  std::vector<Cell> targets_;
  std::size_t max_degree_ = 0;
};

}  // namespace minewright
