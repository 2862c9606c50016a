#include "knowledge.hpp"

#include <algorithm>

namespace minewright {

Knowledge::Knowledge(const Graph& graph)
    : graph_(graph), known_(graph.size()), unknown_(graph.size()), mined_(graph.size()) {
  cover();
}

void Knowledge::cover() {
  std::fill(known_.begin(), known_.end(), kCovered);
  for (Cell cell = 0; cell < graph_.size(); ++cell)
    unknown_[cell] = static_cast<std::uint8_t>(graph_.neighbours(cell).size());
  std::fill(mined_.begin(), mined_.end(), std::uint8_t{0});
  queue_.clear();
  found_ = 0;
}

void Knowledge::show(Cell cell, std::uint8_t number) {
  known_[cell] = number;
  for (Cell other : graph_.neighbours(cell)) {
    --unknown_[other];
    touch(other);
  }
  touch(cell);
}

void Knowledge::note_mined(Cell cell) {
  if (known_[cell] == kMined) return;
  known_[cell] = kMined;
  ++found_;
  for (Cell other : graph_.neighbours(cell)) {
    --unknown_[other];
    ++mined_[other];
    touch(other);
  }
}

void Knowledge::renumber(Cell cell, std::uint8_t number) {
  known_[cell] = number;
  touch(cell);
}

}  // namespace minewright
