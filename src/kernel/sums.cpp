#include "sums.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::int32_t kMaxCap = 1'000'000;
constexpr std::int64_t kMaxMinefields = 1000;  // as a power of two: a double holds that many

// Pascal's row: C(cap, 0) … C(cap, cap).
std::vector<double> row_of(std::int32_t cap) {
  std::vector<double> row(static_cast<std::size_t>(cap) + 1, 1.0);
  for (std::int32_t i = 1; i <= cap; ++i)
    for (std::int32_t k = i - 1; k > 0; --k) row[k] += row[k - 1];
  return row;
}

}  // namespace

LookAhead look_ahead_of(std::string_view word) {
  if (word == "check") return LookAhead::check;
  if (word == "forward") return LookAhead::forward;
  if (word == "gac") return LookAhead::gac;
  if (word == "ac3") return LookAhead::ac3;
  throw std::invalid_argument("a search looks ahead by check, forward, gac or ac3, not by '" +
                              std::string(word) + "'");
}

Order order_of(std::string_view word) {
  if (word == "given") return Order::given;
  if (word == "constrained") return Order::constrained;
  throw std::invalid_argument("variables come in the order given or constrained, not '" +
                              std::string(word) + "'");
}

class SumSearch;

// AC-3 on sums. It wants binary constraints, so the sum x1 + … + xn = total becomes a chain of n
// hidden variables, the links: the values of link k are pairs (sum of x1 … xk-1, value of xk). A
// link and its variable agree on the value; a link's pair adds up to the next link's partial sum.
// For each value a link holds a bit set of partial sums: REVISE tries 64 pairs at a time.
class PartialSums {
 public:
  void start(const Sums& system);
  bool run(SumSearch& search);  // empties the queue of arcs; false when a domain is empty
  void queue_all();
  void queue_variable(std::uint32_t variable, std::uint32_t except);

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

// One search; what it changes it can take back.
class SumSearch {
 public:
  // From the whole ranges, for root() to prune; or from where all sums have pruned already.
  void start(const Sums& system, LookAhead by, Budget* budget);
  void start_pruned(const Sums& system);

  bool root();
  // Gives a variable its value and looks ahead; false at a contradiction.
  bool take(std::uint32_t variable, std::int32_t value);
  // The same for a range, which leaves the variable open.
  bool restrict(std::uint32_t variable, std::int32_t low, std::int32_t high);
  bool settle();  // lets the sums in the queue prune
  void narrow(std::uint32_t variable, std::int32_t low, std::int32_t high);
  void narrow_and_queue(std::uint32_t variable, std::int32_t low, std::int32_t high);

  struct Mark {
    std::size_t trail, taken, bits;
  };
  Mark mark() const { return {trail_.size(), taken_.size(), partial_.mark()}; }
  void undo(const Mark& mark);

  // Calls visit() at every solution with a sum below `bound`; ends when it answers false.
  template <class Visit>
  bool each(Order order, Visit visit);

  std::vector<std::int32_t> low_, high_;
  std::int64_t floor_ = 0;  // the sum of all lows; of all values at a solution
  std::int64_t bound_ = std::numeric_limits<std::int64_t>::max();

 private:
  friend class Sums;
  struct Change {
    std::uint32_t variable;
    std::int32_t low, high;
  };
  struct Frame {
    std::uint32_t variable;
    std::int32_t value, last;
    Mark mark;
  };

  bool settled(std::uint32_t variable) const {
    return prunes_ ? low_[variable] == high_[variable] : is_taken_[variable] != 0;
  }
  std::uint32_t pick(Order order, std::uint32_t from) const;
  bool look_ahead(std::uint32_t variable);
  bool foresee(std::uint32_t sum);
  void queue_sum(std::uint32_t sum);

  const Sums* system_ = nullptr;
  LookAhead by_ = LookAhead::gac;
  bool prunes_ = true;  // until every sum holds: then a variable with one value needs no turn
  Budget* budget_ = nullptr;
  std::uint64_t weight_ = 0;                    // work of a node, for the clock
  std::vector<std::int64_t> least_, most_;      // the ends of each sum
  std::vector<std::uint32_t> open_, open_xor_;  // a sum's variables without value; their xor
  std::vector<std::uint8_t> is_taken_, queued_;
  std::vector<std::uint32_t> taken_, queue_;
  std::size_t head_ = 0, waiting_ = 0;
  std::vector<Change> trail_;
  std::vector<Frame> frames_;
  PartialSums partial_;
};

// ---- arcs between partial sums

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
          // Partial sums from 0, or only that one, to what the total leaves, or only that one.
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

// Deletes the values of one end without a partner at the other; whether there were any.
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
    // Sums over ranges support ranges: only the ends can be without support.
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

