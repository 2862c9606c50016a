// What follows from at-least constraints (Neller and Tran): at least `count` variables of a list
// have a given value.
//
// Two engines give the same answer: this one counts with the tables of exact inference, and the
// paper's own searches (dancing.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lists.hpp"
#include "pool.hpp"

namespace minewright {

struct AtLeast {
  std::int64_t count;
  std::vector<std::uint32_t> cells;  // variables, each at most once
  bool value;
};

enum class Truth : std::uint8_t { is_false, is_true, open };

struct Consequences {
  bool satisfiable = false;
  std::vector<Truth> variables;  // what all solutions agree on; empty if there is no solution
};

// Throws std::invalid_argument if a list names a variable twice or one that does not exist. Input
// from outside is checked before an engine gets it.
void check(std::size_t variables, std::span<const AtLeast> constraints);

// Keeps its memory for the next run; there is one per thread.
class Reasoner {
 public:
  // Finds the variables that have the same value in every solution. Throws TooHard.
  Consequences run(std::size_t variables, std::span<const AtLeast> constraints, Budget& budget);

 private:
  // An at-least constraint while single constraints settle variables: `need` more of `left` cells.
  struct Row {
    std::int64_t need, left;
  };

  bool settle(std::span<const AtLeast> constraints);
  bool make_intervals(std::span<const AtLeast> constraints);
  void make_boxes();
  void link(std::span<const std::uint32_t> boxes, std::uint32_t without, Lists& groups);
  bool solve(std::span<const std::uint32_t> boxes, Budget& budget);
  std::uint32_t spanning(std::span<const std::uint32_t> boxes) const;
  void take(std::span<const std::uint32_t> boxes, std::uint32_t without, Component& component);
  void force(std::uint32_t box, Truth truth);
  std::vector<Cell> cells_of(std::span<const std::uint32_t> boxes) const;

  std::vector<Truth> truth_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> first_row_, rows_of_, queue_, order_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // of items in lists

  // What is left: distinct sets of open variables, with the least and most number that are true.
  Lists live_cells_, sets_, variable_sets_;
  std::vector<std::uint32_t> live_;
  std::vector<Constraint> intervals_;
  Lists members_, box_sets_, set_boxes_;

  Lists wholes_, parts_;
  std::vector<std::uint32_t> box_round_, set_round_, box_place_, set_place_, work_, taken_, rest_;
  std::uint32_t round_ = 0;
  Pool pool_;
};

}  // namespace minewright
