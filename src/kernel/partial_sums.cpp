#include "partial_sums.hpp"

#include <algorithm>
#include <stdexcept>

#include "sum_search.hpp"

namespace minewright {

void PartialSums::start(const Sums& system) {
  links_.clear();
  bits_.clear();
  trail_.clear();
  std::uint32_t widest = 0;
  std::uint64_t size = 0;
  std::vector<std::vector<std::uint32_t>> of(system.caps_.size());
  for (std::size_t sum = 0; sum < system.variables_.size(); ++sum) {
    const auto variables = system.variables_[sum];
    const std::int64_t total = system.totals_[sum];
    const auto words = static_cast<std::uint32_t>(total / 64 + 1);
    widest = std::max(widest, words);
    for (std::size_t place = 0; place < variables.size(); ++place) {
      const std::uint32_t variable = variables[place];
      const auto rows =
          static_cast<std::uint32_t>(std::min<std::int64_t>(system.caps_[variable], total) + 1);
      size += std::uint64_t{rows} * words;
      if (size > (1U << 24)) throw std::invalid_argument("the caps are too large for ac3");
      of[variable].push_back(static_cast<std::uint32_t>(links_.size()));
      const bool first = place == 0, last = place + 1 == variables.size();
      links_.push_back(
          {variable, static_cast<std::uint32_t>(bits_.size()), rows, words, !first, !last});
      for (std::uint32_t value = 0; value < rows; ++value)
        for (std::uint32_t word = 0; word < words; ++word) {
          // Partial sums from 0 to what the total leaves. At the first link only 0 is possible, at
          // the last only what the total leaves.
          std::uint64_t bits = 0;
          const std::int64_t most = total - value;
          const std::int64_t start = std::int64_t{word} * 64;
          if (last && (!first || most == 0) && most >= start && most < start + 64)
            bits = std::uint64_t{1} << (most - start);
          else if (!last && first)
            bits = word == 0 ? 1 : 0;
          else if (!last && most >= start)
            bits = most >= start + 63 ? ~std::uint64_t{0}
                                      : (std::uint64_t{1} << (most - start + 1)) - 1;
          bits_.push_back(bits);
        }
    }
  }
  links_of_.clear();
  for (const auto& links : of) {
    links_of_.open();
    for (std::uint32_t link : links) links_of_.push(link);
  }
  allowed_.assign(widest, 0);
  queue_.assign(links_.size() * kArcs, 0);
  queued_.assign(links_.size() * kArcs, 0);
  head_ = waiting_ = 0;
}

void PartialSums::push(std::uint32_t link, Arc arc) {
  const std::uint32_t id = link * kArcs + arc;
  if (queued_[id]) return;
  queued_[id] = 1;
  std::size_t place = head_ + waiting_++;
  if (place >= queue_.size()) place -= queue_.size();
  queue_[place] = id;
}

void PartialSums::queue_all() {
  for (std::uint32_t link = 0; link < links_.size(); ++link) {
    push(link, link_by_variable);
    push(link, variable_by_link);
    if (links_[link].has_previous) push(link, by_previous);
    if (links_[link].has_next) push(link, by_next);
  }
}

void PartialSums::queue_variable(std::uint32_t variable, std::uint32_t except) {
  for (std::uint32_t link : links_of_[variable])
    if (link != except) push(link, link_by_variable);
}

void PartialSums::put(std::size_t word, std::uint64_t bits) {
  trail_.push_back({static_cast<std::uint32_t>(word), bits_[word]});
  bits_[word] = bits;
}

bool PartialSums::alive(const Link& link) const {
  const auto* words = bits_.data() + link.first;
  return std::any_of(words, words + std::size_t{link.rows} * link.words,
                     [](std::uint64_t bits) { return bits != 0; });
}

// Deletes the values of one end that have no partner at the other. Returns whether there were any.
bool PartialSums::revise(SumSearch& search, std::uint32_t number, Arc arc) {
  const Link& link = links_[number];
  const std::uint32_t words = link.words;
  bool revised = false;
  if (arc == variable_by_link) {
    std::int32_t low = search.low_[link.variable], high = search.high_[link.variable];
    const auto supported = [&](std::int32_t value) {
      if (value >= static_cast<std::int32_t>(link.rows)) return false;
      const auto* row = bits_.data() + link.first + std::size_t(value) * words;
      return std::any_of(row, row + words, [](std::uint64_t bits) { return bits != 0; });
    };
    // A sum over ranges supports a range, so only the ends can lack support.
    while (low <= high && !supported(low)) ++low;
    while (high > low && !supported(high)) --high;
    if (low == search.low_[link.variable] && high == search.high_[link.variable]) return false;
    search.narrow(link.variable, low, high);
    return true;
  }
  if (arc == link_by_variable) {
    const std::int32_t low = search.low_[link.variable], high = search.high_[link.variable];
    for (std::int32_t value = 0; value < static_cast<std::int32_t>(link.rows); ++value) {
      if (value >= low && value <= high) continue;
      const std::size_t row = link.first + std::size_t(value) * words;
      for (std::uint32_t word = 0; word < words; ++word)
        if (bits_[row + word] != 0) put(row + word, 0), revised = true;
    }
    return revised;
  }

  // The partial sums that the neighbour leads to or starts from.
  std::fill_n(allowed_.begin(), words, 0);
  const Link& other = links_[arc == by_previous ? number - 1 : number + 1];
  for (std::uint32_t value = 0; value < other.rows; ++value) {
    const auto* row = bits_.data() + other.first + std::size_t(value) * words;
    const std::uint32_t shift = arc == by_previous ? value : 0;
    const std::uint32_t whole = shift / 64, part = shift % 64;
    for (std::uint32_t word = whole; word < words; ++word) {
      std::uint64_t bits = row[word - whole] << part;
      if (part != 0 && word > whole) bits |= row[word - whole - 1] >> (64 - part);
      allowed_[word] |= bits;
    }
  }
  for (std::uint32_t value = 0; value < link.rows; ++value) {
    const std::size_t row = link.first + std::size_t(value) * words;
    const std::uint32_t shift = arc == by_next ? value : 0;
    const std::uint32_t whole = shift / 64, part = shift % 64;
    for (std::uint32_t word = 0; word < words; ++word) {
      std::uint64_t bits = 0;
      if (word + whole < words) bits = allowed_[word + whole] >> part;
      if (part != 0 && word + whole + 1 < words) bits |= allowed_[word + whole + 1] << (64 - part);
      if ((bits_[row + word] & ~bits) == 0) continue;
      put(row + word, bits_[row + word] & bits);
      revised = true;
    }
  }
  return revised;
}

bool PartialSums::run(SumSearch& search) {
  bool consistent = true;
  while (waiting_ > 0) {
    const std::uint32_t id = queue_[head_];
    if (++head_ == queue_.size()) head_ = 0;
    --waiting_;
    queued_[id] = 0;
    if (!consistent) continue;  // only empties the queue
    const std::uint32_t number = id / kArcs;
    const Arc arc = static_cast<Arc>(id % kArcs);
    const Link& link = links_[number];
    if (!revise(search, number, arc)) continue;
    if (arc == variable_by_link) {
      consistent = search.low_[link.variable] <= search.high_[link.variable];
      if (consistent) queue_variable(link.variable, number);
      continue;
    }
    consistent = alive(link);
    if (!consistent) continue;
    // Everything that depends on this link, except the one it was just revised by.
    if (arc != link_by_variable) push(number, variable_by_link);
    if (arc != by_previous && link.has_previous) push(number - 1, by_next);
    if (arc != by_next && link.has_next) push(number + 1, by_previous);
  }
  return consistent;
}

}  // namespace minewright