  // The partial sums the neighbour leads to, or starts from.
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
    // All that look at this link, but for the one it was just revised by.
    if (arc != link_by_variable) push(number, variable_by_link);
    if (arc != by_previous && link.has_previous) push(number - 1, by_next);
    if (arc != by_next && link.has_next) push(number + 1, by_previous);
  }
  return consistent;
}

// ---- the search

void SumSearch::start(const Sums& system, LookAhead by, Budget* budget) {
  system_ = &system;
  by_ = by;
  prunes_ = by == LookAhead::gac || by == LookAhead::ac3;
  budget_ = budget;
  weight_ = system.caps_.size() / 4;
  low_.assign(system.caps_.size(), 0);
  high_ = system.caps_;
  floor_ = 0;
  const std::size_t sums = system.totals_.size();
  least_.assign(sums, 0);
  most_.assign(sums, 0);
  open_.assign(sums, 0);
  open_xor_.assign(sums, 0);
  for (std::size_t sum = 0; sum < sums; ++sum)
    for (std::uint32_t variable : system.variables_[sum]) {
      most_[sum] += high_[variable];
      ++open_[sum];
      open_xor_[sum] ^= variable;
    }
  is_taken_.assign(low_.size(), 0);
  queued_.assign(sums, 0);
  queue_.assign(sums, 0);
  head_ = waiting_ = 0;
  taken_.clear();
  trail_.clear();
  frames_.clear();
}

void SumSearch::start_pruned(const Sums& system) {
  system_ = &system;
  low_ = system.low_;
  high_ = system.high_;
  least_ = system.least_;
  most_ = system.most_;
  queued_.assign(least_.size(), 0);
  queue_.resize(least_.size());
  head_ = waiting_ = 0;
  trail_.clear();
}

void SumSearch::narrow(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  trail_.push_back({variable, low_[variable], high_[variable]});
  const std::int64_t up = low - low_[variable], down = high_[variable] - high;
  low_[variable] = low;
  high_[variable] = high;
  floor_ += up;
  for (std::uint32_t sum : system_->sums_of_[variable]) {
    least_[sum] += up;
    most_[sum] -= down;
  }
}

void SumSearch::queue_sum(std::uint32_t sum) {
  if (queued_[sum]) return;
  queued_[sum] = 1;
  std::size_t place = head_ + waiting_++;
  if (place >= queue_.size()) place -= queue_.size();
  queue_[place] = sum;
}

void SumSearch::narrow_and_queue(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  narrow(variable, low, high);
  for (std::uint32_t sum : system_->sums_of_[variable]) queue_sum(sum);
}

bool SumSearch::settle() {
  bool consistent = true;
  while (waiting_ > 0) {
    const std::uint32_t sum = queue_[head_];
    if (++head_ == queue_.size()) head_ = 0;
    --waiting_;
    queued_[sum] = 0;
    if (!consistent) continue;  // only empties the queue
    const std::int64_t total = system_->totals_[sum];
    const std::int64_t up = total - least_[sum], down = most_[sum] - total;
    consistent = up >= 0 && down >= 0;
    if (!consistent || (up >= system_->widest_[sum] && down >= system_->widest_[sum])) continue;
    // No variable is further above its low than all together, none further below its high.
    queued_[sum] = 1;  // by itself it has nothing more to say
    for (std::uint32_t variable : system_->variables_[sum]) {
      const std::int64_t width = high_[variable] - low_[variable];
      if (width <= up && width <= down) continue;
      const std::int32_t low = low_[variable], high = high_[variable];
      narrow_and_queue(variable, width > down ? static_cast<std::int32_t>(high - down) : low,
                       width > up ? static_cast<std::int32_t>(low + up) : high);
    }
    queued_[sum] = 0;
  }
  return consistent;
}

// A sum with one variable left gives it its value; a complete one holds or does not.
bool SumSearch::foresee(std::uint32_t sum) {
  if (open_[sum] == 0) return least_[sum] == system_->totals_[sum];
  if (open_[sum] > 1) return true;
  const std::uint32_t variable = open_xor_[sum];
  const std::int64_t value = system_->totals_[sum] - (least_[sum] - low_[variable]);
  if (value < low_[variable] || value > high_[variable]) return false;
  if (low_[variable] != high_[variable])
    narrow(variable, static_cast<std::int32_t>(value), static_cast<std::int32_t>(value));
  return true;
}

