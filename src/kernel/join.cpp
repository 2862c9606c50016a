#include "join.hpp"

#include <algorithm>
#include <cmath>

#include "bits.hpp"

namespace minewright {

namespace {

// Scales the largest number to one. Returns the index range outside which everything is zero.
std::pair<std::size_t, std::size_t> normalise(double* x, std::size_t n) {
  const double most = *std::max_element(x, x + n);
  if (most <= 0) return {0, 0};
  for (std::size_t i = 0; i < n; ++i) x[i] /= most;
  std::size_t first = 0, end = n;
  while (x[first] == 0) ++first;
  while (x[end - 1] == 0) --end;
  return {first, end};
}

// Multiplies x[k] by tilt^k, up to a common factor, without overflow.
void tilt_by(double tilt, double* x, std::size_t n) {
  double power = 1;
  for (std::size_t i = 0; i < n; ++i) {
    x[tilt > 1 ? n - 1 - i : i] *= power;
    power *= tilt > 1 ? 1 / tilt : tilt;
  }
}

}  // namespace

// Lays out the tree: leaves for the parts that have a choice, then pairs of adjacent nodes.
void Join::plant(std::span<Part> parts) {
  nodes_.clear();
  level_.clear();
  std::size_t coefficients = 0, words = 0;
  const auto add = [&](std::uint32_t left, std::uint32_t right, std::size_t length) {
    nodes_.push_back({left, right, length, coefficients, words});
    coefficients += length;
    words += words_for(length);
  };
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if (parts[i].ways.size() < 2) continue;
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    level_.push_back(node);
    add(i, node, parts[i].ways.size());
  }
  if (level_.empty()) add(0, 0, 1);  // no part has a choice: the only sum is zero
  while (level_.size() > 1) {
    next_level_.clear();
    for (std::size_t i = 0; i + 1 < level_.size(); i += 2) {
      const std::uint32_t left = level_[i], right = level_[i + 1];
      next_level_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      add(left, right, nodes_[left].length + nodes_[right].length - 1);
    }
    if (level_.size() % 2 == 1) next_level_.push_back(level_.back());
    level_.swap(next_level_);
  }
  possible_.assign(words, 0);
  allowed_.assign(words, 0);
  ways_.resize(coefficients);
  weight_.resize(coefficients);
}

bool Join::allow(std::span<Part> parts, std::int64_t rest, std::int64_t mines, Budget& budget) {
  rest_safe = rest_mined = false;
  for (Part& part : parts) part.allowed = part.possible;
  if (mines < 0) return true;
  slack_ = mines;
  for (const Part& part : parts) slack_ -= part.low;
  if (slack_ < 0) return false;

  plant(parts);
  const auto is_leaf = [&](std::uint32_t i) { return nodes_[i].right == i; };
  if (nodes_.size() == 1 && nodes_[0].length == 1) possible_[0] = 1;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.length == 1) continue;
    if (is_leaf(i)) {
      const auto& possible = parts[node.left].possible;
      std::copy(possible.begin(), possible.end(), &possible_[node.word]);
      continue;
    }
    const Node &x = nodes_[node.left], &y = nodes_[node.right];
    budget.tick(3 * y.length * words_for(x.length));
    for_each_bit(&possible_[y.word], words_for(y.length), [&](std::size_t k) {
      or_shifted_up(&possible_[node.word], words_for(node.length), &possible_[x.word],
                    words_for(x.length), k);
    });
  }

  const Node& top = nodes_.back();
  bool any = false;
  rest_safe = rest_mined = true;
  for_each_bit(&possible_[top.word], words_for(top.length), [&](std::size_t extra) {
    const std::int64_t left = slack_ - static_cast<std::int64_t>(extra);
    if (left < 0 || left > rest) return;
    set_bit(&allowed_[top.word], extra);
    any = true;
    rest_safe &= left == 0;
    rest_mined &= left == rest;
  });
  if (!any) return false;

  for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
    const Node& node = nodes_[i];
    if (node.length == 1) continue;
    for (std::size_t w = 0; w < words_for(node.length); ++w)
      allowed_[node.word + w] &= possible_[node.word + w];
    if (is_leaf(i)) {
      auto& allowed = parts[node.left].allowed;
      std::copy_n(&allowed_[node.word], allowed.size(), allowed.begin());
      continue;
    }
    const Node &x = nodes_[node.left], &y = nodes_[node.right];
    const auto carry = [&](const Node& to, const Node& other) {
      for_each_bit(&possible_[other.word], words_for(other.length), [&](std::size_t k) {
        or_shifted_down(&allowed_[to.word], words_for(to.length), &allowed_[node.word],
                        words_for(node.length), k);
      });
    };
    carry(x, y);
    carry(y, x);
  }
  return true;
}

