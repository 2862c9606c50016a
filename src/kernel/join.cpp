#include "join.hpp"

#include <algorithm>
#include <cmath>

#include "bits.hpp"

namespace minewright {

// Which counts are possible, on bits: sums of the parts before and after each part.
bool Join::allow(std::span<Part> parts, std::int64_t rest, std::int64_t mines) {
  rest_safe = rest_mined = false;
  if (mines < 0) {
    for (Part& part : parts) part.allowed = part.possible;
    return true;
  }
  moving_.clear();
  slack_ = mines;
  span_ = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    slack_ -= parts[i].low;
    if (parts[i].ways.size() > 1) moving_.push_back(i), span_ += parts[i].ways.size() - 1;
    parts[i].allowed.assign(parts[i].possible.size(), 0);
  }
  if (slack_ < 0) return false;
  const std::size_t words = words_for(span_), count = moving_.size();
  // after_bits_ of part i: sums of extra mines before part i from which the total can be met.
  after_bits_.assign(words * (count + 1), 0);
  std::uint64_t* last = &after_bits_[words * count];
  for (std::size_t extra = 0; extra < span_; ++extra) {
    const std::int64_t left = slack_ - static_cast<std::int64_t>(extra);
    if (left >= 0 && left <= rest) set_bit(last, extra);
  }
  for (std::size_t i = count; i-- > 0;) {
    const Part& part = parts[moving_[i]];
    for_each_bit(part.possible.data(), part.possible.size(), [&](std::size_t k) {
      or_shifted_down(&after_bits_[words * i], words, &after_bits_[words * (i + 1)], words, k);
    });
  }
  if (!test_bit(after_bits_.data(), 0)) return false;

  before_bits_.assign(words, 0);
  before_bits_[0] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = parts[moving_[i]];
    next_bits_.assign(words, 0);
    for_each_bit(part.possible.data(), part.possible.size(), [&](std::size_t k) {
      // Is there a sum before this part that k more mines carry to a good one after it?
      for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t shifted = 0;
        const std::size_t skip = k / 64, by = k % 64;
        if (w + skip < words) shifted = after_bits_[words * (i + 1) + w + skip] >> by;
        if (by != 0 && w + skip + 1 < words)
          shifted |= after_bits_[words * (i + 1) + w + skip + 1] << (64 - by);
        if ((before_bits_[w] & shifted) != 0) {
          set_bit(part.allowed.data(), k);
          break;
        }
      }
      or_shifted_up(next_bits_.data(), words, before_bits_.data(), words, k);
    });
    before_bits_.swap(next_bits_);
  }
  for (Part& part : parts)
    if (part.ways.size() == 1) part.allowed = part.possible;

  rest_safe = rest_mined = true;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t both = before_bits_[w] & last[w];
    for_each_bit(&both, 1, [&](std::size_t bit) {
      const std::int64_t left = slack_ - static_cast<std::int64_t>(w * 64 + bit);
      rest_safe &= left == 0;
      rest_mined &= left == rest;
    });
  }
  return true;
}

