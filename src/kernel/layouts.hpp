// The layouts of the mines in the parts of a position that are independent of each other.
//
// Covered cells depend on each other if they stand in one constraint, or if one of them will show
// the other's mine once it is open. Components that are linked in this way form a region. A region
// that has no cell of the rest, and whose components can hold only one number of mines each, is
// closed: what happens elsewhere tells nothing about it, and vice versa. So it is played on its
// own, and the chances to win all regions are multiplied. Everything else is one open region.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "turn.hpp"

namespace minewright {

class Layouts {
 public:
  // Finds the regions of a weighed turn, the open one last (it may be empty). `codes` are what the
  // player sees, with proved mines as kMined.
  void divide(const Graph& graph, Turn& turn, std::span<const std::uint8_t> codes);
  std::size_t regions() const { return counts_.size(); }
  // Returns the number of layouts of a region, rounded; infinity if there are too many for doubles.
  double count(std::size_t region) const { return counts_[region]; }
  // Returns the safety of the safest cell of a region.
  double most_safety(const Turn& turn, std::size_t region) const;
  // Lists all layouts of a region in `cells` and `mined`.
  void list(const Graph& graph, Turn& turn, std::size_t region);

  std::vector<Cell> cells;  // the uncertain cells of the region listed last
  std::size_t size() const { return size_; }
  bool mined(std::size_t layout, std::size_t place) const {
    return mined_[layout * cells.size() + place] != 0;
  }
  // The place of a cell among `cells`, or kNoPlace.
  static constexpr std::uint32_t kNoPlace = UINT32_MAX;
  std::uint32_t place(Cell cell) const { return place_[cell]; }

 private:
  // The mines of some cells, layout after layout.
  struct Listed {
    std::size_t layouts = 0;
    std::vector<std::uint8_t> mined;
  };
  double ways(const Turn& turn, std::size_t component, std::size_t k) const;
  void count_open(Turn& turn);
  Listed list_state(Turn& turn, std::size_t component, std::uint32_t node, std::uint32_t state,
                    std::int32_t mines);
  Listed list_component(Turn& turn, std::size_t component, std::int64_t mines);
  static Listed list_cells(std::size_t cells, std::int64_t mines);
  static Listed both(const Listed& some, std::size_t some_cells, const Listed& others,
                     std::size_t other_cells);
  static void append(Listed& to, const Listed& more);
  std::size_t component_cells(Turn& turn, std::size_t component) const;

  std::vector<std::uint32_t> link_;    // per component: others of its region; the rest is the last
  std::vector<std::uint32_t> region_;  // per component
  std::vector<double> counts_;
  std::vector<std::uint32_t> place_, component_at_;
  std::vector<std::uint8_t> mined_;
  std::size_t size_ = 0;
};

}  // namespace minewright
