#include "sum_search.hpp"

#include <algorithm>

namespace minewright {

void SumSearch::start(const Sums& system, LookAhead by, Budget* budget) {
  system_ = &system;
  by_ = by;
  prunes_ = by == LookAhead::gac || by == LookAhead::ac3;
  budget_ = budget;
  weight_ = system.caps_.size() / 4;
  low_.assign(system.caps_.size(), 0);
  high_ = system.caps_;
  floor_ = 0;
  const std::size_t sums = system.totals_.size();
  least_.assign(sums, 0);
  most_.assign(sums, 0);
  open_.assign(sums, 0);
  open_xor_.assign(sums, 0);
  for (std::size_t sum = 0; sum < sums; ++sum)
    for (std::uint32_t variable : system.variables_[sum]) {
      most_[sum] += high_[variable];
      ++open_[sum];
      open_xor_[sum] ^= variable;
    }
  is_taken_.assign(low_.size(), 0);
  queued_.assign(sums, 0);
  queue_.assign(sums, 0);
  head_ = waiting_ = 0;
  taken_.clear();
  trail_.clear();
  frames_.clear();
}

void SumSearch::start_pruned(const Sums& system) {
  system_ = &system;
  low_ = system.low_;
  high_ = system.high_;
  least_ = system.least_;
  most_ = system.most_;
  queued_.assign(least_.size(), 0);
  queue_.resize(least_.size());
  head_ = waiting_ = 0;
  trail_.clear();
}

void SumSearch::narrow(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  trail_.push_back({variable, low_[variable], high_[variable]});
  const std::int64_t up = low - low_[variable], down = high_[variable] - high;
  low_[variable] = low;
  high_[variable] = high;
  floor_ += up;
  for (std::uint32_t sum : system_->sums_of_[variable]) {
    least_[sum] += up;
    most_[sum] -= down;
  }
}

void SumSearch::queue_sum(std::uint32_t sum) {
  if (queued_[sum]) return;
  queued_[sum] = 1;
  std::size_t place = head_ + waiting_++;
  if (place >= queue_.size()) place -= queue_.size();
  queue_[place] = sum;
}

void SumSearch::narrow_and_queue(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  narrow(variable, low, high);
  for (std::uint32_t sum : system_->sums_of_[variable]) queue_sum(sum);
}

bool SumSearch::settle() {
  bool consistent = true;
  while (waiting_ > 0) {
    const std::uint32_t sum = queue_[head_];
    if (++head_ == queue_.size()) head_ = 0;
    --waiting_;
    queued_[sum] = 0;
    if (!consistent) continue;  // only empties the queue
    const std::int64_t total = system_->totals_[sum];
    const std::int64_t up = total - least_[sum], down = most_[sum] - total;
    consistent = up >= 0 && down >= 0;
    if (!consistent || (up >= system_->widest_[sum] && down >= system_->widest_[sum])) continue;
    // No variable is further above its low, or below its high, than all of them are together.
    queued_[sum] = 1;  // it need not look at its own changes again
    for (std::uint32_t variable : system_->variables_[sum]) {
      const std::int64_t width = high_[variable] - low_[variable];
      if (width <= up && width <= down) continue;
      const std::int32_t low = low_[variable], high = high_[variable];
      narrow_and_queue(variable, width > down ? static_cast<std::int32_t>(high - down) : low,
                       width > up ? static_cast<std::int32_t>(low + up) : high);
    }
    queued_[sum] = 0;
  }
  return consistent;
}

// A sum with one variable left determines its value. A complete sum is checked.
bool SumSearch::foresee(std::uint32_t sum) {
  if (open_[sum] == 0) return least_[sum] == system_->totals_[sum];
  if (open_[sum] > 1) return true;
  const std::uint32_t variable = open_xor_[sum];
  const std::int64_t value = system_->totals_[sum] - (least_[sum] - low_[variable]);
  if (value < low_[variable] || value > high_[variable]) return false;
  if (low_[variable] != high_[variable])
    narrow(variable, static_cast<std::int32_t>(value), static_cast<std::int32_t>(value));
  return true;
}

bool SumSearch::look_ahead(std::uint32_t variable) {
  const auto sums = system_->sums_of_[variable];
  switch (by_) {
    case LookAhead::check:
      return std::all_of(sums.begin(), sums.end(), [&](std::uint32_t sum) {
        return least_[sum] <= system_->totals_[sum] && system_->totals_[sum] <= most_[sum];
      });
    case LookAhead::forward:
      return std::all_of(sums.begin(), sums.end(), [&](std::uint32_t sum) { return foresee(sum); });
    case LookAhead::gac:
      for (std::uint32_t sum : sums) queue_sum(sum);
      return settle();
    case LookAhead::ac3:
      partial_.queue_variable(variable);
      return partial_.run(*this);
  }
  return true;
}

bool SumSearch::root() {
  for (std::uint32_t sum = 0; sum < least_.size(); ++sum) {
    const std::int64_t total = system_->totals_[sum];
    switch (by_) {
      case LookAhead::forward:
        if (!foresee(sum)) return false;
        break;
      case LookAhead::gac:
        queue_sum(sum);
        break;
      default:  // ac3 too: its partial sums start from reachable totals
        if (least_[sum] > total || most_[sum] < total) return false;
    }
  }
  if (by_ == LookAhead::gac) return settle();
  if (by_ != LookAhead::ac3) return true;
  partial_.start(*system_);
  partial_.queue_all();
  return partial_.run(*this);
}

bool SumSearch::take(std::uint32_t variable, std::int32_t value) {
  if (low_[variable] != value || high_[variable] != value) narrow(variable, value, value);
  if (!prunes_) {
    is_taken_[variable] = 1;
    taken_.push_back(variable);
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      --open_[sum];
      open_xor_[sum] ^= variable;
    }
  }
  return look_ahead(variable);
}

