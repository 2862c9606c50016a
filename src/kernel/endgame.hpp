// Perfect play: the game tree over sets of layouts.
//
// All that a player knows near the end of a game is which layouts of the mines are still possible.
// Opening a cell loses those in which it is mined and divides the others by the number it shows. So
// a position is a set of layouts, and its value is the number of layouts in which best play wins:
//
// - a set of one layout is won;
// - a cell that is safe in all of them is opened for nothing;
// - otherwise the value is that of the best cell: the sum of the values of the sets it leaves;
// - a cell that would always show the same number is dead: it tells nothing that waiting would not
//   tell, so it is opened last. If all cells are dead, exactly one layout can be won.
//
// Sets that were met before are looked up, and a cell is given up as soon as the layouts it has
// left cannot beat the best cell so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"

namespace minewright {

class Endgame {
 public:
  // What is proved about a set of layouts: best play wins at least `lower` and at most `upper` of
  // them. `place` is the cell to open, by its place among the cells, or kNowhere if all are dead
  // and the cells of any one layout may be opened.
  struct Answer {
    std::uint32_t lower = 0, upper = 0;
    std::uint32_t place = kNowhere;
    bool exact() const { return lower == upper; }
  };
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  static constexpr std::uint8_t kMine = 0;  // what a mined cell shows here

  // Begins with `layouts` layouts of `cells` cells. Afterwards, fill in `shown(place, layout)`:
  // kMine, or one more than the number that the cell shows. Numbers may leave out whatever is the
  // same in all layouts.
  void reset(std::size_t cells, std::size_t layouts);
  std::uint8_t& shown(std::size_t place, std::size_t layout) {
    return shown_[place * layouts_ + layout];
  }
  // Remembers at most this many sets. With more of them it takes longer, but no more memory. (The
  // table takes half as much again while it grows for the last time.)
  static constexpr std::size_t kMostSets = std::size_t{1} << 25;  // 1.6 GB
  void set_memory(std::size_t most_sets) { most_sets_ = most_sets; }
  // Lets sets of layouts that differ by a symmetry share their value. symmetries[i][layout] is the
  // layout that the i-th symmetry makes of it.
  void set_symmetries(std::vector<std::vector<std::uint32_t>> symmetries);

  // Solves all layouts. `work` limits the layouts looked at, times cells; beyond it the answer is a
  // pair of bounds. The upper one takes a search of its own, and is trivial without `bounds`.
  // Throws OutOfTime.
  Answer solve(std::uint64_t work, Budget& budget, bool bounds = true);
  // Does the same for the layouts in which a cell shows a number (as in `shown`).
  Answer solve(std::size_t place, std::uint8_t number, std::uint64_t work, Budget& budget);
  // Returns how many layouts are won if a given cell is opened first.
  Answer first(std::size_t place, std::uint64_t work, Budget& budget);

 private:
  struct Key {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Key&) const = default;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::uint32_t lower, upper;  // lower 0: the slot is empty
  };
  struct Candidate {
    std::uint32_t place, safe, spread;
  };
  // Where the budget is used up, the search assumes the least or the most that can be won.
  enum class Leaf : std::uint8_t { least, most };

  Answer answer(std::span<const std::uint32_t> set, std::uint64_t work, Budget& budget,
                bool bounds = true);
  // Returns the value if it is above `alpha`, or else an upper bound that is not.
  std::uint32_t search(std::uint32_t first, std::uint32_t count, std::uint32_t cells_first,
                       std::uint32_t cells_count, std::int64_t alpha, std::uint32_t* place);
  std::int64_t open(std::uint32_t first, std::uint32_t count, std::uint32_t cells_first,
                    std::uint32_t cells_count, std::uint32_t place, std::int64_t alpha);
  Key key_of(std::uint32_t first, std::uint32_t count) const;
  Entry& find(Key key);
  Entry& keep(Key key);
  void forget();
  void grow();

  std::size_t cells_ = 0, layouts_ = 0;
  std::uint8_t most_shown_ = 0;
  std::vector<std::uint8_t> shown_;
  std::vector<Key> keys_;  // per layout
  std::vector<std::vector<std::uint32_t>> symmetries_;
  std::vector<std::uint32_t> sets_, places_;  // stacks of layouts and of cells
  std::vector<Candidate> candidates_;         // a stack too
  std::vector<Entry> table_;
  std::size_t entries_ = 0, most_sets_ = kMostSets;
  Entry unkept_{};
  std::vector<std::uint32_t> counts_;
  std::uint64_t work_ = 0, limit_ = 0;
  Leaf leaf_ = Leaf::least;
  bool cut_ = false;  // whether the search met its limit
  Budget* budget_ = nullptr;
};

}  // namespace minewright
