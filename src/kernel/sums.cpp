#include "sums.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sum_search.hpp"

namespace minewright {

namespace {

constexpr std::int32_t kMaxCap = 1'000'000;
constexpr std::int64_t kMaxMinefields = 1000;  // the exponent of a power of two a double can hold

// Pascal's row: C(cap, 0) … C(cap, cap).
std::vector<double> row_of(std::int32_t cap) {
  std::vector<double> row(static_cast<std::size_t>(cap) + 1, 1.0);
  for (std::int32_t i = 1; i <= cap; ++i)
    for (std::int32_t k = i - 1; k > 0; --k) row[k] += row[k - 1];
  return row;
}

}  // namespace

LookAhead look_ahead_of(std::string_view word) {
  if (word == "check") return LookAhead::check;
  if (word == "forward") return LookAhead::forward;
  if (word == "gac") return LookAhead::gac;
  if (word == "ac3") return LookAhead::ac3;
  throw std::invalid_argument("a search looks ahead by check, forward, gac or ac3, not by '" +
                              std::string(word) + "'");
}

Order order_of(std::string_view word) {
  if (word == "given") return Order::given;
  if (word == "constrained") return Order::constrained;
  throw std::invalid_argument("variables come in the order given or constrained, not '" +
                              std::string(word) + "'");
}

Sums::Sums(std::vector<std::int32_t> caps, std::span<const Sum> sums) : caps_(std::move(caps)) {
  for (std::size_t i = 0; i < caps_.size(); ++i)
    if (caps_[i] < 0 || caps_[i] > kMaxCap)
      throw std::invalid_argument("variable " + std::to_string(i) + " has the cap " +
                                  std::to_string(caps_[i]) + ": it must be from 0 to " +
                                  std::to_string(kMaxCap));
  std::vector<std::size_t> named(caps_.size(), 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    variables_.open();
    // An impossible total stays impossible when clamped, and can no longer overflow.
    totals_.push_back(std::clamp<std::int64_t>(sums[i].total, -1, std::int64_t{1} << 60));
    widest_.push_back(0);
    for (std::uint32_t variable : sums[i].variables) {
      const std::string where =
          "sum " + std::to_string(i) + " names variable " + std::to_string(variable);
      if (variable >= caps_.size())
        throw std::invalid_argument(where + ", and there are only " + std::to_string(caps_.size()));
      if (named[variable] == i + 1)
        throw std::invalid_argument(where + " twice: name each variable once");
      named[variable] = i + 1;
      variables_.push(variable);
      widest_.back() = std::max(widest_.back(), caps_[variable]);
    }
  }
  std::vector<std::vector<std::uint32_t>> of(caps_.size());
  for (std::uint32_t sum = 0; sum < sums.size(); ++sum)
    for (std::uint32_t variable : variables_[sum]) of[variable].push_back(sum);
  for (const auto& list : of) {
    sums_of_.open();
    for (std::uint32_t sum : list) sums_of_.push(sum);
  }

  SumSearch search;
  search.start(*this, LookAhead::gac, nullptr);
  consistent_ = search.root();
  low_ = search.low_;
  high_ = search.high_;
  least_ = search.least_;
  most_ = search.most_;
}

std::optional<std::pair<Sums::Variables, Sums::Variables>> Sums::assume(
    std::span<const std::uint32_t> ones, std::span<const std::uint32_t> zeros) const {
  // This is called thousands of times per game, so it keeps its memory. It is never re-entered.
  static thread_local SumSearch search;
  for (const auto list : {ones, zeros})
    for (std::uint32_t variable : list)
      if (variable >= caps_.size())
        throw std::invalid_argument("there is no variable " + std::to_string(variable));
  if (!consistent_) return std::nullopt;
  search.start_pruned(*this);
  for (std::uint32_t variable : ones) {
    if (search.high_[variable] != caps_[variable]) return std::nullopt;
    if (search.low_[variable] != caps_[variable])
      search.narrow_and_queue(variable, caps_[variable], caps_[variable]);
  }
  for (std::uint32_t variable : zeros) {
    if (search.low_[variable] != 0) return std::nullopt;
    if (search.high_[variable] != 0) search.narrow_and_queue(variable, 0, 0);
  }
  if (!search.settle()) return std::nullopt;
  std::optional<std::pair<Variables, Variables>> found(std::in_place);
  for (std::uint32_t variable = 0; variable < caps_.size(); ++variable) {
    if (search.high_[variable] == 0)
      found->second.push_back(variable);
    else if (search.low_[variable] == caps_[variable])
      found->first.push_back(variable);
  }
  return found;
}

std::optional<Sums::Ranges> Sums::propagate(LookAhead by) const {
  SumSearch search;
  search.start(*this, by, nullptr);
  if (!search.root()) return std::nullopt;
  return Ranges{search.low_, search.high_};
}

SumTally Sums::tally(LookAhead by, Order order, Budget& budget) const {
  SumTally found;
  const std::size_t size = caps_.size();
  std::int64_t all = 0;
  std::int32_t widest = 0;
  for (std::int32_t cap : caps_) all += cap, widest = std::max(widest, cap);
  found.mined.resize(size);
  found.least.resize(size);
  found.most.resize(size);
  if (all > kMaxMinefields) return found;

  std::vector<std::vector<double>> choose(static_cast<std::size_t>(widest) + 1);
  for (std::int32_t cap : caps_)
    if (cap > 1 && choose[cap].empty()) choose[cap] = row_of(cap);

  // The solutions with one particular sum of all variables; made when the first one turns up.
  struct Row {
    double ways = 0;
    std::vector<double> mined;
    std::vector<std::int32_t> least, most;
  };
  std::vector<Row> rows(static_cast<std::size_t>(all) + 1);
  std::int64_t least = all + 1, most = -1;
  SumSearch search;
  const auto visit = [&] {
    Row& row = rows[search.floor_];
    if (row.mined.empty()) {
      row.mined.assign(size, 0);
      row.least.resize(size);
      for (std::size_t i = 0; i < size; ++i) row.least[i] = caps_[i] + 1;
      row.most.assign(size, -1);
      least = std::min(least, search.floor_);
      most = std::max(most, search.floor_);
    }
    double ways = 1;
    if (widest > 1)
      for (std::size_t i = 0; i < size; ++i)
        if (caps_[i] > 1) ways *= choose[caps_[i]][search.low_[i]];
    row.ways += ways;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t value = search.low_[i];
      row.mined[i] += ways * value;
      row.least[i] = std::min(row.least[i], value);
      row.most[i] = std::max(row.most[i], value);
    }
    ++found.count;
    return true;
  };
  try {
    search.start(*this, by, &budget);
    if (search.root()) search.each(order, visit);
    found.complete = true;
  } catch (const OverBudget&) {
  }
  found.nodes = budget.used();
  if (most < 0) return found;
  found.low = least;
  for (std::int64_t sum = least; sum <= most; ++sum) {
    const Row& row = rows[sum];
    found.ways.push_back(row.ways);
    for (std::size_t i = 0; i < size; ++i) {
      const bool any = !row.mined.empty();
      found.mined[i].push_back(any ? row.mined[i] : 0);
      found.least[i].push_back(any ? row.least[i] : caps_[i] + 1);
      found.most[i].push_back(any ? row.most[i] : -1);
    }
  }
  return found;
}

