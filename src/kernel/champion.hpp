// The champion: where to open a cell when nothing is certain.
//
// - Regions with few layouts are played perfectly (see `Endgame`).
// - Elsewhere each cell that is nearly as safe as the safest is scored by its own safety, by the
//   safety of the best next move for every number it may show, and by how many cells that number
//   makes safe. The weights were fitted to games in which players chose at random among such cells.
// - Cells that would rule out a guess which may be due later are worth more (see `Dilemmas`).
// - The best of these are looked at one move deeper.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dilemma.hpp"
#include "endgame.hpp"
#include "graph.hpp"
#include "kinds.hpp"
#include "layouts.hpp"
#include "prospect.hpp"
#include "turn.hpp"

namespace minewright {

// How far the champion searches. All limits are counts, so that every machine decides alike.
struct Level {
  double margin;           // a candidate's safety is at least this share of the best cell's
  std::size_t candidates;  // at most, the safest first
  double layouts;          // regions with at most this many are played perfectly,
  std::uint64_t work;      // unless that takes more work than this
  bool dilemmas;           // whether to look for dilemmas
  std::size_t deeper;      // how many candidates are looked at one move deeper,
  std::size_t replies;     // with how many candidates there
  std::uint64_t states;    // the budget of a decision
  std::size_t tried;       // how many candidates are judged by playing on (see `Trials`),
  std::size_t trials;      // with at most this many games each
};

// Returns the level named fast, usual or deep. Throws std::invalid_argument for other words.
const Level& parse_level(std::string_view word);

// A cell that was considered.
struct Option {
  Cell cell;
  std::uint32_t kind;
  double risk;
  double score;         // estimates of different cells are in the proportion of their scores
  double next = 0;      // the expected safety of the move after it
  double progress = 0;  // the chance that some cell is safe then
  double expected = 0;  // the expected number of such cells
  double gain = 0;      // the expected logarithm of 1 plus that number
};

struct Verdict {
  Cell cell = kNoCell;
  double risk = 1;              // the cell's chance of a mine
  double estimate = 0;          // the chance to win from here
  double lower = 0, upper = 1;  // proved bounds for the chance to win with best play
  bool solved = false;          // whether the cell is proved best
  double layouts = 0;           // of the region it is in, if that was searched to the end
  std::size_t games = 0;        // played on after the cell, to estimate the chance to win
  std::vector<Option> options;  // the best first; empty if there was nothing to compare
};

class Champion {
 public:
  explicit Champion(const Graph& graph) : graph_(graph), dilemmas_(graph) {}

  // Chooses a cell. The turn must be weighed and have no safe cell. `codes` are what the player
  // sees, with proved mines as kMined. If the level's budget runs out, the choice is the best so
  // far. Throws OutOfTime.
  Cell choose(Turn& turn, std::span<const std::uint8_t> codes, const Level& level, Budget& budget);
  // The cells that were compared, the best first; none if the choice is proved best.
  const std::vector<Option>& options() const { return now_.options; }
  // Does the same and returns all that was found. The cell `also`, unless it is kNoCell, is among
  // the options if it is in the same region as the chosen one.
  Verdict judge(Turn& turn, std::span<const std::uint8_t> codes, const Level& level, Cell also,
                Budget& budget);

 private:
  // What looking ahead needs to know in one position.
  struct Frame {
    Turn turn;
    Kinds kinds;
    Prospector prospector;
    std::vector<Option> options;
    std::vector<std::uint8_t> codes;
  };
  void fill_endgame(Turn& turn, std::size_t region);
  std::size_t place_to_open(std::span<const std::uint8_t> codes,
                            const Endgame::Answer& answer) const;
  void list_options(Frame& frame, Turn& turn, std::span<const std::uint8_t> codes,
                    const Level& level, std::size_t most);
  // The factor of a cell by its dilemmas, which are looked for in the present position only.
  double factor(const Frame& frame, Cell cell) const {
    return &frame == &now_ ? dilemmas_.factor(cell) : 1.0;
  }
  void find_dilemmas(const Turn& turn, std::span<const std::uint8_t> codes, Budget& budget);
  void score_options(Frame& frame, Turn& turn, Budget& budget);
  void look_deeper(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                   Option& option, Budget& budget);
  void compare_exactly(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                       const Endgame::Answer& best, Cell also, Budget& budget);
  double estimate(const Turn& turn) const;
  void add_option(Turn& turn, Cell cell, Budget& budget);
  void compare(Turn& turn, std::span<const std::uint8_t> codes, const Level& level, Budget& budget);

  const Graph& graph_;
  Layouts layouts_;
  Endgame endgame_;
  Dilemmas dilemmas_;
  Frame now_, then_;
  std::vector<Outcome> outcomes_;
};

}  // namespace minewright
