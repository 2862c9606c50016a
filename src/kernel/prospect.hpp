// One move ahead: what opening a cell can be expected to achieve.
//
// Opening a safe cell adds one constraint, on its covered neighbours, and takes the cell out of its
// box. Only the components of the cell and its neighbours are solved again, with that constraint
// observed. All others keep their tables, and the join brings them together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "turn.hpp"

namespace minewright {

// All of these assume that the cell is safe.
struct Prospect {
  double progress = 0;     // the chance that some other covered cell is then certainly safe
  double expected = 0;     // the expected number of such cells
  double information = 0;  // of the number it shows, in bits
};

// What can come of opening a cell.
struct Outcome {
  std::int32_t number;  // of mines in its uncertain neighbours
  double chance;        // if the cell is safe
  std::int64_t safe;    // how many other covered cells are then certainly safe
  double least;         // the lowest chance of a mine then; 0 if some cell is safe
};

class Prospector {
 public:
  // Looks at a cell of the box `own`. `near` holds, sorted, the boxes of its uncertain covered
  // neighbours, one entry per neighbour. The turn must be weighed and have no safe cell. Boxes are
  // numbered as in the turn, with the rest last.
  Prospect look(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near, Budget& budget);
  // Does the same, and also fills `outcomes`, one per number that the cell can show. Components
  // that the cell does not touch keep their chances, although the total might shift them a little.
  Prospect follow(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near,
                  Budget& budget);
  std::vector<Outcome> outcomes;

 private:
  // The safe cells of a piece, for the mine counts that were allowed when they were counted.
  struct CountedSafe {
    std::vector<std::uint64_t> allowed;
    std::int64_t safe = 0;
  };
  // Cells of one box. Either all of them are watched (neighbours of the cell) or none is.
  struct Cells {
    std::uint32_t box;
    std::int32_t size;
    bool watched;
    std::uint32_t link;  // to other Cells of the same piece; the last one links to itself
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
  Prospect look(Turn& turn, std::uint32_t own, std::span<const std::uint32_t> near, bool follow,
                Budget& budget);
  double least_risk(Turn& turn, std::uint32_t first, std::uint32_t end, Budget& budget);

  std::vector<std::uint32_t> touched_;  // components
  std::vector<std::uint8_t> is_touched_;
  std::vector<Cells> cells_;
  std::vector<std::uint32_t> first_, piece_, local_;
  std::size_t count_ = 0;  // pieces
  std::int32_t watched_ = 0;
  std::int64_t rest_ = 0;

  // The pieces into which the touched components split without the cell. The first holds the
  // watched cells, if there are any. The parts of the unchanged components follow.
  Pool pool_;
  std::vector<CountedSafe> counted_safe_;  // per piece
  std::vector<std::uint32_t> others_;      // the unchanged components
  std::vector<double> numbers_;
  double least_elsewhere_ = 1;  // the lowest chance of a mine in the unchanged components
};

}  // namespace minewright
