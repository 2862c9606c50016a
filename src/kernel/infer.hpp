// Exact inference: what is certain in a position, and how likely everything else is.
#pragma once

#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "pool.hpp"
#include "reduce.hpp"

namespace minewright {

// Returns a probability strictly between 0 and 1, which are given only where they are proved.
double uncertain(double p);

struct Inference {
  bool consistent = false;
  bool in_range = true;      // false: doubles could not hold the numbers, `probability` is wrong
  bool approximate = false;  // some components were sampled
  std::int64_t best = -1;    // the safest covered cell, or -1; ties go to the first
  std::vector<Cell> safe, mined;    // every certain covered cell, in order
  std::vector<double> probability;  // per cell; NaN where not covered
  std::vector<double> error;        // standard errors, if approximate
  std::uint64_t states = 0;         // the work it took
};

// The exact counts of a component, modulo several primes.
struct ExactPart {
  std::vector<std::vector<Cell>> boxes;
  std::int64_t low = 0;
  std::vector<std::uint64_t> primes;
  // ways[prime][mines - low] counts minefields; mined[prime][box][mines - low] adds up the mines
  // that the box holds in them.
  std::vector<std::vector<std::uint64_t>> ways;
  std::vector<std::vector<std::vector<std::uint64_t>>> mined;
};

struct Exact {
  bool consistent = false;
  std::int64_t mines_left = -1;   // in components and rest; negative if the total is unknown
  std::vector<Cell> safe, mined;  // settled before counting
  std::vector<Cell> rest;
  std::vector<ExactPart> parts;
};

// Answers questions about positions. Keeps its memory between calls, so each thread has its own.
class Solver {
 public:
  Inference infer(const Graph& graph, const Question& question, Budget& budget);
  bool consistent(const Graph& graph, const Question& question, Budget& budget);
  // Returns the chance that the observed cell shows n, for n = 0 … degree, if it is safe. Returns
  // nothing if it cannot be safe.
  std::vector<double> numbers(const Graph& graph, const Question& question, Budget& budget);
  // Counts all minefields; with `marginals` also the mines of every box in them.
  Exact exact(const Graph& graph, const Question& question, bool marginals, Budget& budget);
  // Returns up to `limit` consistent minefields, each as the sorted list of its mined covered
  // cells.
  std::vector<std::vector<Cell>> enumerate(const Graph& graph, const Question& question,
                                           std::size_t limit, Budget& budget);
  // Does the same as `infer`, but samples components that are too hard.
  Inference approximate(const Graph& graph, const Question& question, std::uint64_t seed,
                        Budget& budget);

 private:
  // Reduces the position and counts the mines left. Returns false if that shows a contradiction.
  bool prepare(const Graph& graph, const Question& question);
  // Adds a solved component. Returns false if it has no solution.
  bool solve_component(std::size_t index, Budget& budget);
  // Does everything up to the join of the possible counts. Returns whether the position is
  // consistent.
  bool solve(const Graph& graph, const Question& question, Budget& budget);
  std::int64_t rest() const { return static_cast<std::int64_t>(reduced_.rest.size()); }
  void weigh(Budget& budget);
  // Fills in all answers once the components of a consistent position are solved and joined.
  void conclude(const Question& question, Inference& result, Budget& budget);
  // Fill in what is settled, what a solved component and the rest say, and the certain cells with
  // the best one.
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
  Pool pool_;  // the components that are not too hard
  std::int64_t mines_left_ = -1;
  double odds_ = 1.0;
};

}  // namespace minewright
