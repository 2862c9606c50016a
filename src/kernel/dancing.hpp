// The paper's reasoner: Knuth's Dancing Links, modified for at-least constraints.
//
// Neller and Tran: "each row in the doubly-linked matrix corresponds to an at-least constraint and
// each column corresponds to a variable". They say no more about it. Here, assigning a variable
// covers its column, satisfying a constraint covers its row, and everything is undone in reverse
// order. This engine stands beside the fast one (reason.hpp) for reading and for comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"
#include "reason.hpp"

namespace minewright {

class DancingLinks {
 public:
  DancingLinks(std::size_t variables, std::span<const AtLeast> constraints, Budget& budget);

  // Finds the variables that have the same value in every solution. Throws TooHard. Call it once.
  Consequences run();

 private:
  using Index = std::uint32_t;
  // Node 0 is the root; the heads of the columns, the heads of the rows and the cells follow. The
  // unassigned columns are to the right of the root, the unsatisfied rows below it: the nodes that
  // can be reached from the root are the remaining problem.
  struct Node {
    Index left, right, up, down;
    Index row, column;  // their heads
  };
  struct Row {
    bool value;
    std::uint32_t need;   // how many more of its cells must have the value
    std::uint32_t left;   // unassigned cells
    std::uint32_t quiet;  // unassigned cells before the current search
  };
  struct Assignment {
    Index column;
    bool value;
    std::size_t before;  // the number of earlier assignments
  };

  void append(Index row, Index column);
  Row& row(Index node) { return rows_[nodes_[node].row - 1 - variables_]; }

  void leave_row(Index node);
  void rejoin_row(Index node);
  void leave_column(Index node);
  void rejoin_column(Index node);
  void cover_row(Index head);
  void uncover_row(Index head);

  bool assign(Index column, bool value);
  void undo_to(std::size_t count);
  bool settle();
  bool suppose(Index column, bool value);
  Index tightest();
  bool search();
  void take_for_facts();
  bool find();

  std::size_t variables_;
  Budget& budget_;
  bool possible_ = true;
  std::vector<Node> nodes_;
  std::vector<Row> rows_;
  std::vector<Index> tight_;            // heads of rows that need all their unassigned cells
  std::vector<Assignment> trail_;       // all assignments, in order
  std::vector<Assignment> choices_;     // choices of the search that can still be reversed
  std::size_t facts_ = 0;               // the first `facts_` assignments of the trail are certain
  std::vector<std::uint8_t> assigned_;  // per column
  std::vector<std::uint8_t> found_;     // per column: its value in the first solution
  std::vector<std::uint8_t> differs_;   // per column: whether some solution has the other value
};

}  // namespace minewright
