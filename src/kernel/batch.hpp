// Many games of one board, played side by side, one move in each per step: what a learner needs.
// Everything a learner looks at lies in arrays with one row per lane, so that it can be shown
// without a copy.
//
//   Batch batch(graph, 1024, {10, Start::safe, {.win = 1}});
//   batch.seed(seeds);
//   batch.begin_all();
//   for (;;) batch.step(agent.choose(batch.visible, batch.mask));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "minefield.hpp"

namespace minewright {

// What a move is worth.
struct Reward {
  double win = 0, loss = 0;
  double progress = 0;  // all safe cells together; a move earns the share that it opens
  double useless = 0;   // a move that the mask does not allow; it changes nothing
};

struct BatchRules {
  std::size_t mines;
  Start start;
  Reward reward;
};

class Batch {
 public:
  // Keeps a reference to the graph. Throws std::invalid_argument if the mines do not fit under the
  // start rule, or leave no safe cell.
  Batch(const Graph& graph, std::size_t lanes, const BatchRules& rules);

  // Gives each lane its seed. Game k of a lane is stream k of its seed, whatever the other lanes
  // do and however many there are. Throws std::invalid_argument unless there is one per lane.
  void seed(std::span<const std::uint64_t> seeds);
  // Begins the next game in every lane.
  void begin_all();
  // Begins the next game in every lane whose game is over. The results of the last step stay.
  void begin_over();
  // Opens one cell per lane. A lane whose game is over begins its next one instead, and its move
  // is ignored. Throws std::invalid_argument unless there is one move per lane; a move outside the
  // board is useless, like one that the mask does not allow.
  void step(std::span<const std::int64_t> moves);

  std::size_t lanes() const { return fields_.size(); }
  std::size_t size() const { return graph_->size(); }

  // One row of `size()` items per lane.
  std::vector<std::uint8_t> visible;  // the codes of the cells
  std::vector<std::int8_t> mask;      // 1 where a cell may be opened, otherwise 0
  // One item per lane, about the last step.
  std::vector<double> reward;
  std::vector<std::uint8_t> over, won;  // 1 or 0
  std::vector<std::uint64_t> streams;   // of the game under way

 private:
  void begin(std::size_t lane);
  void open(std::size_t lane, std::int64_t move);

  const Graph* graph_;
  BatchRules rules_;
  double share_;                         // what one safe cell earns
  std::vector<std::int8_t> first_mask_;  // where a game may begin
  std::vector<Minefield> fields_;
  std::vector<std::uint64_t> seeds_, next_;  // the stream of the next game
};

}  // namespace minewright
