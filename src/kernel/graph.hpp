// A graph of cells: which cells touch which. Everything in the kernel works on
// these neighbour lists and knows nothing of rows and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace minewright {

using Cell = std::uint32_t;

// What a player sees of a cell. Values below `kMined` are open cells' numbers.
constexpr std::uint8_t kCovered = 255;  // nothing known
constexpr std::uint8_t kMarked = 254;   // covered, marked as a mine by the player
constexpr std::uint8_t kSafe = 253;     // known to hold no mine, number unknown
constexpr std::uint8_t kMined = 252;    // known to hold a mine
constexpr std::uint8_t kMaxNumber = 251;

class Graph {
 public:
  // Neighbour lists, one a cell; made symmetric input is the caller's duty and
  // is checked: throws std::invalid_argument naming the first offending cell.
  explicit Graph(const std::vector<std::vector<Cell>>& lists);

  // A box of cells, `shape` from the slowest to the fastest running coordinate
  // (layers, rows, columns). `offsets[parity]` lists neighbour offsets for cells
  // whose second-to-last coordinate is even or odd (one list serves both).
  // With `wrap`, edges meet; a cell is never its own neighbour nor twice another's.
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
