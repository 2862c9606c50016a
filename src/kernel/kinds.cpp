#include "kinds.hpp"

#include <algorithm>

namespace minewright {

void Kinds::begin(const Graph& graph, const Turn& turn, std::span<const std::uint8_t> codes) {
  graph_ = &graph;
  codes_ = codes;
  box_of_.resize(graph.size());
  for (std::size_t box = 0; box <= turn.boxes(); ++box)
    for (Cell cell : turn.cells(box)) box_of_[cell] = static_cast<std::uint32_t>(box);
  keys_.clear();
  hashes_.clear();
}

std::uint32_t Kinds::of(Cell cell) {
  key_.assign(1, box_of_[cell]);
  for (Cell other : graph_->neighbours(cell))
    if (codes_[other] == kCovered) key_.push_back(box_of_[other]);
  std::sort(key_.begin() + 1, key_.end());
  std::uint64_t hash = 0;
  for (std::uint32_t box : key_) hash = (hash ^ box) * 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = hashes_.size(); i-- > 0;)
    if (hashes_[i] == hash && std::ranges::equal(keys_[i], key_))
      return static_cast<std::uint32_t>(i);
  keys_.open();
  for (std::uint32_t box : key_) keys_.push(box);
  hashes_.push_back(hash);
  return static_cast<std::uint32_t>(hashes_.size() - 1);
}

}  // namespace minewright