bool SumSearch::restrict(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  narrow(variable, low, high);
  return look_ahead(variable);
}

void SumSearch::undo(const Mark& mark) {
  for (; trail_.size() > mark.trail; trail_.pop_back()) {
    const Change& change = trail_.back();
    const std::uint32_t variable = change.variable;
    const std::int64_t up = low_[variable] - change.low, down = change.high - high_[variable];
    low_[variable] = change.low;
    high_[variable] = change.high;
    floor_ -= up;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      least_[sum] -= up;
      most_[sum] += down;
    }
  }
  for (; taken_.size() > mark.taken; taken_.pop_back()) {
    const std::uint32_t variable = taken_.back();
    is_taken_[variable] = 0;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      ++open_[sum];
      open_xor_[sum] ^= variable;
    }
  }
  if (by_ == LookAhead::ac3) partial_.undo(mark.bits);
}

std::uint32_t SumSearch::pick(Order order, std::uint32_t from) const {
  const auto size = static_cast<std::uint32_t>(low_.size());
  if (order == Order::given) {
    for (std::uint32_t variable = from; variable < size; ++variable)
      if (!settled(variable)) return variable;
    return kNone;
  }
  std::uint32_t best = kNone, best_others = 0;
  std::int64_t best_values = 0;
  for (std::uint32_t variable = 0; variable < size; ++variable) {
    if (settled(variable)) continue;
    // What counts is the part of its range that its sums still leave, pruned or not.
    std::int64_t low = low_[variable], high = high_[variable];
    std::uint32_t others = 0;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      const std::int64_t total = system_->totals_[sum];
      low = std::max(low, high_[variable] - (most_[sum] - total));
      high = std::min(high, low_[variable] + (total - least_[sum]));
      others += most_[sum] - least_[sum] > high_[variable] - low_[variable];
    }
    const std::int64_t values = high - low;
    if (values <= 0) return variable;
    if (best != kNone && (values > best_values || (values == best_values && others <= best_others)))
      continue;
    best = variable;
    best_values = values;
    best_others = others;
  }
  return best;
}

}  // namespace minewright
