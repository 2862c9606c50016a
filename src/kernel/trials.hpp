// Guesses judged by playing on: candidates are opened on many minefields, and `champion:fast` plays
// these games to their end.
//
// What a candidate is worth is decided further ahead than its score can see. Games do see that far,
// but they involve luck. As much of it as possible is taken out: what counts is the safety of a
// game, not its outcome, and all candidates meet the same minefields. So the score and the games
// are two estimates of one thing, and each counts by how certain it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "budget.hpp"
#include "champion.hpp"
#include "graph.hpp"

namespace minewright {

class Player;

class Trials {
 public:
  Trials(const Graph& graph, std::size_t mines);
  ~Trials();

  // Puts the option that wins most often first, and turns the scores into chances to win. The
  // options are the champion's, best first. The cell `also` is tried too, if it is among them and
  // not all but certainly mined. If the budget of the level, or half of the other budget, runs out,
  // the games played by then count. Without scores, or without a first round of games, nothing
  // changes. Returns how many games the first option has played. Throws OutOfTime.
  std::size_t rank(std::span<const std::uint8_t> codes, const Level& level, Cell also,
                   std::vector<Option>& options, Budget& budget);

 private:
  struct Tried {
    std::size_t option;
    Cell cell;
    double score;
    std::vector<double> worth;  // the safeties of its games
    // The candidate that led so clearly that this one plays no more games.
    std::optional<std::size_t> beaten_by = std::nullopt;
  };
  // How much more often one candidate wins than another, as a share of their mean.
  struct Lead {
    double mean, error;
  };

  void play(std::size_t games, Budget& budget);
  double play_on(Cell cell, std::uint64_t stream, Budget& budget);
  void find_leader();
  double win(std::size_t index) const;
  Lead lead(const Tried& one, const Tried& other) const;

  std::unique_ptr<Player> player_;
  std::vector<Tried> tried_;
  std::size_t leader_ = 0;
};

}  // namespace minewright
