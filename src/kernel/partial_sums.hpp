// AC-3 on sums, as one of the ways a search looks ahead.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lists.hpp"

namespace minewright {

class Sums;
class SumSearch;

// AC-3 wants binary constraints, so the sum x1 + … + xn = total becomes a chain of n
// hidden variables, the links: the values of link k are pairs (sum of x1 … xk-1, value of xk). A
// link and its variable agree on the value; a link's pair adds up to the next link's partial sum.
// For each value a link holds a bit set of partial sums: REVISE tries 64 pairs at a time.
class PartialSums {
 public:
  void start(const Sums& system);
  bool run(SumSearch& search);  // empties the queue of arcs; false when a domain is empty
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
  // The arcs whose first end is a link, or whose second is: what is revised by what.
  enum Arc : std::uint32_t { link_by_variable, variable_by_link, by_previous, by_next, kArcs };

  void push(std::uint32_t link, Arc arc);
  void put(std::size_t word, std::uint64_t bits);
  bool revise(SumSearch& search, std::uint32_t link, Arc arc);
  bool alive(const Link& link) const;

  std::vector<Link> links_;
  Lists links_of_;  // a variable's
  std::vector<std::uint64_t> bits_, allowed_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> trail_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> queued_;
  std::size_t head_ = 0, waiting_ = 0;
};

}  // namespace minewright
