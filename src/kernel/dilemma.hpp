// Guesses that will have to be made, found before they are due.
//
// A dilemma has two sides with equally many cells. Either all cells of one side are mined and none
// of the other, or the reverse. A telling cell is one that touches more cells of one side than of
// the other; all telling cells are mined too, so no number will ever tell which side it is. A
// dilemma costs half of the games, now or later. While a telling cell may still be safe, there is
// only a chance of a dilemma. That chance is gone as soon as such a cell, or a cell of either side,
// has been opened and survived. So those cells are worth more than their safety and their number
// say.
//
// Three kinds are looked for: sides of one cell each, which touch; sides of two cells each, which
// all touch each other (on the usual board, the diagonals of a square); and sides of two cells
// each, where every cell touches one of the other side, with numbers between the two pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"
#include "turn.hpp"

namespace minewright {

class Dilemmas {
 public:
  // Keeps a reference to the graph.
  explicit Dilemmas(const Graph& graph) : graph_(graph), balance_(graph.size(), 0) {}

  // Forgets what was found.
  void clear() { factor_.assign(graph_.size(), 1.0); }
  // Finds the likely dilemmas of a weighed turn. `codes` are what the player sees, with proved
  // mines as kMined. If it throws OverBudget, it has found nothing.
  void find(const Turn& turn, std::span<const std::uint8_t> codes, Budget& budget);
  // Returns what surviving this cell is worth: 1, or more if that rules out a dilemma.
  double factor(Cell cell) const { return factor_[cell]; }

 private:
  // What is needed to look for dilemmas in one position.
  struct Search {
    std::span<const std::uint8_t> codes;
    std::int64_t mines;
    Budget& budget;
    std::vector<double> factors;
  };
  bool uncertain(const Search& search, Cell cell) const {
    return search.codes[cell] == kCovered && mined_[cell] <= 1;
  }
  void try_squares(Search& search, Cell a, Cell b);
  void try_pairs(Search& search, Cell a, Cell b);
  void try_sides(Search& search, std::span<const Cell> one, std::span<const Cell> other);
  bool find_telling(const Search& search, std::span<const Cell> one, std::span<const Cell> other);
  double chance(const Search& search, std::span<const Cell> one, std::span<const Cell> other);
  std::optional<double> chance_of(const Search& search, Cell cell);
  bool touch(Cell a, Cell b) const;

  const Graph& graph_;
  std::vector<double> factor_, mined_;  // per cell; `mined_` is above 1 if the cell is certain
  std::vector<std::uint8_t> is_rest_;   // per cell
  std::vector<Cell> telling_;           // the telling cells that are uncertain
  std::vector<Cell> common_;            // uncertain cells that touch both of two cells
  std::vector<std::int32_t> balance_;   // per cell: how much it tells; 0 between calls
  Turn turn_;                           // of what is assumed
  std::vector<std::uint8_t> codes_;
};

}  // namespace minewright
