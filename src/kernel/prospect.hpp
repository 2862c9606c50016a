// One move ahead: what a cell promises before it is opened.
//
// Opening a safe cell adds one constraint, on its covered neighbours, and takes the cell out of
// its box. Only the components that the cell or its neighbours stand in are solved anew, with the
// constraint observed; all others keep their tables and meet them in the join.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "turn.hpp"

namespace minewright {

// Given that the cell is safe.
struct Prospect {
  double progress = 0;     // the chance that some other covered cell is certainly safe afterwards
  double expected = 0;     // how many are, on average
  double information = 0;  // of the number it shows, in bits
};

class Prospector {
 public:
  // For a cell of the box `own` with these boxes around it, one entry for every covered neighbour
  // that is not certain, sorted. The turn has been weighed, and nothing in it is safe. A box is
  // numbered as in the turn, the rest last.
  Prospect look(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near, Budget& budget);

 private:
  // A component that changes, or one of the pieces it falls into without the cell.
  struct Piece {
    Solved solved;
    std::vector<std::uint64_t> allowed;  // when its safe cells were counted last
    std::int64_t safe = 0;
  };
  // Cells of a box that are all watched (neighbours of the cell), or none of them.
  struct Cells {
    std::uint32_t box;
    std::int32_t size;
    bool watched;
    std::uint32_t link;  // to other cells of the same piece; the last links to itself
  };

  void touch(const Turn& turn, std::uint32_t box);
  void divide(const Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near);
  void connect(const Turn& turn);
  void make_pieces(const Turn& turn, Budget& budget);
  void add_others(const Turn& turn);
  std::uint32_t find(std::uint32_t cells);
  void unite(std::uint32_t some, std::uint32_t others);
  std::int64_t count_safe(Turn& turn, Budget& budget);
  std::int64_t count_safe(const Solved& solved) const;

  std::vector<std::uint32_t> touched_;  // components
  std::vector<std::uint8_t> is_touched_;
  std::vector<Cells> cells_;
  std::vector<std::uint32_t> first_, piece_, local_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  std::size_t count_ = 0;  // pieces; the first is the watched one, if any cell is watched
  std::int32_t watched_ = 0;
  std::int64_t rest_ = 0;

  std::vector<Part> parts_;  // of the pieces, then of the components that stay as they are
  std::vector<std::uint32_t> others_;
  Planner planner_;
  Join join_;
  std::vector<double> numbers_;
};

}  // namespace minewright
