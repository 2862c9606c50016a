// Integer variables under exact sums, solved by backtracking, as in the published strategies.
//
// Variable i takes a value from 0 to its cap: for a cell 0 or 1, for a box the number of its mines.
// Every sum fixes the total of some variables. The caller chooses how far a node of the search
// looks ahead and which variable comes next, so that methods can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "lists.hpp"

namespace minewright {

// What happens after a variable has been given a value.
enum class LookAhead : std::uint8_t {
  check,    // its sums must still be reachable; nothing is pruned
  forward,  // a sum with one variable left prunes it, a complete sum is checked
  gac,      // every sum prunes every variable, until nothing changes
  ac3,      // the same on binary constraints between partial sums, arc by arc
};
enum class Order : std::uint8_t {
  given,        // as listed
  constrained,  // fewest values left, then most sums with another variable open
};

// Both throw std::invalid_argument for an unknown word.
LookAhead look_ahead_of(std::string_view word);
Order order_of(std::string_view word);

// All solutions by their number of mines, low+m. A variable with cap c stands for c cells. Each way
// to place the values of a solution in these cells is one minefield.
struct SumTally {
  bool complete = false;  // false if the budget ran out: nothing may be concluded
  std::uint64_t count = 0, nodes = 0;
  std::int64_t low = 0;
  std::vector<double> ways;                            // [m]: minefields
  std::vector<std::vector<double>> mined;              // [variable][m]: mines in these minefields
  std::vector<std::vector<std::int32_t>> least, most;  // [variable][m]: cap+1 and -1 if none
};

// The range of each variable over all solutions. If not complete, the range may be too wide.
struct Support {
  bool complete = false, consistent = true;
  std::uint64_t nodes = 0, solutions = 0;
  std::vector<std::int32_t> low, high;
};

// The least sum of all variables; empty if there is no solution.
struct Fewest {
  bool complete = false;  // false if the budget ran out: nothing may be concluded
  std::optional<std::int64_t> fewest;
};

struct Sum {
  std::vector<std::uint32_t> variables;
  std::int64_t total;
};

// Immutable: threads may share one.
class Sums {
 public:
  using Ranges = std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>;  // low, high
  using Variables = std::vector<std::uint32_t>;

  // Throws std::invalid_argument if a cap is below 0 or a list names a variable twice or one that
  // does not exist. An impossible total is no error: such a system simply has no solution.
  Sums(std::vector<std::int32_t> caps, std::span<const Sum> sums);

  // Sets `ones` to their caps and `zeros` to 0 and lets every sum prune all it can. Returns the
  // variables that are then at their cap and those at 0, or nothing on a contradiction. A variable
  // with cap 0 counts as one at 0.
  std::optional<std::pair<Variables, Variables>> assume(std::span<const std::uint32_t> ones,
                                                        std::span<const std::uint32_t> zeros) const;
  // Returns the ranges before any search, or nothing on a contradiction.
  std::optional<Ranges> propagate(LookAhead by) const;
  // A tally holds at most 2^1000 minefields. It is incomplete if the caps add up to more than 1000.
  SumTally tally(LookAhead by, Order order, Budget& budget) const;
  Support support(LookAhead by, Order order, Budget& budget) const;
  // Stops at the first solution whose sum is below `below`.
  Fewest fewest(std::int64_t below, Budget& budget) const;
  // Returns the first solutions, at most `limit`. Throws OverBudget.
  std::vector<std::vector<std::int32_t>> listed(LookAhead by, Order order, std::size_t limit,
                                                Budget& budget) const;

 private:
  friend class SumSearch;
  friend class PartialSums;

  std::vector<std::int32_t> caps_;
  std::vector<std::int64_t> totals_;
  Lists variables_, sums_of_;         // per sum, and per variable
  std::vector<std::int32_t> widest_;  // per sum: its largest cap
  // The ranges after all sums have pruned them, without any assumption, and the sums' own ranges.
  bool consistent_ = true;
  std::vector<std::int32_t> low_, high_;
  std::vector<std::int64_t> least_, most_;
};

}  // namespace minewright
