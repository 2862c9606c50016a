// Best play on a whole board, from the first cell on: every layout of the mines, solved exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"

namespace minewright {

// How many layouts best play wins after a first cell.
struct FirstCell {
  Cell cell;
  std::uint64_t safe;      // the layouts in which it holds no mine,
  std::uint64_t won;       // and those of them that are won
  std::uint64_t open;      // the layouts in which its neighbours hold none either,
  std::uint64_t open_won;  // and those of them that are won
};

// Solves the board for the given first cells. `symmetries` are permutations of the cells that keep
// neighbours neighbours. The budget's states limit the layouts looked at, times cells; `most_sets`
// limits how many sets of layouts are remembered. Throws OverBudget, and std::invalid_argument if
// there are more layouts than `kMostLayouts`.
constexpr std::uint64_t kMostLayouts = 20'000'000;
std::vector<FirstCell> solve_board(const Graph& graph, std::size_t mines,
                                   const std::vector<std::vector<Cell>>& symmetries,
                                   std::span<const Cell> first_cells, std::size_t most_sets,
                                   Budget& budget);

}  // namespace minewright
