// Minefields that need no guess: from the first cell on, reasoning alone opens every safe cell.
//
// There are two ways to find one. *Uniform*: minefields are drawn until one qualifies, so that all
// that qualify are equally likely. *Repaired*: one minefield is drawn, and wherever reasoning is
// stuck, just enough mines are moved for it to continue. It is then tried again from the start,
// because a number that has changed may have been needed earlier.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"
#include "knowledge.hpp"
#include "minefield.hpp"
#include "random.hpp"
#include "turn.hpp"

namespace minewright {

// What a player may use: one number at a time, or everything that can be proved.
enum class Reasoning : std::uint8_t { single, all };

// Throws std::invalid_argument if the word is not a way of reasoning.
Reasoning parse_reasoning(std::string_view word);

struct NoGuessWish {
  std::size_t mines;
  Cell first;
  Start start;
  Reasoning reasoning;
  bool total;   // whether the number of mines may be used
  bool repair;  // repaired, not uniform
  std::uint64_t seed;
};

struct NoGuessField {
  std::vector<Cell> mined;  // in order
  std::uint64_t drawn = 0;  // minefields drawn
  std::uint64_t moved = 0;  // mines moved in the one that is returned
};

class NoGuess {
 public:
  // Keeps a reference to the graph. Throws std::invalid_argument if the mines do not fit, or if
  // the first cell does not exist.
  NoGuess(const Graph& graph, const NoGuessWish& wish);

  // Makes a minefield. Throws OverBudget if none is found in time.
  NoGuessField make(std::uint64_t stream, Budget& budget);
  // Returns how many safe cells reasoning cannot open.
  std::size_t stuck(std::span<const Cell> mined, Budget& budget);

 private:
  void draw(Random& random);
  void count();
  // Covers everything, opens the first cell and all that follows.
  void explore(Budget& budget);
  // Opens all that follows from what is open now.
  void advance(Budget& budget);
  bool open(Cell cell);
  bool repaired(Random& random, Budget& budget);
  // Moves mines so that reasoning can continue. Returns false if it must begin again.
  bool mend(Random& random);
  bool break_in(Random& random);
  void move_mine(Cell from, Cell to);
  bool covered(Cell cell) const { return known_[cell] == kCovered; }

  const Graph& graph_;
  NoGuessWish wish_;
  Turn turn_;
  Knowledge known_;
  std::vector<std::uint8_t> mined_, number_, kept_;  // per cell; kept_: never mined
  std::size_t left_ = 0;                             // safe cells that are still covered
  std::uint64_t moved_ = 0;
  std::vector<Cell> allowed_, stack_, clues_, near_, far_;
};

}  // namespace minewright