bool SumSearch::look_ahead(std::uint32_t variable) {
  const auto sums = system_->sums_of_[variable];
  switch (by_) {
    case LookAhead::check:
      return std::all_of(sums.begin(), sums.end(), [&](std::uint32_t sum) {
        return least_[sum] <= system_->totals_[sum] && system_->totals_[sum] <= most_[sum];
      });
    case LookAhead::forward:
      return std::all_of(sums.begin(), sums.end(), [&](std::uint32_t sum) { return foresee(sum); });
    case LookAhead::gac:
      for (std::uint32_t sum : sums) queue_sum(sum);
      return settle();
    case LookAhead::ac3:
      partial_.queue_variable(variable, kNone);
      return partial_.run(*this);
  }
  return true;
}

bool SumSearch::root() {
  for (std::uint32_t sum = 0; sum < least_.size(); ++sum) {
    const std::int64_t total = system_->totals_[sum];
    switch (by_) {
      case LookAhead::forward:
        if (!foresee(sum)) return false;
        break;
      case LookAhead::gac:
        queue_sum(sum);
        break;
      default:  // ac3 too: its partial sums begin from totals that can be
        if (least_[sum] > total || most_[sum] < total) return false;
    }
  }
  if (by_ == LookAhead::gac) return settle();
  if (by_ != LookAhead::ac3) return true;
  partial_.start(*system_);
  partial_.queue_all();
  return partial_.run(*this);
}

bool SumSearch::take(std::uint32_t variable, std::int32_t value) {
  if (low_[variable] != value || high_[variable] != value) narrow(variable, value, value);
  if (!prunes_) {
    is_taken_[variable] = 1;
    taken_.push_back(variable);
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      --open_[sum];
      open_xor_[sum] ^= variable;
    }
  }
  return look_ahead(variable);
}

bool SumSearch::restrict(std::uint32_t variable, std::int32_t low, std::int32_t high) {
  narrow(variable, low, high);
  return look_ahead(variable);
}

void SumSearch::undo(const Mark& mark) {
  for (; trail_.size() > mark.trail; trail_.pop_back()) {
    const Change& change = trail_.back();
    const std::uint32_t variable = change.variable;
    const std::int64_t up = low_[variable] - change.low, down = change.high - high_[variable];
    low_[variable] = change.low;
    high_[variable] = change.high;
    floor_ -= up;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      least_[sum] -= up;
      most_[sum] += down;
    }
  }
  for (; taken_.size() > mark.taken; taken_.pop_back()) {
    const std::uint32_t variable = taken_.back();
    is_taken_[variable] = 0;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      ++open_[sum];
      open_xor_[sum] ^= variable;
    }
  }
  if (by_ == LookAhead::ac3) partial_.undo(mark.bits);
}

std::uint32_t SumSearch::pick(Order order, std::uint32_t from) const {
  const auto size = static_cast<std::uint32_t>(low_.size());
  if (order == Order::given) {
    for (std::uint32_t variable = from; variable < size; ++variable)
      if (!settled(variable)) return variable;
    return kNone;
  }
  std::uint32_t best = kNone, best_others = 0;
  std::int64_t best_values = 0;
  for (std::uint32_t variable = 0; variable < size; ++variable) {
    if (settled(variable)) continue;
    // What its sums still leave of its range counts, pruned or not.
    std::int64_t low = low_[variable], high = high_[variable];
    std::uint32_t others = 0;
    for (std::uint32_t sum : system_->sums_of_[variable]) {
      const std::int64_t total = system_->totals_[sum];
      low = std::max(low, high_[variable] - (most_[sum] - total));
      high = std::min(high, low_[variable] + (total - least_[sum]));
      others += most_[sum] - least_[sum] > high_[variable] - low_[variable];
    }
    const std::int64_t values = high - low;
    if (values <= 0) return variable;
    if (best != kNone && (values > best_values || (values == best_values && others <= best_others)))
      continue;
    best = variable;
    best_values = values;
    best_others = others;
  }
  return best;
}

template <class Visit>
bool SumSearch::each(Order order, Visit visit) {
  const Mark bottom = mark();
  frames_.clear();
  const auto descend = [&](std::uint32_t from) {
    const std::uint32_t variable = pick(order, from);
    if (variable == kNone) return visit();
    frames_.push_back({variable, low_[variable], high_[variable], mark()});
    return true;
  };
  if (!descend(0)) return false;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    undo(frame.mark);
    if (frame.value > frame.last) {
      frames_.pop_back();
      continue;
    }
    budget_->spend(1);
    budget_->tick(weight_);
    if (!take(frame.variable, frame.value++) || floor_ >= bound_) continue;
    if (!descend(frame.variable + 1)) {
      undo(bottom);
      return false;
    }
  }
  return true;
}

