// Bullets puzzles (Neller and Tran): minimal clue sets, the human-like grading, hill descent.
//
// A puzzle here always comes with its solution, and that is what makes this fast. To ask whether
// something follows is to ask whether a rival exists: another arrangement of bullets that agrees
// with the solution on every clue. Rivals are searched for as differences to the solution. A
// difference begins at one cell; a clue it throws out of balance must be balanced by another
// cell next to that clue, and so on until everything is in balance again, or cannot be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"
#include "mask.hpp"
#include "random.hpp"

namespace minewright {

// How many steps of each type the human-like solution has; of type 2, the bullets it settles.
struct Grade {
  int singles = 0, several = 0, total = 0;
  bool operator==(const Grade&) const = default;
};

// The paper's taste: 0 n0 - 1.5 n1 + n2 (n2 - 3); or any other by a function.
using Energy = std::function<double(const Grade&)>;

struct BulletsWish {
  std::size_t bullets = 0;
  std::size_t iterations = 500;  // of the descent
  std::size_t samples = 3;       // clue sets tried for every arrangement
  std::size_t restarts = 1;      // descents; the best puzzle of all is kept
  double hot = 0, cold = 0;      // temperatures of annealing; 0 is plain descent
  // Cells that must be clues together or not at all, for symmetric patterns: one list an orbit.
  std::vector<std::vector<Cell>> orbits;
  std::size_t fewest_clues = 0, most_clues = SIZE_MAX;
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

  explicit Bullets(const Graph& graph);
  static bool fits(const Graph& graph) {
    return graph.size() <= 64 * W && std::bit_width(graph.max_degree()) < kPlanes;
  }

  // Whether the solution is the only one with these clues and the number of bullets.
  bool unique(const Set& solution, const Set& clues, Budget& budget);
  // Hides clues in random order, each stays hidden if the solution stays unique.
  Set minimal_clues(const Set& solution, Random& random, Budget& budget);
  // As above, from a given order of orbits; empty if not even all of them are enough.
  std::optional<Set> minimal_orbits(const Set& solution,
                                    const std::vector<std::vector<Cell>>& orbits, Random& random,
                                    Budget& budget);
  // The human-like solution of a puzzle with a unique solution, in the paper's order.
  Grade grade(const Set& solution, const Set& clues, Budget& budget);
  // The best puzzle a search finds, also if the budget ends it early; nothing if no arrangement
  // it met had a clue set as wished.
  std::optional<BulletsPuzzle> make(const BulletsWish& wish, const Energy& energy, Random& random,
                                    Budget& budget);

  std::size_t size() const { return near_.size(); }

 private:
  // any: rivals may have any number of bullets. single: the right number, all in one part.
  // combined: the right number, in several parts if need be.
  enum class Wanted { any, single, combined };

  // A difference to the solution under way. How far each clue is out of balance is kept in bit
  // planes, one bit a clue in each: adding one to many clues is a few operations on sets.
  // In two's complement: 15 neighbours at the most, except in the widest engine, which takes all.
  static constexpr std::size_t kPlanes = W < 16 ? 5 : 9;
  struct Difference {
    Set open;     // cells that may differ and are not decided yet
    Set flipped;  // cells that do
    std::array<Set, kPlanes> excess;
    std::int32_t surplus = 0;  // bullets more than in the solution
  };

  // Prepares a search for rivals: which clues count, which cells may differ.
  void begin(const Set& solution, const Set& clues, const Set& open, Wanted wanted);
  void settle();
  void flip(Difference& difference, std::size_t cell) const;
  // Is there a rival that differs at this cell? Then its cells are in rival_. Cells tried are
  // closed to later searches.
  bool rival_at(std::size_t cell, Budget& budget);
  bool balance(const Difference& difference, Budget& budget);
  bool balance_by(const Set& cells, Difference difference, Budget& budget);
  bool has_twin(std::size_t cell) const;
  bool still_unique(const Set& solution, const Set& clues, std::size_t hidden, Budget& budget);
  bool step_of_one(const Set& clues);
  bool step_of_several(const Set& clues, Budget& budget);

  std::vector<Set> near_;
  Set all_;

  Set solution_, clues_;
  Set open_;  // cells that may differ
  Set rival_;
  Wanted wanted_ = Wanted::any;
  bool more_ = false, fewer_ = false;  // kinds of parts met with another number of bullets

  Set unknown_;  // while grading
  std::vector<std::size_t> order_;
};

extern template class Bullets<1>;
extern template class Bullets<2>;
extern template class Bullets<4>;
extern template class Bullets<16>;

}  // namespace minewright
