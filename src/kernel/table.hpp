// A component's solution table: all ways its boxes can hold mines, folded into states.
//
// Every node of the merge plan has states: how many mines the node's boxes hold in each
// constraint that is still open. A state of a merged node arises from pairs of states of its two
// parts; these triples are recorded, and all later passes (counting, marginals, certainty,
// enumeration) are plain walks over them, forwards or backwards. This pass uses integers only.
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

// The number of mines below a state ranges over low … low+length-1; `offset` is where its
// polynomial starts in an array of coefficients, `word` where its bits start.
struct Range {
  std::int32_t low, length;
  std::uint32_t offset, word;
};

class Table {
 public:
  // Throws OverBudget. Afterwards `root_first … root_end` are the final states (one, unless a
  // constraint is observed; none when the component has no solution).
  void build(const Component& component, const std::vector<Merge>& merges, Budget& budget);

  std::vector<Range> states;
  std::vector<Triple> triples;
  std::vector<Node> nodes;                // boxes first, then merges; the last is the root
  std::vector<std::uint64_t> support;     // which mine counts each state can have, as bits
  std::vector<std::int32_t> root_amount;  // mines in the observed constraint, of each root state
  std::uint32_t coefficients = 0;         // total length of all polynomials

  const Node& root() const { return nodes.back(); }

 private:
  struct Field {
    std::uint32_t constraint;
    std::int32_t inside;
    std::uint16_t word, shift, width;  // value bits; the guard bit is above them
  };
  template <std::size_t W>
  using Key = std::array<std::uint64_t, W>;
  // Keys of W words: one a state, and the two parts of a merge in the merge's own layout.
  template <std::size_t W>
  struct Keys {
    std::vector<Key<W>> of_state, left, right;
  };
  struct Layout {
    std::uint32_t first, end;  // fields of a node
  };
  template <std::size_t W>
  class Builder;

  std::tuple<Keys<1>, Keys<2>, Keys<8>, Keys<64>> keys_;
  std::vector<Field> fields_, merging_, closing_;
  std::vector<Layout> layout_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace minewright
