// One component, solved: its plan and table, and what they say once the join has weighed it.
#pragma once

#include <cstdint>
#include <vector>

#include "join.hpp"
#include "plan.hpp"
#include "table.hpp"
#include "weigh.hpp"

namespace minewright {

// What is certain of a box: all its cells are safe, or all are mined.
struct Certainty {
  bool safe, mined;
};

// The passes throw OverBudget when the time is over.
class Solved {
 public:
  std::size_t index = 0;  // of the component in `Reduced`
  Component component;
  std::vector<Merge> merges;
  Table table;
  Weights<Reals> weights;
  int exponent = 0;  // of two, taken out of the weights

  // Plans and builds; throws OverBudget. False when the component has no solution. At most
  // `most_plans` other plans are tried where the first looks dear.
  bool build(Planner& planner, Budget& budget, std::size_t most_plans = SIZE_MAX);
  // Which mine counts are possible, for the join.
  void describe(Part& part) const;
  // Weighs upwards and adds the ways for each mine count to the part.
  void climb(double odds, Part& part, Budget& budget);
  // After the join: which counts each state really has, on bits.
  void reach(const Part& part, Budget& budget) {
    reach(part, table.root().first_state, table.root().end_state, budget);
  }
  // The same if the component is in one of these states of the root.
  void reach(const Part& part, std::uint32_t first, std::uint32_t end, Budget& budget);
  // After the join: the weights of everything. False if doubles could not hold the numbers.
  bool descend(double odds, const Part& part, Budget& budget);
  // After `reach`.
  Certainty certain(std::size_t box) const;
  // After `descend`: how many mines to expect in a box.
  double expected(std::size_t box) const;

 private:
  std::vector<std::uint64_t> reachable_;  // beside the table's `support`
  std::vector<Merge> other_merges_;
};

}  // namespace minewright