// ---- the questions

Sums::Sums(std::vector<std::int32_t> caps, std::span<const Sum> sums) : caps_(std::move(caps)) {
  for (std::size_t i = 0; i < caps_.size(); ++i)
    if (caps_[i] < 0 || caps_[i] > kMaxCap)
      throw std::invalid_argument("variable " + std::to_string(i) + " has the cap " +
                                  std::to_string(caps_[i]) + ": it must be from 0 to " +
                                  std::to_string(kMaxCap));
  std::vector<std::size_t> named(caps_.size(), 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    variables_.open();
    // Far beyond what can be is as impossible, and cannot overflow.
    totals_.push_back(std::clamp<std::int64_t>(sums[i].total, -1, std::int64_t{1} << 60));
    widest_.push_back(0);
    for (std::uint32_t variable : sums[i].variables) {
      const std::string where =
          "sum " + std::to_string(i) + " names variable " + std::to_string(variable);
      if (variable >= caps_.size())
        throw std::invalid_argument(where + ", and there are only " + std::to_string(caps_.size()));
      if (named[variable] == i + 1)
        throw std::invalid_argument(where + " twice: name each variable once");
      named[variable] = i + 1;
      variables_.push(variable);
      widest_.back() = std::max(widest_.back(), caps_[variable]);
    }
  }
  std::vector<std::vector<std::uint32_t>> of(caps_.size());
  for (std::uint32_t sum = 0; sum < sums.size(); ++sum)
    for (std::uint32_t variable : variables_[sum]) of[variable].push_back(sum);
  for (const auto& list : of) {
    sums_of_.open();
    for (std::uint32_t sum : list) sums_of_.push(sum);
  }

  SumSearch search;
  search.start(*this, LookAhead::gac, nullptr);
  consistent_ = search.root();
  low_ = search.low_;
  high_ = search.high_;
  least_ = search.least_;
  most_ = search.most_;
}

std::optional<std::pair<Sums::Variables, Sums::Variables>> Sums::assume(
    std::span<const std::uint32_t> ones, std::span<const std::uint32_t> zeros) const {
  // Asked thousands of times a game: the memory stays. Nothing in here can call it again.
  static thread_local SumSearch search;
  for (const auto list : {ones, zeros})
    for (std::uint32_t variable : list)
      if (variable >= caps_.size())
        throw std::invalid_argument("there is no variable " + std::to_string(variable));
  if (!consistent_) return std::nullopt;
  search.start_pruned(*this);
  for (std::uint32_t variable : ones) {
    if (search.high_[variable] != caps_[variable]) return std::nullopt;
    if (search.low_[variable] != caps_[variable])
      search.narrow_and_queue(variable, caps_[variable], caps_[variable]);
  }
  for (std::uint32_t variable : zeros) {
    if (search.low_[variable] != 0) return std::nullopt;
    if (search.high_[variable] != 0) search.narrow_and_queue(variable, 0, 0);
  }
  if (!search.settle()) return std::nullopt;
  std::optional<std::pair<Variables, Variables>> found(std::in_place);
  for (std::uint32_t variable = 0; variable < caps_.size(); ++variable) {
    if (search.high_[variable] == 0)
      found->second.push_back(variable);
    else if (search.low_[variable] == caps_[variable])
      found->first.push_back(variable);
  }
  return found;
}

std::optional<Sums::Ranges> Sums::propagate(LookAhead by) const {
  SumSearch search;
  search.start(*this, by, nullptr);
  if (!search.root()) return std::nullopt;
  return Ranges{search.low_, search.high_};
}

