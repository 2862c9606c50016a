// One turn of a native player: the certain cells, found as cheaply as possible, and the chances of
// all other cells only if nothing is certain.
//
// This is the mathematics of `Solver` cut into stages, each of which may end the turn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "pool.hpp"
#include "reduce.hpp"

namespace minewright {

class Turn {
 public:
  // First stage: simple and subset rules. The position must be consistent; in a game it always is.
  void settle(const Graph& graph, const Question& question);
  // Second stage: the tables. Afterwards every certain cell is known. Throws OverBudget.
  void prove(Budget& budget);
  // Third stage: the chances. False if doubles could not hold the numbers.
  bool weigh(Budget& budget);

  // Certain cells found by the stages so far, in no particular order.
  std::vector<Cell> safe, mined;

  // Valid after `weigh`: the boxes, and the chance of a mine in them. The rest is number `boxes()`.
  std::size_t boxes() const { return reduced_.members.size(); }
  std::span<const Cell> cells(std::size_t box) const {
    return box < boxes() ? reduced_.members[box] : std::span<const Cell>(reduced_.rest);
  }
  // Above 1 if the box has no uncertain cell left.
  double chance(std::size_t box) const { return chance_[box]; }
  // The same for one of the uncertain cells.
  double chance_of(Cell cell) const;

  // For looking ahead, valid after `weigh`: the components and what the join found about them.
  const Reduced& reduced() const { return reduced_; }
  std::size_t components() const { return pool_.size(); }
  std::uint32_t component_of(std::size_t box) const { return component_of_[box]; }
  Solved& solved(std::size_t component) { return pool_[component]; }
  const Solved& solved(std::size_t component) const { return pool_[component]; }
  const Part& part(std::size_t component) const { return pool_.part(component); }
  std::int64_t mines() const { return mines_; }  // in components and rest
  double odds() const { return odds_; }          // the weight of a mine

 private:
  void take_certain(std::size_t index);
  std::int64_t rest() const { return static_cast<std::int64_t>(reduced_.rest.size()); }

  Reduced reduced_;
  Pool pool_;
  std::int64_t mines_ = 0;  // in components and rest
  double odds_ = 1.0;
  std::vector<double> chance_;
  std::vector<std::uint32_t> component_of_;  // per box
};

}  // namespace minewright
