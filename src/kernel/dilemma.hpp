// Guesses that will have to be made, found before they are due.
//
// Two adjacent cells are a dilemma if exactly one of them is mined and every cell that touches only
// one of them is mined too: no number will ever tell which. A dilemma costs half of the games, now
// or later. While one of the telling cells may still be safe, there is only a chance of a dilemma,
// and it is gone as soon as such a cell, or one of the two, has been opened and survived. So those
// cells are worth more than their safety and their number say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"
#include "turn.hpp"

namespace minewright {

class Dilemmas {
 public:
  // Keeps a reference to the graph.
  explicit Dilemmas(const Graph& graph) : graph_(graph) {}

  // Forgets what was found.
  void clear() { factor_.assign(graph_.size(), 1.0); }
  // Finds the likely dilemmas of a weighed turn. `codes` are what the player sees, with proved
  // mines as kMined. Throws OverBudget.
  void find(const Turn& turn, std::span<const std::uint8_t> codes, Budget& budget);
  // Returns what surviving this cell is worth: 1, or more if that rules out dilemmas.
  double factor(Cell cell) const { return factor_[cell]; }

 private:
  bool add_telling(std::span<const std::uint8_t> codes, Cell own, Cell other);
  double chance(std::int64_t mines, Cell a, Cell b, Budget& budget);
  double chance_of(std::int64_t mines, Cell cell, Budget& budget);

  const Graph& graph_;
  std::vector<double> factor_, mined_;  // per cell; `mined_` is above 1 if the cell is certain
  std::vector<Cell> telling_;           // uncertain cells that touch only one of the two
  double bound_ = 1;                    // a guess at the chance, to save the work where it is small
  Turn turn_;                           // of what is assumed
  std::vector<std::uint8_t> codes_;
};

}  // namespace minewright
