// Reduces a position to the small problem that remains.
//
// The covered cells next to a number form a constraint. Most cells of a game are settled by single
// constraints and by pairs where one contains the other. The others are grouped into boxes (cells
// that stand in the same constraints) and components (boxes linked through constraints). The
// reduced problem has exactly the minefields of the position: every rule here is an equivalence, so
// nothing is lost and nothing is guessed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "lists.hpp"

namespace minewright {

// The problem to solve: the visible codes of all cells and how to read them.
struct Question {
  std::span<const std::uint8_t> cells;
  std::int64_t mines = -1;  // the total; negative if unknown
  bool trust_marks = false;
  // A cell assumed to be safe whose number is asked for: its constraint allows any number.
  Cell observed = kNoCell;
};

struct Constraint {
  std::int32_t low, high;  // how many of its cells are mined: low == high unless observed
};

class Reduced {
 public:
  enum State : std::uint8_t { kOpen, kUnknown, kProvedSafe, kProvedMined };

  // Reduces the question, reusing this object's memory. If `consistent` is false afterwards, the
  // other members are not filled.
  void run(const Graph& graph, const Question& question);

  bool consistent = true;
  std::vector<std::uint8_t> state;  // the State of every cell
  std::vector<Cell> settled;        // covered cells proved safe or mined here
  std::int64_t mines = 0;           // the number of known and settled mines

  // Boxes: `members[box]` are its cells, `box_constraints[box]` its constraints.
  Lists members, box_constraints;
  // Constraints: their boxes, their bounds, and the clue each of them came from.
  Lists constraint_boxes;
  std::vector<Constraint> constraints;
  std::vector<Cell> clue;
  std::int32_t observed_constraint = -1;
  // Components: their boxes and their constraints, and the place of each in its list.
  Lists component_boxes, component_constraints;
  std::vector<std::uint32_t> box_place, constraint_place;
  std::vector<Cell> rest;  // covered cells in no constraint

 private:
  void read(const Graph& graph, const Question& question);
  void settle_single(const Graph& graph);
  void settle_cell(const Graph& graph, Cell cell, bool mined);
  void make_boxes(const Graph& graph);
  void settle_subsets();
  bool settle_boxes_of(std::uint32_t constraint);
  void merge_boxes();
  void make_components();

  std::vector<std::int16_t> need_, unknown_;  // per clue, while cells are settled
  std::vector<std::int32_t> constraint_of_;   // per clue cell, or -1
  std::vector<Cell> queue_, clues_;
  Cell observed_ = kNoCell;

  Lists raw_members_, raw_box_constraints_, raw_constraint_boxes_;
  std::vector<Constraint> raw_constraints_;
  std::vector<Cell> raw_clue_;
  std::vector<std::uint32_t> box_of_, size_, stamp_, link_, renumbered_;
  std::vector<std::uint8_t> box_gone_, queued_;
  std::vector<std::uint32_t> work_;
};

}  // namespace minewright
