// A hidden minefield and the rules of play on it. One object serves any number
// of games: `reset` begins a game, `open` plays it, and `visible` is all a player
// may look at. All memory is allocated when the object is made; games and moves
// allocate none.
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

// What the first opening is guaranteed: nothing, no mine, or no mine there or next to it.
enum class Start : std::uint8_t { any, safe, open };

// Throws std::invalid_argument if the word is not a start rule.
Start parse_start(std::string_view word);

class Minefield {
 public:
  // Keeps a reference to the graph, which must outlive this object. There are no
  // mines before the first `reset`.
  explicit Minefield(const Graph& graph);

  // Begins a game with every cell covered and `mines` mines drawn by `random`.
  //
  // The cells are put into a random order, and the mines are the first `mines`
  // cells that the start rule allows. Every minefield that the rule allows is
  // then equally likely: a uniform permutation without the forbidden cells is a
  // uniform permutation of the others. The order depends on the generator alone,
  // not on the first opening. Players that begin at different cells therefore meet
  // minefields that differ at most in the few cells the rule touches, and can be
  // compared in pairs, board by board.
  //
  // Throws std::invalid_argument if there are more mines than `room(start)`.
  void reset(std::size_t mines, Start start, const Random& random);

  // Begins a game on the given mines. The start rule moves none of them: it only
  // limits where the game may begin. Throws std::invalid_argument if a cell is
  // outside the graph or named twice, and leaves the object unchanged.
  void reset(std::span<const Cell> mined, Start start = Start::any);

  // Returns how many mines fit under the rule if the game begins at `first`, or at
  // the cell that leaves the most room.
  std::size_t room(Start start, Cell first) const;
  std::size_t room(Start start) const;

  // Returns whether this game may begin by opening `first`.
  bool allows(Cell first) const;

  // Opens a covered, unmarked cell and, around each 0, all its neighbours. Marked
  // cells are never opened, not even by the cascade. Returns the newly opened cells
  // in the order of opening, including an exploded mine; the span stays valid until
  // the next `reset`. Under `safe` and `open` the first opening lays the mines.
  // Throws std::invalid_argument if the game may not begin here.
  std::span<const Cell> open(Cell cell);

  // Opens all covered, unmarked neighbours of an open cell if its number equals the
  // number of marks around it. Otherwise opens nothing.
  std::span<const Cell> chord(Cell cell);

  // Puts a mark on a covered cell or removes it. Does nothing to an open cell.
  void mark(Cell cell);

  // Lays the mines of a game that ends before its first opening; they may then be
  // anywhere. Does nothing if the mines are already laid.
  void lay();

  // Moves the mines of a game under way to these cells, as many as before. The caller must choose
  // them so that every open cell keeps its number; the player then sees no difference.
  void move_mines(std::span<const Cell> mined);

  // What the player sees, one code per cell. An exploded mine is kMined.
  std::span<const std::uint8_t> visible() const { return visible_; }
  // Every cell's number, or kMined; only meaningful once the mines are laid.
  std::span<const std::uint8_t> truth() const { return truth_; }
  // All cells opened in this game, in the order of opening.
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
  std::vector<Cell> permutation_;  // once laid, the mines are its first `mines_` cells
  std::vector<Cell> opened_;
  Random random_{0};
  std::size_t mines_ = 0;
  std::size_t covered_safe_ = 0;
  Start start_ = Start::any;
  bool laid_ = true;
  bool exploded_ = false;
};

}  // namespace minewright
