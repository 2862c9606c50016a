#include "opening.hpp"

namespace minewright {

Opening Opener::run(const Graph& graph, std::span<const std::uint8_t> truth,
                    std::vector<std::uint8_t> codes, std::span<const Cell> first,
                    std::int64_t mines, Budget& budget) {
  Opening opening{{}, std::move(codes)};
  for (Cell cell : first) open(graph, truth, cell, opening.codes);
  const auto unfinished = [&] {
    for (Cell cell = 0; cell < graph.size(); ++cell)
      if (truth[cell] <= kMaxNumber && opening.codes[cell] > kMaxNumber) return true;
    return false;
  };
  while (unfinished()) {
    budget.tick(graph.size());
    auto step =
        deducer_.next(graph, {opening.codes, mines, false, kNoCell}, Search::simplest, budget);
    if (!step) break;
    for (Cell cell : step->safe) open(graph, truth, cell, opening.codes);
    for (Cell cell : step->mined) opening.codes[cell] = kMined;
    opening.steps.push_back(std::move(*step));
  }
  return opening;
}

void Opener::open(const Graph& graph, std::span<const std::uint8_t> truth, Cell cell,
                  std::vector<std::uint8_t>& codes) {
  stack_.assign(1, cell);
  while (!stack_.empty()) {
    const Cell next = stack_.back();
    stack_.pop_back();
    if (codes[next] <= kMaxNumber) continue;
    codes[next] = truth[next];
    if (truth[next] == 0)
      for (Cell other : graph.neighbours(next)) stack_.push_back(other);
  }
}

}  // namespace minewright
