// The next human-sized step in a position: a few clues, and what follows from them alone.
//
// There are two ways to look for it. `paper` is Neller and Tran's algorithm: it takes a single clue
// if one is enough. Otherwise it takes the first cell that follows from all clues together and
// drops clues one by one while the cell still follows. Only then does it do the same with the mine
// total. `simplest` looks for the smallest set of clues from which anything follows at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "infer.hpp"

namespace minewright {

enum class Search { simplest, paper };

struct Deduction {
  int kind;                 // 0: a single clue, 1: several, 2: with the mine total
  std::vector<Cell> clues;  // minimal, in order
  std::vector<Cell> safe, mined;
};

class Deducer {
 public:
  // Returns the next step, or nothing if no cell is certain or the position is inconsistent.
  // Throws TooHard.
  std::optional<Deduction> next(const Graph& graph, const Question& question, Search search,
                                Budget& budget);

 private:
  struct Clue {
    Cell cell;
    std::int32_t left;  // the number of mines among its covered cells
  };
  // Covered cells that stand in the same clues of a small set.
  struct Box {
    std::uint32_t clues;  // bit i is set if it stands in the i-th clue of the set
    std::int32_t size;
    std::int32_t mines;  // while searching
    bool may_be_safe, may_be_mined;
  };
  struct Candidate {
    std::vector<std::uint32_t> clues;
    std::size_t cells = SIZE_MAX;  // covered cells around them
  };

  bool read(const Graph& graph, const Question& question);
  std::optional<Deduction> single(Search search) const;
  std::optional<Deduction> several(const Graph& graph, const Question& question, Search search,
                                   bool total, Budget& budget);

  // Drops clues one by one while the cell still follows from the others.
  std::vector<std::uint32_t> drop(const Graph& graph, const Question& question, Cell cell,
                                  bool mined, bool total, Budget& budget);
  bool follows(const Graph& graph, const Question& question, std::span<const std::uint32_t> clues,
               Cell cell, bool mined, bool total, Budget& budget);
  void keep_only(const Question& question, std::span<const std::uint32_t> clues);

  // Finds the smallest set of clues from which something follows; `certain` says which cells do.
  bool smallest(const Graph& graph, const Inference& certain, Candidate& best, Budget& budget);
  void extend(std::size_t size, std::size_t from, Candidate& best);
  bool anything_follows(std::span<const std::uint32_t> clues);
  bool reachable(std::size_t box, bool mined);
  bool fill(std::size_t at, std::size_t fixed);
  void link_clues(const Graph& graph);

  Solver solver_;
  std::vector<Clue> clues_;            // those with covered cells, in reading order
  Lists clue_cells_;                   // their covered cells
  std::vector<std::int32_t> clue_at_;  // per cell: its place in clues_, or -1
  Lists links_;                        // per clue: the clues it shares covered cells with
  std::vector<std::uint8_t> buffer_;   // the codes with some clues left out

  // While looking for the smallest set.
  Budget* filling_ = nullptr;
  std::vector<std::uint32_t> rank_, set_, extension_;
  std::vector<std::uint8_t> near_;
  std::vector<Box> boxes_;
  std::vector<std::int32_t> left_, room_;
  std::vector<std::uint32_t> mask_;
  std::vector<Cell> touched_;
};

}  // namespace minewright
