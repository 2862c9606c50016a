// Bullets puzzles (Neller and Tran): minimal clue sets, human-like grading, hill descent.
//
// A puzzle here always comes with its solution, which makes this fast. Something follows unless a
// rival exists: another arrangement of bullets that agrees with the solution on every clue. A rival
// is searched for as a difference from the solution. The difference begins at one cell. A clue it
// throws out of balance must be balanced by another cell next to that clue, and so on, until
// everything is in balance again or cannot be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "budget.hpp"
#include "deduce.hpp"
#include "graph.hpp"
#include "mask.hpp"
#include "random.hpp"

namespace minewright {

// The number of steps of each type in the human-like solution; for type 2, the number of bullets
// that the step settles.
struct Grade {
  int singles = 0, several = 0, total = 0;
  bool operator==(const Grade&) const = default;
};

// The energy of a grade. The paper's is 0 n0 - 1.5 n1 + n2 (n2 - 3); any other function will do.
using Energy = std::function<double(const Grade&)>;

// What is added to the energy, given how many clues the steps need at once: `steps[k]` of them need
// k + 1. It never returns less than `least`.
struct BulletsTaste {
  std::function<double(std::span<const int> steps)> value;
  double least = 0;
};

struct BulletsWish {
  std::size_t bullets = 0;
  std::size_t iterations = 500;  // of the descent
  std::size_t samples = 3;       // clue sets tried per arrangement
  std::size_t restarts = 1;      // descents; the best puzzle of all of them is kept
  double hot = 0, cold = 0;      // temperatures of annealing; 0 means plain descent
  // For symmetric patterns, one list per orbit: its cells are clues together or not at all.
  std::vector<std::vector<Cell>> orbits;
  std::size_t fewest_clues = 0, most_clues = SIZE_MAX;
  bool total = true;  // whether the number of bullets may be needed
};

struct BulletsPuzzle {
  std::vector<Cell> bullets, clues;
  Grade grade;
  double energy = 0;
};

template <std::size_t W>
class Bullets {
 public:
  using Set = Mask<W>;

  // Keeps a reference to the graph.
  explicit Bullets(const Graph& graph);
  static bool fits(const Graph& graph) {
    return graph.size() <= 64 * W && std::bit_width(graph.max_degree()) < kPlanes;
  }

  // Returns whether these clues have no other solution, with the number of bullets or without it.
  bool unique(const Set& solution, const Set& clues, Budget& budget, bool total = true);
  // Hides clues in random order. A clue stays hidden if the solution stays unique.
  Set minimal_clues(const Set& solution, Random& random, Budget& budget);
  // The same without the number of bullets; nothing if showing all clues is not enough.
  std::optional<Set> minimal_alone(const Set& solution, Random& random, Budget& budget);
  // The same for whole orbits.
  std::optional<Set> minimal_orbits(const Set& solution,
                                    const std::vector<std::vector<Cell>>& orbits, bool total,
                                    Random& random, Budget& budget);
  // Grades the human-like solution of a puzzle that has a unique one, in the paper's order.
  Grade grade(const Set& solution, const Set& clues, Budget& budget);
  // Counts the steps of the solution that always takes the simplest one: how many need one clue,
  // two, and so on. The number of bullets counts as a clue too, and comes last.
  std::vector<int> effort(const Set& solution, const Set& clues, Budget& budget);
  // Returns the best puzzle of a search, even one that the budget ended early, or nothing if no
  // arrangement on the way had a clue set that satisfies the wish.
  std::optional<BulletsPuzzle> make(const BulletsWish& wish, const Energy& energy,
                                    const BulletsTaste& taste, Random& random, Budget& budget);

  std::size_t size() const { return near_.size(); }

 private:
  // any: a rival may have any number of bullets. single: the right number, all in one part.
  // combined: the right number, in several parts if necessary.
  enum class Wanted { any, single, combined };

  // An unfinished difference from the solution. Bit planes with one bit per clue hold how far each
  // clue is out of balance, so adding one to many clues takes a few set operations. They are in
  // two's complement and allow 15 neighbours; the widest engine allows any number.
  static constexpr std::size_t kPlanes = W < 16 ? 5 : 9;
  struct Difference {
    Set open;     // cells that may differ and are still undecided
    Set flipped;  // cells that differ
    std::array<Set, kPlanes> excess;
    std::int32_t surplus = 0;  // its bullets minus the solution's
  };

  // Prepares a search for rivals: which clues count, which cells may differ.
  void begin(const Set& solution, const Set& clues, const Set& open, Wanted wanted);
  void settle();
  void flip(Difference& difference, std::size_t cell) const;
  // Looks for a rival that differs at this cell and leaves its cells in rival_. Cells that were
  // tried are closed to later searches.
  bool rival_at(std::size_t cell, Budget& budget);
  bool balance(const Difference& difference, Budget& budget);
  bool balance_by(const Set& cells, Difference difference, Budget& budget);
  bool has_twin(std::size_t cell) const;
  bool still_unique(const Set& solution, const Set& clues, std::size_t hidden, Budget& budget);
  bool step_of_one(const Set& clues);
  bool step_of_several(const Set& clues, Budget& budget);

  const Graph& graph_;
  std::vector<Set> near_;
  Set all_;

  Set solution_, clues_;
  Set open_;  // cells that may differ
  Set rival_;
  Wanted wanted_ = Wanted::any;
  bool more_ = false, fewer_ = false;  // parts with more or fewer bullets have been met

  Set unknown_;  // while grading
  Deducer deducer_;
  std::vector<std::uint8_t> codes_;
  std::vector<std::size_t> order_;
};

extern template class Bullets<1>;
extern template class Bullets<2>;
extern template class Bullets<4>;
extern template class Bullets<16>;

}  // namespace minewright