// Returns the factor per mine that makes the expected number of mines equal to the true one.
double Join::tilt_for(std::span<const Part> parts, double rest, double mines, double odds) const {
  const auto expected = [&](double factor) {
    double total = rest * (odds * factor) / (1 + odds * factor);
    for (const Part& part : parts) {
      const std::size_t n = part.ways.size();
      double sum = 0, moment = 0, power = 1;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = factor > 1 ? n - 1 - i : i;
        if (sum == 0 && part.ways[k] == 0) continue;  // nothing counted yet: keep the power at 1
        sum += part.ways[k] * power;
        moment += part.ways[k] * power * static_cast<double>(k);
        power *= factor > 1 ? 1 / factor : factor;
      }
      total += static_cast<double>(part.low) + (sum > 0 ? moment / sum : 0);
    }
    return total;
  };
  // If there is nothing to gain (or no choice at all), any factor other than 1 would only do harm.
  if (std::abs(expected(1.0) - mines) < 0.5) return 1.0;
  double low = -20, high = 20;  // of its logarithm
  for (int step = 0; step < 40; ++step) {
    const double middle = (low + high) / 2;
    (expected(std::exp(middle)) < mines ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

// Computes the number of ways to mine the rest for each sum of extra mines. It goes outwards from
// the likeliest count and uses ratios only, because a double could not hold the factorials.
void Join::weigh_rest(double* weight, std::size_t length, std::int64_t rest, double each) const {
  std::fill(weight, weight + length, 0.0);
  const auto fewest = std::max<std::int64_t>(0, slack_ - static_cast<std::int64_t>(length - 1));
  const std::int64_t most = std::min(rest, slack_);
  const auto guess = static_cast<std::int64_t>(static_cast<double>(rest + 1) * each / (1 + each));
  const std::int64_t peak = std::clamp(guess, fewest, most);
  const auto at = [&](std::int64_t left) -> double& { return weight[slack_ - left]; };
  at(peak) = 1.0;
  for (std::int64_t left = peak; left < most; ++left)
    at(left + 1) =
        at(left) * (each * static_cast<double>(rest - left) / static_cast<double>(left + 1));
  for (std::int64_t left = peak; left > fewest; --left)
    at(left - 1) =
        at(left) * (static_cast<double>(left) / (each * static_cast<double>(rest - left + 1)));
}

// The numbers of large boards are far beyond what a double holds. Every mine therefore gets the
// same extra factor, chosen so that everything that matters is close to the largest number.
void Join::weigh(std::span<Part> parts, std::int64_t rest, std::int64_t mines, double odds,
                 Budget& budget) {
  in_range = true;
  for (Part& part : parts) part.weight.assign(part.ways.size(), 1.0);
  if (mines < 0) {
    // Every minefield counts the same, whatever its total, so take the odds out of `ways` again.
    for (Part& part : parts) tilt_by(1 / odds, part.weight.data(), part.weight.size());
    rest_probability = 0.5;
    return;
  }
  const Node& top = nodes_.back();
  const double tilt =
      top.length > 32 ? tilt_for(parts, static_cast<double>(rest), static_cast<double>(mines), odds)
                      : 1.0;
  const auto is_leaf = [&](std::uint32_t i) { return nodes_[i].right == i; };
  if (top.length == 1) ways_[0] = 1.0;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.length == 1) continue;
    double* sum = &ways_[node.offset];
    if (is_leaf(i)) {
      std::copy_n(parts[node.left].ways.begin(), node.length, sum);
      tilt_by(tilt, sum, node.length);
    } else {
      const Node &x = nodes_[node.left], &y = nodes_[node.right];
      std::fill_n(sum, node.length, 0.0);
      budget.tick(3 * x.length * y.length);
      for (std::size_t k = 0; k < y.length; ++k) {
        const double factor = ways_[y.offset + k];
        if (factor == 0) continue;
        for (std::size_t j = 0; j < x.length; ++j) sum[j + k] += factor * ways_[x.offset + j];
      }
    }
    normalise(sum, node.length);
  }

  weigh_rest(&weight_[top.offset], top.length, rest, odds * tilt);
  // Underflow loses at most the smallest double times the largest partner, which is 1. That is
  // negligible unless the whole is itself that small.
  constexpr double kLeast = 1e-280;
  double whole = 0, mined = 0;
  for (std::size_t extra = 0; extra < top.length; ++extra) {
    const double weight = ways_[top.offset + extra] * weight_[top.offset + extra];
    whole += weight;
    mined += weight * static_cast<double>(slack_ - static_cast<std::int64_t>(extra));
  }
  in_range &= whole > kLeast;
  rest_probability = rest > 0 ? mined / whole / static_cast<double>(rest) : 0.0;

  for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
    const Node& node = nodes_[i];
    if (node.length == 1) continue;
    double* weight = &weight_[node.offset];
    const auto [first, end] = normalise(weight, node.length);
    if (is_leaf(i)) {
      Part& part = parts[node.left];
      double total = 0;
      for (std::size_t k = 0; k < node.length; ++k) total += weight[k] * ways_[node.offset + k];
      in_range &= total > kLeast;
      std::copy_n(weight, node.length, part.weight.begin());
      // The caller multiplies by `ways`, which contain no tilt, so the weight must include it.
      tilt_by(tilt, part.weight.data(), node.length);
      continue;
    }
    const auto carry = [&, first = first, end = end](const Node& to, const Node& other) {
      double* sum = &weight_[to.offset];
      for (std::size_t j = 0; j < to.length; ++j) {
        double total = 0;
        const std::size_t from = first > j ? first - j : 0;
        for (std::size_t k = from; k < other.length && j + k < end; ++k)
          total += ways_[other.offset + k] * weight[j + k];
        sum[j] = total;
      }
    };
    carry(nodes_[node.left], nodes_[node.right]);
    carry(nodes_[node.right], nodes_[node.left]);
  }
}

}  // namespace minewright
