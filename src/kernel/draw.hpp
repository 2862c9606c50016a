// A minefield drawn from all that fit a position, each with the same chance.
//
// The tables of a weighed turn already hold the number of ways behind every state. So a minefield
// is drawn from the top down: first how many mines each component holds, then which states and
// boxes they come from, then their cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "random.hpp"
#include "turn.hpp"

namespace minewright {

class Drawer {
 public:
  // Draws the mines of the components and the rest of a weighed turn, in no particular order. The
  // span stays valid until the next call. Throws OverBudget if doubles could not hold the numbers.
  std::span<const Cell> draw(Turn& turn, Random& random);

 private:
  void add_up(Turn& turn);
  void draw_component(Turn& turn, std::size_t index, std::int64_t mines, Random& random);
  void draw_cells(std::span<const Cell> cells, std::int64_t mines, Random& random);

  struct Pending {
    std::uint32_t node, state;
    std::int32_t mines;
  };
  // Every way in which a state arises: a triple, and a split of its mines.
  struct Way {
    std::uint32_t triple;
    std::int32_t left;
  };
  // after_[i][m] weighs the ways in which the components from i on, and the rest, hold m mines.
  std::vector<std::vector<double>> after_;
  std::vector<Pending> pending_;
  std::vector<Way> ways_;
  std::vector<double> weights_;
  std::vector<Cell> cells_, mined_;
};

}  // namespace minewright
