// Exact inference: what follows from a position, and how likely the rest is.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "join.hpp"
#include "plan.hpp"
#include "reduce.hpp"
#include "table.hpp"
#include "weigh.hpp"

namespace minewright {

struct Inference {
  bool consistent = false;
  bool in_range = true;      // false: doubles could not hold the numbers, `probability` is wrong
  bool approximate = false;  // some components were sampled
  std::int64_t best = -1;    // the safest covered cell, the first of equals, or -1
  std::vector<Cell> safe, mined;    // every certain covered cell, in order
  std::vector<double> probability;  // one a cell, NaN where not covered
  std::vector<double> error;        // standard errors, where sampled
  std::uint64_t states = 0;         // work spent
};

// One component's exact counts modulo several primes.
struct ExactPart {
  std::vector<std::vector<Cell>> boxes;
  std::int64_t low = 0;
  std::vector<std::uint64_t> primes;
  // [prime][mines-low], and [prime][box][mines-low]: minefields times mines in the box.
  std::vector<std::vector<std::uint64_t>> ways;
  std::vector<std::vector<std::vector<std::uint64_t>>> mined;
};

struct Exact {
  bool consistent = false;
  std::int64_t mines_left = -1;  // for components and rest; negative when the total is not known
  std::vector<Cell> safe, mined, rest;  // settled before counting
  std::vector<ExactPart> parts;
};

// The component that was too hard, when the budget ran out.
struct TooHard : std::runtime_error {
  TooHard(std::vector<Cell> cells, std::uint64_t states, double seconds)
      : std::runtime_error("budget exceeded"),
        cells(std::move(cells)),
        states(states),
        seconds(seconds) {}
  std::vector<Cell> cells;
  std::uint64_t states;
  double seconds;
};

// Holds the memory of an inference, to be used again: one a thread.
class Solver {
 public:
  Inference infer(const Graph& graph, const Question& question, Budget& budget);
  bool consistent(const Graph& graph, const Question& question, Budget& budget);
  // P(the cell shows n), n = 0 … degree, given that it is safe; empty when it cannot be safe.
  std::vector<double> numbers(const Graph& graph, const Question& question, Budget& budget);
  // With `marginals` also the mines of every box.
  Exact exact(const Graph& graph, const Question& question, bool marginals, Budget& budget);
  // Up to `limit` consistent minefields, each as the sorted list of its mines among the covered
  // cells.
  std::vector<std::vector<Cell>> enumerate(const Graph& graph, const Question& question,
                                           std::size_t limit, Budget& budget);

 private:
  class Walk;
  struct Solved {
    Component component;
    std::vector<Merge> merges;
    Table table;
    Weights<Reals> weights;
    int exponent = 0;
    // Mine counts of each state that a consistent minefield has, as bits beside `support`.
    std::vector<std::uint64_t> reachable;
  };

  // Reduces, builds the tables of all components and joins their possible counts.
  bool solve(const Graph& graph, const Question& question, Budget& budget);
  void build(std::size_t index, Budget& budget);
  void fill_part(std::size_t index);
  void weigh();
  void reach(std::size_t index);
  bool descend(std::size_t index);
  double log2_ways(std::size_t index) const;
  std::vector<Cell> cells_of(std::size_t index) const;

  Reduced reduced_;
  Planner planner_;
  Join join_;
  std::vector<std::unique_ptr<Solved>>
      solved_;  // kept from call to call; only the first are in use
  std::vector<Part> part_pool_;
  std::vector<Merge> other_merges_;
  std::size_t count_ = 0;  // components
  std::int64_t mines_left_ = -1;
  double odds_ = 1.0;
};

}  // namespace minewright
