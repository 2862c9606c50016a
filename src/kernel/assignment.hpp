// Some assignment of mines to the boxes of a component that meets all its constraints.
#pragma once

#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "component.hpp"
#include "random.hpp"

namespace minewright {

// Returns the number of mines of each box, found by local search. It runs until it finds an
// assignment or throws OverBudget. Searches of different streams begin with few mines, as many as
// `odds` says, or many.
std::vector<std::int32_t> find_assignment(const Component& component, double odds,
                                          std::uint64_t stream, Random& random, Budget& budget);

}  // namespace minewright
