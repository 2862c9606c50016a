// Whole games played natively: exact inference while something is certain, otherwise a guess.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "champion.hpp"
#include "draw.hpp"
#include "graph.hpp"
#include "kinds.hpp"
#include "knowledge.hpp"
#include "memo.hpp"
#include "minefield.hpp"
#include "prospect.hpp"
#include "random.hpp"
#include "trials.hpp"
#include "turn.hpp"

namespace minewright {

// How a player chooses among the safest cells when nothing is certain.
enum class Guess : std::uint8_t {
  first,     // the lowest index
  corner,    // the fewest neighbours, then the lowest index
  pseq,      // most progress, then most expected safe cells, then most information, then at random
  champion,  // trades safety for what comes after it, at some level
};

// A native player. The champion also has a level.
struct Style {
  Guess guess;
  const Level* level = nullptr;
};

// Throws std::invalid_argument if the word is not a native player.
Style parse_player(std::string_view word);

// One item per game. Booleans are stored as the bytes 1 and 0, so that they can be shown as arrays.
struct Games {
  std::vector<std::uint8_t> won;
  std::vector<std::uint8_t> gave_up;    // out of states, or doubles could not hold the numbers
  std::vector<std::uint8_t> timed_out;  // out of seconds
  std::vector<std::uint32_t> cleared, found, guesses;
  std::vector<std::int64_t> exploded;  // the cell, or -1
  std::vector<std::int64_t> nanoseconds;
  std::vector<std::vector<std::pair<Cell, bool>>> moves;  // only if recorded
  // Only if measured: the chance to survive all risks of a game that goes on past each of them. Its
  // mean is the share of games won, with less luck in it.
  std::vector<double> safety;
};

// What all games of a run have in common.
struct Match {
  std::size_t mines;
  Start start;
  Style style;
  Cell first_cell;
  std::uint64_t seed;
  std::uint64_t states;  // the budget of a game
  double seconds;        // the same in processor time of the thread
  bool record;
  // Whether to measure the safety of games. A game that would be lost is recorded as lost, but goes
  // on: on a minefield drawn from those on which the fatal move survives.
  bool safety;
  void (*interrupt)();
};

class Player {
 public:
  // Keeps a reference to the graph. Throws std::invalid_argument if it lacks the first cell.
  Player(const Graph& graph, const Match& match);

  // Plays the game of this stream and adds its outcome. Throws std::invalid_argument if the start
  // rule forbids the first cell.
  void play(std::uint64_t stream, Games& games);

  // Takes up a position, given by what the player sees. It must be consistent and have no cell that
  // is certainly safe. Throws OverBudget if its chances cannot be weighed, otherwise
  // std::invalid_argument.
  void take_up(std::span<const std::uint8_t> codes, Budget& budget);
  // Plays the position taken up to its end, on a minefield of this stream drawn from all those that
  // fit and have no mine at the cell. The cell is opened first, and its risk counts. Needs a match
  // that measures safety; the budget is that of the game. Throws OutOfTime if no such minefield is
  // drawn in time, and std::invalid_argument if the cell is not uncertain.
  void play_on(Cell cell, std::uint64_t stream, Games& games, Budget& budget);

 private:
  // A guess, and its chance of a mine.
  struct Choice {
    Cell cell;
    double risk;
  };
  // How a game has gone so far.
  struct Outcome {
    bool won = false;
    std::uint32_t cleared = 0, found = 0, guesses = 0;
    std::int64_t exploded = -1;
  };

  template <class Begin>
  void run(Begin&& begin, Games& games, Budget& budget);
  void begin(std::uint64_t stream);
  void first_move(std::uint64_t stream);
  void turn(Budget& budget);
  void survive(Choice choice, Budget& budget);
  void draw_without(Cell cell, Turn& turn, std::span<const std::uint8_t> codes, Random& random,
                    Budget& budget);
  void note_loss(Cell cell);
  Outcome outcome() const;
  void open(Cell cell, bool guess);
  void open_all(std::span<const Cell> cells);
  Choice choose(Budget& budget);
  Cell choose_pseq(Budget& budget);
  Question question() const {
    return {known_.codes(), static_cast<std::int64_t>(match_.mines), false, kNoCell};
  }

  const Graph& graph_;
  Match match_;
  Minefield field_;
  Random random_{0};
  Turn turn_;
  Prospector prospector_;

  Knowledge known_;

  struct Tied {
    Cell cell;
    std::uint32_t kind;
  };
  std::vector<Tied> tied_;
  Kinds kinds_;
  std::vector<Prospect> prospects_;  // per kind
  Champion champion_;
  std::unique_ptr<Trials> trials_;  // only at levels that have them
  std::vector<Option> options_;
  Memo memo_;

  std::uint32_t guesses_ = 0;
  std::vector<std::pair<Cell, bool>> moves_;

  // While safety is measured:
  double safety_ = 1;
  bool lost_ = false;
  Outcome at_loss_;
  Random fate_{0};
  Drawer drawer_;
  std::vector<Cell> drawn_;

  // The position taken up, with proved mines as kMined.
  std::vector<std::uint8_t> taken_;
  Turn taken_turn_;
};

}  // namespace minewright
