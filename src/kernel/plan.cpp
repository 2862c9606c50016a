#include "plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace minewright {

namespace {

// A random plan may prefer a constraint that costs up to this many bits more.
constexpr double kNoise = 1.5;

double log2_of(std::int32_t x) {
  static const auto table = [] {
    std::array<double, 64> t{};
    for (std::size_t i = 1; i < t.size(); ++i) t[i] = std::log2(static_cast<double>(i));
    return t;
  }();
  return x < 64 ? table[static_cast<std::size_t>(x)] : std::log2(static_cast<double>(x));
}

}  // namespace

double Planner::bits(std::uint32_t constraint, std::int32_t inside) const {
  const std::int32_t range =
      component_->most(constraint, inside) - component_->least(constraint, inside) + 1;
  return range > 1 ? log2_of(range) : 0.0;
}

// Returns how much the group that closes this constraint has to remember.
double Planner::cost(std::uint32_t constraint) {
  touched_.clear();
  for (std::uint32_t group : holders_[constraint]) {
    effort_ += length_[group];
    for (const Open& o : open(group)) {
      if (sum_[o.constraint] == 0) touched_.push_back(o.constraint);
      sum_[o.constraint] += o.inside;
    }
  }
  double total = 0;
  for (std::uint32_t c : touched_) {
    if (c != constraint) total += bits(c, sum_[c]);
    sum_[c] = 0;
  }
  return total;
}

double Planner::merged_bits(std::uint32_t left, std::uint32_t right) {
  const auto a = open(left), b = open(right);
  effort_ += a.size() + b.size();
  double total = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].constraint < b[j].constraint)) {
      total += bits(a[i].constraint, a[i].inside);
      ++i;
    } else if (i == a.size() || b[j].constraint < a[i].constraint) {
      total += bits(b[j].constraint, b[j].inside);
      ++j;
    } else {
      total += bits(a[i].constraint, a[i].inside + b[j].inside);
      ++i, ++j;
    }
  }
  return total;
}

std::uint32_t Planner::merge(std::uint32_t left, std::uint32_t right) {
  const auto group = static_cast<std::uint32_t>(start_.size());
  const auto begin = pool_.size();
  const std::size_t left_end = start_[left] + length_[left];
  const std::size_t right_end = start_[right] + length_[right];
  std::size_t i = start_[left], j = start_[right];
  double width = 0;
  // By index, not by span, because the pool grows while it is read.
  while (i < left_end || j < right_end) {
    Open o;
    if (j == right_end || (i < left_end && pool_[i].constraint < pool_[j].constraint))
      o = pool_[i++];
    else if (i == left_end || pool_[j].constraint < pool_[i].constraint)
      o = pool_[j++];
    else
      o = {pool_[i].constraint, pool_[i].inside + pool_[j].inside}, ++i, ++j;
    const bool whole = o.inside == component_->cells[o.constraint];
    if (whole && static_cast<std::int32_t>(o.constraint) != component_->observed) {
      closed_[o.constraint] = 1;
      continue;
    }
    width += bits(o.constraint, o.inside);
    pool_.push_back(o);
  }
  start_.push_back(static_cast<std::uint32_t>(begin));
  length_.push_back(static_cast<std::uint32_t>(pool_.size() - begin));
  width_.push_back(width);
  // The estimated number of pairs of states to try.
  work_ += std::exp2(std::min(width_[left] + width_[right], 900.0));
  for (const Open& o : open(group)) {
    auto& holders = holders_[o.constraint];
    std::erase_if(holders, [&](std::uint32_t g) { return g == left || g == right; });
    holders.push_back(group);
  }
  return group;
}

void Planner::eliminate(std::uint32_t constraint, std::vector<Merge>& merges) {
  batch_ = holders_[constraint];
  while (batch_.size() > 1) {
    // Start with the smallest group, then always add the one that increases the width least.
    if (batch_.size() > 2) {
      auto smallest = std::min_element(batch_.begin(), batch_.end(),
                                       [&](auto a, auto b) { return width_[a] < width_[b]; });
      std::iter_swap(batch_.begin(), smallest);
    }
    while (batch_.size() > 1) {
      std::size_t best = 1;
      if (batch_.size() > 2) {
        double least = merged_bits(batch_[0], batch_[1]);
        for (std::size_t i = 2; i < batch_.size(); ++i) {
          const double other = merged_bits(batch_[0], batch_[i]);
          if (other < least) least = other, best = i;
        }
      }
      merges.push_back({batch_[0], batch_[best]});
      batch_[0] = merge(batch_[0], batch_[best]);
      batch_.erase(batch_.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }
}

double Planner::plan(const Component& component, std::vector<Merge>& merges, Budget& budget,
                     Random* random) {
  component_ = &component;
  effort_ = 0;
  std::uint64_t ticked = 0;
  const auto tick = [&] {
    budget.tick(effort_ - ticked);
    ticked = effort_;
  };
  merges.clear();
  const std::size_t boxes = component.size.size(), count = component.constraints.size();
  start_.clear();
  length_.clear();
  pool_.clear();
  width_.clear();
  work_ = static_cast<double>(boxes);
  if (holders_.size() < count) holders_.resize(count);
  for (std::size_t c = 0; c < count; ++c) holders_[c].clear();
  closed_.assign(count, 0);
  sum_.assign(count, 0);
  price_.assign(count, 0);

  for (std::uint32_t box = 0; box < boxes; ++box) {
    start_.push_back(static_cast<std::uint32_t>(pool_.size()));
    double width = 0;
    std::uint32_t length = 0;
    for (std::uint32_t c : component.box_constraints[box]) {
      const bool whole = component.size[box] == component.cells[c];
      if (whole && static_cast<std::int32_t>(c) != component.observed) {
        closed_[c] = 1;
        continue;
      }
      pool_.push_back({c, component.size[box]});
      width += bits(c, component.size[box]);
      holders_[c].push_back(box);
      ++length;
    }
    // `Reduced` sorts the constraints of a box, but their local numbers may be in another order.
    std::sort(pool_.begin() + start_.back(), pool_.end(),
              [](const Open& a, const Open& b) { return a.constraint < b.constraint; });
    length_.push_back(length);
    width_.push_back(width);
  }
  // Prices change as groups merge. An outdated offer is recognised by its price and skipped.
  offers_.clear();
  const auto offer = [&](std::uint32_t c) {
    if (closed_[c] || static_cast<std::int32_t>(c) == component.observed) return;
    price_[c] = cost(c) + (random != nullptr ? kNoise * random->uniform() : 0.0);
    offers_.push_back({price_[c], c});
    std::push_heap(offers_.begin(), offers_.end(), std::greater<>());
  };
  for (std::uint32_t c = 0; c < count; ++c) {
    offer(c);
    tick();
  }
  while (!offers_.empty()) {
    std::pop_heap(offers_.begin(), offers_.end(), std::greater<>());
    const auto [price, best] = offers_.back();
    offers_.pop_back();
    if (closed_[best] || price != price_[best]) continue;
    eliminate(best, merges);
    const auto group = static_cast<std::uint32_t>(start_.size() - 1);
    for (std::size_t i = 0; i < length_[group]; ++i) {
      offer(pool_[start_[group] + i].constraint);
      tick();
    }
  }
  if (component.observed >= 0) eliminate(static_cast<std::uint32_t>(component.observed), merges);
  return std::log2(work_);
}

}  // namespace minewright
