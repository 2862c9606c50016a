// Whole numbers under exact sums, solved by backtracking: the search of the published strategies.
//
// Variable i takes a value from 0 to its cap (a cell: 0 or 1; a box: how many of its cells are
// mined), and every sum fixes the total of some variables. How much a node of the search looks
// ahead and which variable comes next are the caller's choice, so that methods can be compared.
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

// What is done after a variable got its value.
enum class LookAhead : std::uint8_t {
  check,    // its sums can still come out: nothing is pruned
  forward,  // sums with one variable left prune it, complete ones are checked
  gac,      // every sum prunes every variable, until nothing changes
  ac3,      // the same on binary constraints between partial sums, arc by arc
};
enum class Order : std::uint8_t {
  given,        // as listed
  constrained,  // fewest values left, then most sums with another variable open
};

// Throw std::invalid_argument for a word that names none.
LookAhead look_ahead_of(std::string_view word);
Order order_of(std::string_view word);

// Of all solutions, those with low+m mines together. A solution stands for as many minefields as
// there are ways to lay each variable's value among as many cells as its cap.
struct Tally {
  bool complete = false;  // false: the budget ran out, nothing may be concluded
  std::uint64_t count = 0, nodes = 0;
  std::int64_t low = 0;
  std::vector<double> ways;                            // [m], minefields
  std::vector<std::vector<double>> mined;              // [variable][m], mines in these minefields
  std::vector<std::vector<std::int32_t>> least, most;  // [variable][m], cap+1 and -1 without any
};

// The ends of each variable's range, over all solutions; an outer bound if it is not complete.
struct Support {
  bool complete = false, consistent = true;
  std::uint64_t nodes = 0, solutions = 0;
  std::vector<std::int32_t> low, high;
};

// The least sum of all variables; none when there is no solution.
struct Fewest {
  bool complete = false;  // false: the budget ran out, nothing may be concluded
  std::optional<std::int64_t> fewest;
};

struct Sum {
  std::vector<std::uint32_t> variables;
  std::int64_t total;
};

// Never changes after it is made: threads may share one.
class Sums {
 public:
  using Ranges = std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>;  // low, high
  using Variables = std::vector<std::uint32_t>;

  // Throws std::invalid_argument for a cap below 0 or a list that names a variable twice, or one
  // that is none. A total that cannot be is none of these: such a system has no solution.
  Sums(std::vector<std::int32_t> caps, std::span<const Sum> sums);

  // The variables at their cap and those at 0 once these are put there and every sum has pruned
  // all it can; nothing at a contradiction. A variable with cap 0 counts as one at 0.
  std::optional<std::pair<Variables, Variables>> assume(std::span<const std::uint32_t> ones,
                                                        std::span<const std::uint32_t> zeros) const;
  // The ranges before any search; nothing at a contradiction.
  std::optional<Ranges> propagate(LookAhead by) const;
  // A tally holds at most 2^1000 minefields: with caps above 1000 together it is not complete.
  Tally tally(LookAhead by, Order order, Budget& budget) const;
  Support support(LookAhead by, Order order, Budget& budget) const;
  // Content with the first sum found below `below`.
  Fewest fewest(std::int64_t below, Budget& budget) const;
  // The first solutions, at most `limit`. Throws OverBudget.
  std::vector<std::vector<std::int32_t>> listed(LookAhead by, Order order, std::size_t limit,
                                                Budget& budget) const;

 private:
  friend class SumSearch;
  friend class PartialSums;

  std::vector<std::int32_t> caps_;
  std::vector<std::int64_t> totals_;
  Lists variables_, sums_of_;         // of a sum, and of a variable
  std::vector<std::int32_t> widest_;  // the largest cap in each sum
  // Where the pruning of all sums ends without any assumption, and the sums' ends there.
  bool consistent_ = true;
  std::vector<std::int32_t> low_, high_;
  std::vector<std::int64_t> least_, most_;
};

}  // namespace minewright
