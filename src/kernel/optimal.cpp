#include "optimal.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "endgame.hpp"

namespace minewright {

namespace {

// The layouts of a board in lexical order, numbered by the combinatorial number system.
class Numbered {
 public:
  Numbered(std::size_t cells, std::size_t mines) : cells_(cells), mines_(mines) {
    ways_.assign(cells + 1, std::vector<std::uint64_t>(mines + 1, 0));
    for (std::size_t n = 0; n <= cells; ++n) {
      ways_[n][0] = 1;
      for (std::size_t k = 1; k <= mines && n > 0; ++k)
        ways_[n][k] = std::min(kMostLayouts + 1, ways_[n - 1][k - 1] + ways_[n - 1][k]);
    }
  }
  std::uint64_t size() const { return ways_[cells_][mines_]; }
  // The number of a layout, given as its sorted mined cells.
  std::uint32_t number(std::span<const Cell> mined) const {
    std::uint64_t number = 0;
    Cell next = 0;
    for (std::size_t i = 0; i < mined.size(); ++i)
      for (; next <= mined[i]; ++next)
        if (next < mined[i]) number += ways_[cells_ - next - 1][mines_ - i - 1];
    return static_cast<std::uint32_t>(number);
  }
  // Calls visit(number, sorted mined cells) for every layout.
  template <class Visit>
  void each(Visit visit) const {
    std::vector<Cell> mined(mines_);
    for (std::size_t i = 0; i < mines_; ++i) mined[i] = static_cast<Cell>(i);
    for (std::uint32_t number = 0; number < size(); ++number) {
      visit(number, std::span<const Cell>(mined));
      std::size_t i = mines_;
      while (i > 0 && mined[i - 1] == cells_ - mines_ + i - 1) --i;
      if (i == 0) break;
      ++mined[i - 1];
      for (std::size_t j = i; j < mines_; ++j) mined[j] = mined[j - 1] + 1;
    }
  }

 private:
  std::size_t cells_, mines_;
  std::vector<std::vector<std::uint64_t>> ways_;  // n choose k
};

}  // namespace

std::vector<FirstCell> solve_board(const Graph& graph, std::size_t mines,
                                   const std::vector<std::vector<Cell>>& symmetries,
                                   std::span<const Cell> first_cells, std::size_t most_sets,
                                   Budget& budget) {
  const std::size_t cells = graph.size();
  if (mines > cells) throw std::invalid_argument("there are more mines than cells");
  const Numbered layouts(cells, mines);
  if (layouts.size() > kMostLayouts)
    throw std::invalid_argument("the board has more than " + std::to_string(kMostLayouts) +
                                " layouts of its mines");
  // What is too much to look at once must not take its memory first.
  if (cells * layouts.size() > budget.states()) throw OverBudget();
  Endgame endgame;
  endgame.reset(cells, layouts.size());
  endgame.set_memory(most_sets);
  std::vector<std::uint8_t> number(cells);
  layouts.each([&](std::uint32_t layout, std::span<const Cell> mined) {
    std::fill(number.begin(), number.end(), std::uint8_t{1});
    for (Cell cell : mined)
      for (Cell other : graph.neighbours(cell)) ++number[other];
    for (Cell cell : mined) number[cell] = Endgame::kMine;
    for (Cell cell = 0; cell < cells; ++cell) endgame.shown(cell, layout) = number[cell];
    budget.tick(cells);
  });
  std::vector<std::vector<std::uint32_t>> maps;
  std::vector<Cell> image;
  for (const auto& symmetry : symmetries) {
    auto& map = maps.emplace_back(layouts.size());
    layouts.each([&](std::uint32_t layout, std::span<const Cell> mined) {
      image.clear();
      for (Cell cell : mined) image.push_back(symmetry.at(cell));
      std::sort(image.begin(), image.end());
      map[layout] = layouts.number(image);
      budget.tick(cells);
    });
  }
  endgame.set_symmetries(std::move(maps));

  std::vector<FirstCell> result;
  for (Cell cell : first_cells) {
    FirstCell first{cell, 0, 0, 0, 0};
    for (std::uint32_t layout = 0; layout < layouts.size(); ++layout) {
      first.safe += endgame.shown(cell, layout) != Endgame::kMine;
      first.open += endgame.shown(cell, layout) == 1;
    }
    for (std::uint8_t shown = 1; shown <= graph.neighbours(cell).size() + 1; ++shown) {
      const Endgame::Answer answer = endgame.solve(cell, shown, budget.states(), budget);
      if (!answer.exact()) throw OverBudget();
      first.won += answer.lower;
      if (shown == 1) first.open_won = answer.lower;
    }
    result.push_back(first);
  }
  return result;
}

}  // namespace minewright
