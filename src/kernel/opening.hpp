// All the steps that open a board, each the simplest there is, until nothing is certain any more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deduce.hpp"

namespace minewright {

struct Opening {
  std::vector<Deduction> steps;
  std::vector<std::uint8_t> codes;  // what is visible afterwards; proved mines are kMined
};

class Opener {
 public:
  // Opens the given cells and all that follows. `truth` has a number or kMined per cell; `codes`
  // are what is visible before. A given cell that is mined becomes a known mine. `mines` is the
  // total, or -1 if it is not to be used. Throws TooHard.
  Opening run(const Graph& graph, std::span<const std::uint8_t> truth,
              std::vector<std::uint8_t> codes, std::span<const Cell> first, std::int64_t mines,
              Budget& budget);

 private:
  // Opens a cell and, around each 0, all its neighbours.
  void open(const Graph& graph, std::span<const std::uint8_t> truth, Cell cell,
            std::vector<std::uint8_t>& codes);

  Deducer deducer_;
  std::vector<Cell> stack_;
};

}  // namespace minewright
