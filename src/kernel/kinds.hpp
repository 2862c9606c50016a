// Kinds of cells in a weighed turn: cells of one box that have equally many neighbours in every box
// have the same prospect, so only one of them needs to be examined.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "lists.hpp"
#include "turn.hpp"

namespace minewright {

class Kinds {
 public:
  // Begins with no kinds. `codes` are what the player sees, with proved mines as kMined.
  void begin(const Graph& graph, const Turn& turn, std::span<const std::uint8_t> codes);
  // Returns the kind of an uncertain cell, which is a new one if it is the first of its kind.
  std::uint32_t of(Cell cell);
  std::size_t size() const { return keys_.size(); }
  // The box of the cells of a kind, and the sorted boxes of their uncertain covered neighbours.
  std::uint32_t box(std::size_t kind) const { return keys_[kind].front(); }
  std::span<const std::uint32_t> near(std::size_t kind) const { return keys_[kind].subspan(1); }

 private:
  const Graph* graph_ = nullptr;
  std::span<const std::uint8_t> codes_;
  std::vector<std::uint32_t> box_of_, key_;
  Lists keys_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace minewright
