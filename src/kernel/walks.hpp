// Several random walks over one component, and what they agree on.
//
// The walks begin far apart and share nothing. They proceed in stages, each twice as long as the
// one before, and only the last stage counts. Stages are measured in sweeps, never in seconds, so
// the same seed gives the same answer on every machine. There is an answer once the walks agree
// about every box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sample.hpp"

namespace minewright {

// The budget is spent, and the walks still disagree.
struct Disagreement : OverBudget {};

struct Estimate {
  double mean, error;
};

class Walks {
 public:
  static constexpr std::size_t kWalks = 8;

  Walks(const Component& component, double odds, std::uint64_t seed);

  // All three throw OverBudget.
  void start(Budget& budget);
  void steer(std::span<const double> weight, Budget& budget);
  // Continues until the walks agree. Throws Disagreement if they do not agree within the budget.
  void run(Budget& budget);

  // After `start`: how many mines the first walk holds, and how many there could be.
  std::int64_t mines() const { return walks_[0].mines(); }
  std::size_t most() const { return walks_[0].tally.totals.size() - 1; }
  // After `run`: the mines of a box, and how often a walk saw k mines in the whole component.
  Estimate box(std::size_t index) const;
  const std::vector<double>& totals(std::size_t walk) const { return totals_[walk]; }
  // Returns the mean of one value per walk, and its error.
  Estimate combine(std::span<const double> values) const;

 private:
  void stage(std::uint64_t sweeps, Budget& budget);
  bool agree();

  std::vector<Sampler> walks_;
  // The means of the last stage: [box][walk * kBatches + batch].
  std::vector<std::vector<double>> means_;
  std::vector<WalkTally::Box> drawn_;  // per box, all walks together
  std::vector<std::vector<double>> totals_;
  double effective_ = 0;  // how many independent draws a walk is worth, for the slowest box
};

}  // namespace minewright
