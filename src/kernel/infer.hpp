// Exact inference: what follows from a position, and how likely the rest is.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "join.hpp"
#include "reduce.hpp"
#include "solved.hpp"

namespace minewright {

// A probability that is not proved to be 0 or 1, kept from looking like it.
double uncertain(double p);

struct Inference {
  bool consistent = false;
  bool in_range = true;      // false: doubles could not hold the numbers, `probability` is wrong
  bool approximate = false;  // some components were sampled
  std::int64_t best = -1;    // the safest covered cell, the first of equals, or -1
  std::vector<Cell> safe, mined;    // every certain covered cell, in order
  std::vector<double> probability;  // one a cell, NaN where not covered
  std::vector<double> error;        // standard errors, if approximate
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
  TooHard(std::vector<Cell> cells, const Budget& budget)
      : std::runtime_error("budget exceeded"),
        cells(std::move(cells)),
        states(budget.used()),
        seconds(budget.elapsed()) {}
  std::vector<Cell> cells;
  std::uint64_t states;
  double seconds;
};

// It was sampled, but the random walks do not agree: their answer cannot be trusted.
struct WalksDisagree : TooHard {
  using TooHard::TooHard;
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
  // As `infer`, but components that are too hard are sampled.
  Inference approximate(const Graph& graph, const Question& question, std::uint64_t seed,
                        Budget& budget);

 private:
  // Reduces and counts what is left; false when that shows a contradiction already.
  bool prepare(const Graph& graph, const Question& question);
  // Adds a solved component; false when it has no solution.
  bool solve_component(std::size_t index, Budget& budget);
  // Everything up to the join of the possible counts: is the position consistent?
  bool solve(const Graph& graph, const Question& question, Budget& budget);
  std::span<Part> parts() { return {part_pool_.data(), count_}; }
  std::int64_t rest() const { return static_cast<std::int64_t>(reduced_.rest.size()); }
  void weigh(Budget& budget);
  // All answers of a consistent position whose components are solved and joined.
  void conclude(const Question& question, Inference& result, Budget& budget);
  // Writes down what is settled, what the solved components and the rest say, and the best cell.
  void answer_settled(Inference& result) const;
  void answer_component(std::size_t solved, Inference& result, Budget& budget);
  void answer_rest(Inference& result);
  void finish(const Question& question, Inference& result) const;
  std::vector<Cell> cells_of(std::size_t index) const;
  double log2_ways(std::size_t solved) const;
  ExactPart exact_part(std::size_t solved, bool marginals, Budget& budget) const;
  void unrank(const Solved& solved, const std::vector<std::uint64_t>& ways, std::int64_t mines,
              std::uint64_t index, std::vector<Cell>& mined) const;

  Reduced reduced_;
  Planner planner_;
  Join join_;
  std::vector<std::unique_ptr<Solved>> solved_;  // kept from call to call; the first are in use
  std::vector<Part> part_pool_;                  // beside `solved_`
  std::size_t count_ = 0;                        // solved components
  std::int64_t mines_left_ = -1;
  double odds_ = 1.0;
};

}  // namespace minewright