Support Sums::support(LookAhead by, Order order, Budget& budget) const {
  Support found;
  const std::size_t size = caps_.size();
  SumSearch search;
  search.start(*this, by, &budget);
  found.complete = true;
  found.consistent = search.root();
  if (!found.consistent) return found;
  found.low = search.low_;
  found.high = search.high_;

  std::vector<std::int32_t> least = caps_, most(size, 0);  // over the solutions found
  const auto visit = [&] {
    for (std::size_t i = 0; i < size; ++i) {
      least[i] = std::min(least[i], search.low_[i]);
      most[i] = std::max(most[i], search.low_[i]);
    }
    ++found.solutions;
    return false;
  };
  const auto keep = [&](std::uint32_t variable, std::int32_t low, std::int32_t high) {
    search.restrict(variable, low, high);
    found.low = search.low_;
    found.high = search.high_;
  };
  // Looks for a solution with the variable in a part of its range. Returns false if there is none.
  const auto probe = [&](std::uint32_t variable, std::int32_t low, std::int32_t high) {
    const auto mark = search.mark();
    bool consistent = true;
    if (low == high) {
      budget.spend(1);
      consistent = search.take(variable, low);
    } else {
      consistent = search.restrict(variable, low, high);
    }
    const bool none = !consistent || search.each(order, visit);
    search.undo(mark);
    return !none;
  };
  try {
    if (search.each(order, visit)) {
      found.consistent = false;
    } else {
      for (std::uint32_t i = 0; i < size; ++i) {
        while (found.low[i] < least[i])
          if (!probe(i, found.low[i], least[i] - 1)) keep(i, least[i], found.high[i]);
        while (found.high[i] > most[i])
          if (!probe(i, most[i] + 1, found.high[i])) keep(i, found.low[i], most[i]);
      }
    }
  } catch (const OverBudget&) {
    found.complete = false;
  }
  found.nodes = budget.used();
  return found;
}

Fewest Sums::fewest(std::int64_t below, Budget& budget) const {
  SumSearch search;
  search.start(*this, LookAhead::gac, &budget);
  std::optional<std::int64_t> found;
  const auto visit = [&] {
    found = search.bound_ = search.floor_;
    return *found >= below;
  };
  try {
    if (search.root()) search.each(Order::constrained, visit);
  } catch (const OverBudget&) {
    return {};
  }
  return {true, found};
}

std::vector<std::vector<std::int32_t>> Sums::listed(LookAhead by, Order order, std::size_t limit,
                                                    Budget& budget) const {
  std::vector<std::vector<std::int32_t>> found;
  SumSearch search;
  search.start(*this, by, &budget);
  if (limit == 0 || !search.root()) return found;
  search.each(order, [&] {
    found.push_back(search.low_);
    return found.size() < limit;
  });
  return found;
}

}  // namespace minewright
