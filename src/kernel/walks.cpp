#include "walks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace minewright {

namespace {

constexpr std::size_t kBatches = 8;        // per stage
constexpr std::uint64_t kFirstStage = 16;  // sweeps; then 32, 64, …
constexpr double kCaution = 0.9;           // sweeps may cost more than earlier ones
// Walks agree when each is worth this many independent draws: then the potential scale reduction
// R-hat of Gelman and Rubin is below 1.02, and there are 200 draws in all.
constexpr double kEnough = 25;
constexpr double kLuck = 4;
// A spread estimated from eight walks is itself uncertain. By Student's t with 7 degrees of
// freedom, errors wider by this factor are exceeded as seldom as two standard errors of a normal.
constexpr double kStudent = 1.2;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

// Returns the mean of each walk, given those of its batches.
std::vector<double> by_walk(std::span<const double> batches) {
  std::vector<double> means;
  for (std::size_t first = 0; first < batches.size(); first += kBatches)
    means.push_back(mean_of(batches.subspan(first, kBatches)));
  return means;
}

// Returns how many independent draws a walk is worth, given the variance of the draws and that of
// the means of the walks.
double effective(double of_draws, double of_means) {
  return of_means > 0 ? of_draws / of_means : INFINITY;
}

}  // namespace

Walks::Walks(const Component& component, double odds, std::uint64_t seed) {
  for (std::size_t i = 0; i < kWalks; ++i) walks_.emplace_back(component, odds, seed, i);
}

void Walks::start(Budget& budget) {
  for (Sampler& walk : walks_) walk.start(budget);
}

void Walks::steer(std::span<const double> weight, Budget& budget) {
  for (Sampler& walk : walks_) walk.steer(weight, budget);
}

void Walks::run(Budget& budget) {
  for (std::uint64_t sweeps = kFirstStage;;) {
    const std::uint64_t before = budget.used();
    stage(sweeps, budget);
    for (Sampler& walk : walks_) walk.adapting = false;
    if (sweeps > kFirstStage && agree()) return;
    // The next stage is twice as long, or as long as the budget allows, but never shorter than
    // this one.
    const std::uint64_t left = budget.states() - budget.used();
    const auto longest = static_cast<std::uint64_t>(kCaution * static_cast<double>(left) /
                                                    static_cast<double>(budget.used() - before) *
                                                    static_cast<double>(sweeps));
    // What a walk is worth grows with its length. Give up where even luck would not be enough.
    const double hope = kLuck * effective_ * static_cast<double>(longest);
    if (longest < sweeps || (sweeps > kFirstStage && hope < kEnough * static_cast<double>(sweeps)))
      throw Disagreement();
    sweeps = std::min(2 * sweeps, longest);
  }
}

void Walks::stage(std::uint64_t sweeps, Budget& budget) {
  const std::size_t boxes = walks_[0].tally.boxes.size();
  means_.assign(boxes, std::vector<double>(kWalks * kBatches, 0.0));
  drawn_.assign(boxes, {});
  totals_.assign(kWalks, std::vector<double>(walks_[0].tally.totals.size(), 0.0));
  for (std::size_t w = 0; w < kWalks; ++w)
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
      Sampler& walk = walks_[w];
      walk.forget();
      const std::uint64_t end = sweeps * (batch + 1) / kBatches;
      for (std::uint64_t i = sweeps * batch / kBatches; i < end; ++i) walk.sweep(budget);
      for (std::size_t b = 0; b < boxes; ++b) {
        const WalkTally::Box& box = walk.tally.boxes[b];
        means_[b][w * kBatches + batch] = box.expected / static_cast<double>(box.draws);
        drawn_[b].draws += box.draws;
        drawn_[b].mines += box.mines;
        drawn_[b].squares += box.squares;
      }
      for (std::size_t k = 0; k < totals_[w].size(); ++k) totals_[w][k] += walk.tally.totals[k];
    }
}

bool Walks::agree() {
  effective_ = INFINITY;
  for (std::size_t b = 0; b < means_.size(); ++b) {
    const auto draws = static_cast<double>(drawn_[b].draws);
    const double drawn = drawn_[b].mines / draws;
    // If all draws were equal, the expectations still give a lower bound on how much they vary.
    const double part = std::fmod(mean_of(means_[b]), 1.0);
    const double variance = std::max(drawn_[b].squares / draws - drawn * drawn, part * (1 - part));
    effective_ = std::min(effective_, effective(variance, variance_of(by_walk(means_[b]))));
  }
  // The total, on which everything else on the board depends.
  std::vector<double> means;
  double weight = 0, mines = 0, squares = 0;
  for (const auto& totals : totals_) {
    double own_weight = 0, own_mines = 0;
    for (std::size_t k = 0; k < totals.size(); ++k) {
      const auto count = static_cast<double>(k);
      own_weight += totals[k];
      own_mines += totals[k] * count;
      squares += totals[k] * count * count;
    }
    means.push_back(own_mines / own_weight);
    weight += own_weight;
    mines += own_mines;
  }
  const double variance = squares / weight - mines / weight * (mines / weight);
  effective_ = std::min(effective_, effective(variance, variance_of(means)));
  return effective_ >= kEnough;
}

// Takes the larger of two errors: the one among the batches, and the one among the walks, which
// also shows walks that have not mixed. A box that never changed might have changed in the next
// draw.
Estimate Walks::box(std::size_t index) const {
  const std::vector<double>& batches = means_[index];
  const Estimate found = combine(by_walk(batches));
  const double variance = variance_of(batches);
  const bool frozen = variance == 0 && found.mean == std::floor(found.mean);
  const double least = frozen ? 1 / static_cast<double>(drawn_[index].draws)
                              : std::sqrt(variance / static_cast<double>(batches.size()));
  return {found.mean, std::max(least, found.error)};
}

// Minefields that no independent draw has shown may together weigh as much as one draw, so no error
// is smaller than that.
Estimate Walks::combine(std::span<const double> values) const {
  const auto walks = static_cast<double>(values.size());
  const double least = 1 / (walks * effective_);
  const double error = kStudent * std::sqrt(variance_of(values) / walks);
  return {mean_of(values), std::max(error, least)};
}

}  // namespace minewright
