// From a position to the small problem that is left of it.
//
// Covered cells next to numbers form constraints. Single constraints and pairs where one
// contains the other settle most cells of a game; what is left is grouped into boxes (cells
// that stand in the same constraints) and components (boxes linked through constraints).
// The reduced problem has exactly the minefields of the position: every rule here is an
// equivalence, so nothing is lost and nothing is guessed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "lists.hpp"

namespace minewright {

constexpr Cell kNoCell = UINT32_MAX;

// What is to be solved: the visible codes of all cells and how to read them.
struct Question {
  std::span<const std::uint8_t> cells;
  std::int64_t mines = -1;  // the total; negative when it is not known
  bool trust_marks = false;
  // A cell supposed to be safe whose number is asked for: a constraint that any number satisfies.
  Cell observed = kNoCell;
};

struct Constraint {
  std::int32_t low, high;  // how many of its cells are mined: low == high unless observed
};

class Reduced {
 public:
  enum State : std::uint8_t { kOpen, kUnknown, kProvedSafe, kProvedMined };

  // Reduces the question; reuses this object's memory. Reads `consistent` first: when it is
  // false the rest is not filled.
  void run(const Graph& graph, const Question& question);

  bool consistent = true;
  std::vector<std::uint8_t> state;  // State of every cell
  std::vector<Cell> settled;        // covered cells proved safe or mined here
  std::int64_t mines = 0;           // mines known or settled

  // Boxes: `members[box]` are its cells, `box_constraints[box]` its constraints.
  Lists members, box_constraints;
  // Constraints: `constraint_boxes[constraint]`, their bounds, and the clue each came from.
  Lists constraint_boxes;
  std::vector<Constraint> constraints;
  std::vector<Cell> clue;
  std::int32_t observed_constraint = -1;
  // Components: lists of boxes and of constraints, and the place of each in its list.
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

  std::vector<std::int16_t> need_, unknown_;  // a clue's, while cells are settled
  std::vector<std::int32_t> constraint_of_;   // of a clue cell, or -1
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
