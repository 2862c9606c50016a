// AC-3 on sums: one of the ways a search looks ahead.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lists.hpp"

namespace minewright {

class Sums;
class SumSearch;

// AC-3 needs binary constraints, so the sum x1 + … + xn = total becomes a chain of n hidden
// variables, the links. The values of link k are pairs (sum of x1 … xk-1, value of xk). A link and
// its variable agree on the value, and a link's pair adds up to the next link's partial sum. For
// each value, a link holds a bit set of partial sums, so that REVISE tries 64 pairs at a time.
class PartialSums {
 public:
  void start(const Sums& system);
  bool run(SumSearch& search);  // empties the queue of arcs; false if a domain becomes empty
  void queue_all();
  void queue_variable(std::uint32_t variable, std::uint32_t except = UINT32_MAX);

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back())
      bits_[trail_.back().first] = trail_.back().second;
  }

 private:
  struct Link {
    std::uint32_t variable, first, rows, words;  // rows: values 0 … rows-1
    bool has_previous, has_next;
  };
  // The arcs that begin or end at a link: what is revised by what.
  enum Arc : std::uint32_t { link_by_variable, variable_by_link, by_previous, by_next, kArcs };

  void push(std::uint32_t link, Arc arc);
  void put(std::size_t word, std::uint64_t bits);
  bool revise(SumSearch& search, std::uint32_t link, Arc arc);
  bool alive(const Link& link) const;

  std::vector<Link> links_;
  Lists links_of_;  // per variable
  std::vector<std::uint64_t> bits_, allowed_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> trail_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> queued_;
  std::size_t head_ = 0, waiting_ = 0;
};

}  // namespace minewright
