// What is known in a game under way: the open numbers, the mines proved so far, and which numbers
// settle the cells around them all by themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"

namespace minewright {

class Knowledge {
 public:
  // Keeps a reference to the graph. Nothing is known yet.
  explicit Knowledge(const Graph& graph);

  // Forgets everything.
  void cover();
  // Notes that a cell was opened and shows this number, or that it exploded and shows kMined.
  void show(Cell cell, std::uint8_t number);
  // Notes that a cell is proved to be mined.
  void note_mined(Cell cell);
  // Notes that an open cell now shows another number, because a mine next to it was moved.
  void renumber(Cell cell, std::uint8_t number);

  // Settles the numbers whose unknown cells are all mined or all safe, until there are no more.
  // Mines are noted. `open(cell)` is called for each safe cell; it must show that cell, may show
  // others, and returns false to stop. Returns whether any cell was opened.
  template <class Open>
  bool settle_single(Open&& open);

  // The visible codes, with proved mines as kMined.
  std::span<const std::uint8_t> codes() const { return known_; }
  std::uint8_t operator[](Cell cell) const { return known_[cell]; }
  // How many mines are proved.
  std::uint32_t found() const { return found_; }
  // How many neighbours of a cell are unknown, and how many of those its number says are mined.
  int unknown(Cell cell) const { return unknown_[cell]; }
  int need(Cell cell) const { return known_[cell] - mined_[cell]; }

 private:
  // Queues a number that may settle its cells.
  void touch(Cell cell) {
    if (known_[cell] > kMaxNumber || unknown_[cell] == 0) return;
    if (need(cell) == 0 || need(cell) == unknown_[cell]) queue_.push_back(cell);
  }

  const Graph& graph_;
  std::vector<std::uint8_t> known_;
  // Per cell: how many neighbours are covered and not proved mined, and how many are proved mined.
  std::vector<std::uint8_t> unknown_, mined_;
  std::vector<Cell> queue_;
  std::uint32_t found_ = 0;
};

template <class Open>
bool Knowledge::settle_single(Open&& open) {
  bool opened = false;
  while (!queue_.empty()) {
    const Cell clue = queue_.back();
    queue_.pop_back();
    if (unknown_[clue] == 0) continue;
    const int left = need(clue);
    if (left != 0 && left != unknown_[clue]) continue;
    for (Cell cell : graph_.neighbours(clue)) {
      if (known_[cell] != kCovered) continue;
      if (left > 0) {
        note_mined(cell);
        continue;
      }
      opened = true;
      if (!open(cell)) return true;
    }
  }
  return opened;
}

}  // namespace minewright