// The weights, by the same two sweeps in doubles. Large boards reach far beyond what a double
// holds, so every mine is given the same extra factor `tilt`, chosen such that the expected number
// of mines is the true total: then everything that matters lies near the largest numbers.
void Join::weigh(std::span<Part> parts, std::int64_t rest, std::int64_t mines, double odds) {
  in_range = true;
  if (mines < 0) {
    // Every minefield counts the same, whatever its total: take the odds out of `ways` again.
    for (Part& part : parts) {
      part.weight.resize(part.ways.size());
      double power = 1.0;
      for (double& weight : part.weight) weight = power, power /= odds;
    }
    rest_probability = 0.5;
    return;
  }
  double tilt = 1.0;
  if (span_ > 32) {
    double low = -60, high = 60;  // of log(tilt)
    for (int step = 0; step < 40; ++step) {
      const double middle = (low + high) / 2, factor = std::exp(middle);
      double expected =
          rest > 0 ? static_cast<double>(rest) * (odds * factor) / (1 + odds * factor) : 0;
      for (const Part& part : parts) {
        // Horner from the heavier end, so that powers of the factor cannot overflow.
        const std::size_t n = part.ways.size();
        double sum = 0, moment = 0, power = 1;
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t k = factor > 1 ? n - 1 - i : i;
          sum += part.ways[k] * power;
          moment += part.ways[k] * power * static_cast<double>(k);
          power *= factor > 1 ? 1 / factor : factor;
        }
        expected += static_cast<double>(part.low) + (sum > 0 ? moment / sum : 0);
      }
      (expected < static_cast<double>(mines) ? low : high) = middle;
    }
    tilt = std::exp((low + high) / 2);
  }

  const std::size_t count = moving_.size();
  after_.assign(span_ * (count + 1), 0.0);
  double* last = &after_[span_ * count];
  {
    // Ways to mine the rest, from the likeliest count outwards: ratios only, no factorials.
    const double each = odds * tilt;
    const std::int64_t fewest =
        std::max<std::int64_t>(0, slack_ - static_cast<std::int64_t>(span_ - 1));
    const std::int64_t most = std::min(rest, slack_);
    if (fewest <= most) {
      const auto guess =
          static_cast<std::int64_t>((static_cast<double>(rest) + 1) * each / (1 + each));
      const std::int64_t peak = std::clamp(guess, fewest, most);
      const auto at = [&](std::int64_t left) -> double& { return last[slack_ - left]; };
      at(peak) = 1.0;
      for (std::int64_t left = peak; left < most; ++left)
        at(left + 1) =
            at(left) * each * static_cast<double>(rest - left) / static_cast<double>(left + 1);
      for (std::int64_t left = peak; left > fewest; --left)
        at(left - 1) =
            at(left) / each * static_cast<double>(left) / static_cast<double>(rest - left + 1);
    }
  }
  const auto scale = [](double* first, std::size_t n) {
    const double most = *std::max_element(first, first + n);
    if (most > 0)
      for (std::size_t i = 0; i < n; ++i) first[i] /= most;
  };
  // `scaled_`: a part's ways with the tilt, largest 1.
  const auto tilted = [&](const Part& part) {
    const std::size_t n = part.ways.size();
    scaled_.resize(n);
    double power = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = tilt > 1 ? n - 1 - i : i;
      scaled_[k] = part.ways[k] * power;
      power *= tilt > 1 ? 1 / tilt : tilt;
    }
    scale(scaled_.data(), n);
  };

  for (std::size_t i = count; i-- > 0;) {
    tilted(parts[moving_[i]]);
    double* here = &after_[span_ * i];
    const double* there = here + span_;
    for (std::size_t k = 0; k < scaled_.size(); ++k)
      for (std::size_t extra = 0; extra + k < span_; ++extra)
        here[extra] += scaled_[k] * there[extra + k];
    scale(here, span_);
  }

  // Underflow is harmless while the product of what lies before and after stays near the
  // product of their largest values (both 1): what was lost then weighs nothing.
  constexpr double kLeast = 1e-280;
  before_.assign(span_, 0.0);
  before_[0] = 1.0;
  std::size_t reach = 1;
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = parts[moving_[i]];
    const std::size_t n = part.ways.size();
    const double* there = &after_[span_ * (i + 1)];
    part.weight.assign(n, 0.0);
    tilted(part);
    double total = 0;
    for (std::size_t k = 0; k < n; ++k) {
      double sum = 0;
      for (std::size_t extra = 0; extra < reach; ++extra) sum += before_[extra] * there[extra + k];
      part.weight[k] = sum;
      total += sum * scaled_[k];
    }
    in_range &= total > kLeast;
    // The caller multiplies with `ways`, which carry no tilt: move it into the weight.
    double power = 1;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t k = tilt > 1 ? n - 1 - j : j;
      part.weight[k] *= power;
      power *= tilt > 1 ? 1 / tilt : tilt;
    }
    next_.assign(span_, 0.0);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t extra = 0; extra < reach; ++extra)
        next_[extra + k] += scaled_[k] * before_[extra];
    before_.swap(next_);
    reach += n - 1;
    scale(before_.data(), reach);
  }
  for (Part& part : parts)
    if (part.ways.size() == 1) part.weight.assign(1, 1.0);

  double total = 0, mined = 0;
  for (std::size_t extra = 0; extra < span_; ++extra) {
    const double weight = before_[extra] * last[extra];
    total += weight;
    mined += weight * static_cast<double>(slack_ - static_cast<std::int64_t>(extra));
  }
  in_range &= total > kLeast;
  rest_probability = rest > 0 ? mined / total / static_cast<double>(rest) : 0.0;
}

}  // namespace minewright
