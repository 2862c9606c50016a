// Several random walks over one component, and what they agree on.
//
// The walks begin apart and share nothing. They go on in stages, each twice as long as the one
// before. Only the last stage counts; those before it were the way there. Stages are measured in
// sweeps, never in seconds, so the same seed gives the same answer on any machine. An answer is
// given when the walks agree about every box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample.hpp"

namespace minewright {

// The work that was allowed is done, and the walks do not agree.
struct Disagreement : OverBudget {};

struct Estimate {
  double mean, error;
};

class Walks {
 public:
  static constexpr std::size_t kWalks = 8;

  Walks(const Component& component, double odds, std::uint64_t seed);

  // All three throw OverBudget when the work or the time is over.
  void start(Budget& budget);
  void steer(std::span<const double> weight, Budget& budget);
  // Walks until the walks agree; throws Disagreement if they do not within the budget.
  void run(Budget& budget);

  // After `start`: how many mines the first walk holds, and how many there could be.
  std::int64_t mines() const { return walks_[0].mines(); }
  std::size_t most() const { return walks_[0].tally.totals.size() - 1; }
  // After `run`: the mines of a box, and how often a walk saw k mines in all.
  Estimate box(std::size_t index) const;
  const std::vector<double>& totals(std::size_t walk) const { return totals_[walk]; }
  // Of one number per walk.
  Estimate combine(std::span<const double> values) const;

 private:
  void stage(std::uint64_t sweeps, Budget& budget);
  bool agree();

  std::vector<Sampler> walks_;
  // Of the last stage: the means of a box as [box][walk * kBatches + batch].
  std::vector<std::vector<double>> means_;
  std::vector<WalkTally::Box> drawn_;  // of all walks together
  std::vector<std::vector<double>> totals_;
  double effective_ = 0;  // independent draws that one walk is worth, for the slowest box
};

}  // namespace minewright
