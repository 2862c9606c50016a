// A component's solution table: all the ways its boxes can hold mines, folded into states.
//
// Every node of the merge plan has states: how many mines the node's boxes hold in each constraint
// that is still open. A state of a merged node comes from pairs of states of its two parts. These
// triples are recorded, and all later passes (counting, marginals, certainty, enumeration) are
// plain walks over them, forwards or backwards. Building the table uses integers only.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "bits.hpp"
#include "budget.hpp"
#include "plan.hpp"

namespace minewright {

struct Triple {
  std::uint32_t left, right, merged;  // states
};

struct Node {
  std::uint32_t first_state, end_state;
  std::uint32_t first_triple, end_triple;
};

// The number of mines below a state is in low … low+length-1. Its polynomial starts at `offset` in
// an array of coefficients, its bits start at `word`.
struct Range {
  std::int32_t low, length;
  std::uint32_t offset, word;
};

class StateTable {
 public:
  // Throws OverBudget. Afterwards the states of `root()` are the final ones: a single state unless
  // a constraint is observed, and none if the component has no solution.
  void build(const Component& component, const std::vector<Merge>& merges, Budget& budget);

  std::vector<Range> states;
  std::vector<Triple> triples;
  std::vector<Node> nodes;                // boxes first, then merges; the last is the root
  std::vector<std::uint64_t> support;     // the mine counts each state can have, as bits
  std::vector<std::int32_t> root_amount;  // per root state: mines in the observed constraint
  std::uint32_t coefficients = 0;         // total length of all polynomials

  const Node& root() const { return nodes.back(); }

 private:
  struct Field {
    std::uint32_t constraint;
    std::int32_t inside;
    std::uint16_t word, shift, width;  // of the value bits; the guard bit is above them
  };
  template <std::size_t W>
  using Key = std::array<std::uint64_t, W>;
  // Keys of W words: one per state, and those of a merge's two parts in the merge's own layout.
  template <std::size_t W>
  struct Keys {
    std::vector<Key<W>> of_state, left, right;
  };
  struct Layout {
    std::uint32_t first, end;  // the fields of a node
  };
  template <std::size_t W>
  class Builder;

  std::tuple<Keys<1>, Keys<2>, Keys<8>, Keys<64>> keys_;
  std::vector<Field> fields_, merging_, closing_;
  std::vector<Layout> layout_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace minewright
