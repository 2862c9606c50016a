// A solved component: its plan, its table, and what they say once the join has weighed it.
#pragma once

#include <cstdint>
#include <vector>

#include "join.hpp"
#include "plan.hpp"
#include "table.hpp"
#include "weigh.hpp"

namespace minewright {

// Whether all cells of a box are certainly safe, or all certainly mined.
struct Certainty {
  bool safe, mined;
};

// All passes throw OverBudget.
class Solved {
 public:
  std::size_t index = 0;  // the caller's number for the component; it also seeds the plans
  Component component;
  std::vector<Merge> merges;
  StateTable table;
  Weights<Reals> weights;
  int exponent = 0;  // the weights are to be multiplied by two to this power

  // Plans and builds. Returns false if the component has no solution. At most `most_plans` further
  // plans are tried if the first looks expensive.
  bool build(Planner& planner, Budget& budget, std::size_t most_plans = SIZE_MAX);
  // Tells the join which mine counts are possible.
  void describe(Part& part) const;
  // Counts from the boxes up to the root, and adds the ways for each mine count to the part.
  void climb(double odds, Part& part, Budget& budget);
  // After the join: finds, on bits, which mine counts each state can really have.
  void reach(const Part& part, Budget& budget) {
    reach(part, table.root().first_state, table.root().end_state, budget);
  }
  // Does the same under the condition that the root is in one of these states.
  void reach(const Part& part, std::uint32_t first, std::uint32_t end, Budget& budget);
  // After the join: finds the weight of every state. Returns false if doubles could not hold the
  // numbers.
  bool descend(double odds, const Part& part, Budget& budget) {
    return descend(odds, part, table.root().first_state, table.root().end_state, budget);
  }
  // Does the same under the condition that the root is in one of these states.
  bool descend(double odds, const Part& part, std::uint32_t first, std::uint32_t end,
               Budget& budget);
  // After `reach`.
  Certainty certain(std::size_t box) const;
  // After `descend`: returns the expected number of mines in a box.
  double expected(std::size_t box) const;

 private:
  std::vector<std::uint64_t> reachable_;  // laid out like the table's `support`
  std::vector<Merge> other_merges_;
};

}  // namespace minewright