Tally Sums::tally(LookAhead by, Order order, Budget& budget) const {
  Tally found;
  const std::size_t size = caps_.size();
  std::int64_t all = 0;
  std::int32_t widest = 0;
  for (std::int32_t cap : caps_) all += cap, widest = std::max(widest, cap);
  found.mined.resize(size);
  found.least.resize(size);
  found.most.resize(size);
  if (all > kMaxMinefields) return found;

  std::vector<std::vector<double>> choose(static_cast<std::size_t>(widest) + 1);
  for (std::int32_t cap : caps_)
    if (cap > 1 && choose[cap].empty()) choose[cap] = row_of(cap);

  // What was found with one sum of all variables; made when such a solution turns up.
  struct Row {
    double ways = 0;
    std::vector<double> mined;
    std::vector<std::int32_t> least, most;
  };
  std::vector<Row> rows(static_cast<std::size_t>(all) + 1);
  std::int64_t least = all + 1, most = -1;
  SumSearch search;
  const auto visit = [&] {
    Row& row = rows[search.floor_];
    if (row.mined.empty()) {
      row.mined.assign(size, 0);
      row.least.resize(size);
      for (std::size_t i = 0; i < size; ++i) row.least[i] = caps_[i] + 1;
      row.most.assign(size, -1);
      least = std::min(least, search.floor_);
      most = std::max(most, search.floor_);
    }
    double ways = 1;
    if (widest > 1)
      for (std::size_t i = 0; i < size; ++i)
        if (caps_[i] > 1) ways *= choose[caps_[i]][search.low_[i]];
    row.ways += ways;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t value = search.low_[i];
      row.mined[i] += ways * value;
      row.least[i] = std::min(row.least[i], value);
      row.most[i] = std::max(row.most[i], value);
    }
    ++found.count;
    return true;
  };
  try {
    search.start(*this, by, &budget);
    if (search.root()) search.each(order, visit);
    found.complete = true;
  } catch (const OverBudget&) {
  }
  found.nodes = budget.used();
  if (most < 0) return found;
  found.low = least;
  for (std::int64_t sum = least; sum <= most; ++sum) {
    const Row& row = rows[sum];
    found.ways.push_back(row.ways);
    for (std::size_t i = 0; i < size; ++i) {
      const bool any = !row.mined.empty();
      found.mined[i].push_back(any ? row.mined[i] : 0);
      found.least[i].push_back(any ? row.least[i] : caps_[i] + 1);
      found.most[i].push_back(any ? row.most[i] : -1);
    }
  }
  return found;
}

Support Sums::support(LookAhead by, Order order, Budget& budget) const {
  Support found;
  const std::size_t size = caps_.size();
  SumSearch search;
  search.start(*this, by, &budget);
  found.complete = true;
  found.consistent = search.root();
  if (!found.consistent) return found;
  found.low = search.low_;
  found.high = search.high_;

  std::vector<std::int32_t> least = caps_, most(size, 0);  // of the solutions found
  const auto visit = [&] {
    for (std::size_t i = 0; i < size; ++i) {
      least[i] = std::min(least[i], search.low_[i]);
      most[i] = std::max(most[i], search.low_[i]);
    }
    ++found.solutions;
    return false;
  };
  const auto keep = [&](std::uint32_t variable, std::int32_t low, std::int32_t high) {
    search.restrict(variable, low, high);
    found.low = search.low_;
    found.high = search.high_;
  };
  // Looks for a solution with the variable in a part of its range; false when there is none.
  const auto probe = [&](std::uint32_t variable, std::int32_t low, std::int32_t high) {
    const auto mark = search.mark();
    bool consistent = true;
    if (low == high) {
      budget.spend(1);
      consistent = search.take(variable, low);
    } else {
      consistent = search.restrict(variable, low, high);
    }
    const bool none = !consistent || search.each(order, visit);
    search.undo(mark);
    return !none;
  };
  try {
    if (search.each(order, visit)) {
      found.consistent = false;
    } else {
      for (std::uint32_t i = 0; i < size; ++i) {
        while (found.low[i] < least[i])
          if (!probe(i, found.low[i], least[i] - 1)) keep(i, least[i], found.high[i]);
        while (found.high[i] > most[i])
          if (!probe(i, most[i] + 1, found.high[i])) keep(i, found.low[i], most[i]);
      }
    }
  } catch (const OverBudget&) {
    found.complete = false;
  }
  found.nodes = budget.used();
  return found;
}

std::optional<std::int64_t> Sums::fewest(std::int64_t below, Budget& budget) const {
  SumSearch search;
  search.start(*this, LookAhead::gac, &budget);
  std::optional<std::int64_t> found;
  if (!search.root()) return found;
  search.each(Order::constrained, [&] {
    found = search.bound_ = search.floor_;
    return *found >= below;
  });
  return found;
}

std::vector<std::vector<std::int32_t>> Sums::listed(LookAhead by, Order order, std::size_t limit,
                                                    Budget& budget) const {
  std::vector<std::vector<std::int32_t>> found;
  SumSearch search;
  search.start(*this, by, &budget);
  if (limit == 0 || !search.root()) return found;
  search.each(order, [&] {
    found.push_back(search.low_);
    return found.size() < limit;
  });
  return found;
}

}  // namespace minewright
