// A hidden minefield and the rules of play on it. One object serves any number
// of games: `reset` begins one, `open` plays, `visible` is all a player may
// look at. All memory is taken when the object is made; no game and no move
// takes more.
//
//   Minefield field(graph);
//   for (std::uint64_t game = 0; game < games; ++game) {
//     field.reset(99, Start::safe, Random(seed, game));
//     while (!field.over()) field.open(player.choose(field.visible()));
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graph.hpp"
#include "random.hpp"

namespace minewright {

// What the first opening is promised: nothing, no mine, or no mine next to it either.
enum class Start : std::uint8_t { any, safe, open };

// Throws std::invalid_argument for a word that is no start rule.
Start parse_start(std::string_view word);

class Minefield {
 public:
  // The graph is kept by reference and must outlive this object. Until the
  // first `reset` there are no mines.
  explicit Minefield(const Graph& graph);

  // Begins a game: everything covered, `mines` mines to be drawn by `random`.
  //
  // The mines are the first `mines` cells of a random permutation that the start
  // rule does not forbid. Every minefield that the rule allows is then equally
  // likely, for leaving out the forbidden cells of a uniform permutation leaves a
  // uniform permutation of the others. And the permutation depends on the
  // generator alone, not on the first opening: players that begin elsewhere meet
  // minefields that differ at most in the few cells the rule touches, so that
  // they can be compared in pairs, board by board.
  //
  // Throws std::invalid_argument when there are more mines than `room(start)`.
  void reset(std::size_t mines, Start start, const Random& random);

  // Begins a game on given mines. The start rule then moves no mine: it only
  // limits where the game may begin. Throws std::invalid_argument for a cell that
  // is outside the graph or named twice; the object is then as it was.
  void reset(std::span<const Cell> mined, Start start = Start::any);

  // How many mines the rule leaves room for when the game begins at `first`, or
  // where it leaves the most.
  std::size_t room(Start start, Cell first) const;
  std::size_t room(Start start) const;

  // May this game begin by opening `first`?
  bool allows(Cell first) const;

  // Opens a covered cell without a mark and, from each 0, all around it. A mark
  // is never opened, neither here nor by the cascade. Gives the newly opened cells
  // in the order of opening, an exploded mine among them; the span stays valid
  // until the next `reset`. Under `safe` and `open` the first opening lays the
  // mines. Throws std::invalid_argument when the game may not begin here.
  std::span<const Cell> open(Cell cell);

  // Opens all covered neighbours without a mark of an open number that has as
  // many marks around it as it says; otherwise it opens nothing.
  std::span<const Cell> chord(Cell cell);

  // Puts a mark on a covered cell or takes it off. Does nothing to an open cell.
  void mark(Cell cell);

  // Lays the mines of a game that ends before its first opening; nothing is
  // forbidden them then. Does nothing where mines are laid.
  void lay();

  // What the player sees, one code a cell. An exploded mine is kMined.
  std::span<const std::uint8_t> visible() const { return visible_; }
  // Every cell's number, or kMined; only meaningful once the mines are laid.
  std::span<const std::uint8_t> truth() const { return truth_; }
  // All opened cells of this game in the order of opening.
  std::span<const Cell> opened() const { return opened_; }

  const Graph& graph() const { return *graph_; }
  std::size_t mines() const { return mines_; }
  std::size_t covered_safe() const { return covered_safe_; }
  bool laid() const { return laid_; }
  bool exploded() const { return exploded_; }
  bool won() const { return !exploded_ && covered_safe_ == 0; }
  bool over() const { return exploded_ || covered_safe_ == 0; }

 private:
  void cover(std::size_t mines, Start start);
  void draw(std::span<const Cell> forbidden, std::span<const Cell> also_forbidden);
  void count();
  void uncover(Cell cell);
  std::span<const Cell> cascade(std::size_t from);

  const Graph* graph_;
  std::size_t min_degree_ = 0;
  std::vector<std::uint8_t> truth_;
  std::vector<std::uint8_t> visible_;
  std::vector<Cell> permutation_;  // its first `mines_` cells are the mines, once laid
  std::vector<Cell> opened_;
  Random random_{0};
  std::size_t mines_ = 0;
  std::size_t covered_safe_ = 0;
  Start start_ = Start::any;
  bool laid_ = true;
  bool exploded_ = false;
};

}  // namespace minewright
