// The paper's reasoner: Knuth's Dancing Links, modified for at-least constraints.
//
// Neller and Tran: "each row in the doubly-linked matrix corresponds to an at-least constraint and
// each column corresponds to a variable". They say no more of it. Here assigning a variable covers
// its column, a constraint that is satisfied is a covered row, and everything is undone in reverse
// order. The engine is offered beside the fast one (reason.hpp), to be read and to be held
// against it.
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

  // Which variables have one value in every solution. Throws TooHard. To be called once.
  Consequences run();

 private:
  using Index = std::uint32_t;
  // Node 0 is the root; then come the heads of the columns, the heads of the rows, and the cells.
  // Right of the root stand the columns not yet assigned, below it the rows not yet satisfied:
  // what can be reached from the root is the problem that is left.
  struct Node {
    Index left, right, up, down;
    Index row, column;  // their heads
  };
  struct Row {
    bool value;
    std::uint32_t need;   // so many more of its cells must have the value
    std::uint32_t left;   // cells not yet assigned
    std::uint32_t quiet;  // how many those were before the present search
  };
  struct Assignment {
    Index column;
    bool value;
    std::size_t before;  // how many assignments came earlier
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
  std::vector<Index> tight_;            // heads of rows that need all the cells they have left
  std::vector<Assignment> trail_;       // everything assigned, in order
  std::vector<Assignment> choices_;     // those of the search that may still go the other way
  std::size_t facts_ = 0;               // so many of the trail's first are certain
  std::vector<std::uint8_t> assigned_;  // of a column
  std::vector<std::uint8_t> found_;     // of a column: its value in the first solution
  std::vector<std::uint8_t> differs_;   // of a column: whether a solution has the other value
};

}  // namespace minewright
