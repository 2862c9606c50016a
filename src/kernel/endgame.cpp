#include "endgame.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "random.hpp"

namespace minewright {

namespace {

constexpr std::size_t kFirstTable = 1 << 10;
// Smaller sets are solved as quickly as their symmetric counterparts are found.
constexpr std::uint32_t kSymmetric = 12;

}  // namespace

void Endgame::reset(std::size_t cells, std::size_t layouts) {
  cells_ = cells;
  layouts_ = layouts;
  shown_.assign(cells * layouts, kMine);
  symmetries_.clear();
  forget();
  if (keys_.size() < layouts) {
    Random random(layouts);
    keys_.resize(layouts);
    for (Key& key : keys_) key = {random.next(), random.next()};
  }
}

void Endgame::set_symmetries(std::vector<std::vector<std::uint32_t>> symmetries) {
  symmetries_ = std::move(symmetries);
}

void Endgame::forget() {
  table_.assign(kFirstTable, Entry{{}, 0, 0});
  entries_ = 0;
}

Endgame::Entry& Endgame::find(Key key) {
  std::size_t slot = key.low & (table_.size() - 1);
  while (table_[slot].lower != 0 && table_[slot].key != key)
    slot = (slot + 1) & (table_.size() - 1);
  return table_[slot];
}

// Returns the entry of a set, which may be new. Once there are enough of them, a new one takes the
// place of another whose search begins in the same slot; if there is none, it is not kept. (It must
// not fill that slot: a table without empty slots would be searched without end.)
Endgame::Entry& Endgame::keep(Key key) {
  Entry& entry = find(key);
  if (entry.lower != 0) return entry;
  if (entries_ < most_sets_) {
    ++entries_;
    return entry;
  }
  Entry& other = table_[key.low & (table_.size() - 1)];
  Entry& kept = other.lower != 0 ? other : unkept_;
  kept.lower = 0;
  return kept;
}

void Endgame::grow() {
  std::vector<Entry> old(2 * table_.size(), Entry{{}, 0, 0});
  old.swap(table_);
  for (const Entry& entry : old)
    if (entry.lower != 0) find(entry.key) = entry;
}

// A set is known by the sum of its layouts' random keys; of symmetric sets, by the least sum.
Endgame::Key Endgame::key_of(std::uint32_t first, std::uint32_t count) const {
  Key sum;
  const auto add = [](Key& to, const Key& key) {
    to.low += key.low;
    to.high += key.high;
  };
  for (std::uint32_t i = first; i < first + count; ++i) add(sum, keys_[sets_[i]]);
  if (count < kSymmetric) return sum;
  for (const auto& symmetry : symmetries_) {
    Key other;
    for (std::uint32_t i = first; i < first + count; ++i) add(other, keys_[symmetry[sets_[i]]]);
    sum = std::min(sum, other);
  }
  return sum;
}

// Opens a cell: returns the sum of the values of the sets it leaves if that is above `alpha`, or
// else an upper bound that is not.
std::int64_t Endgame::open(std::uint32_t first, std::uint32_t count, std::uint32_t cells_first,
                           std::uint32_t cells_count, std::uint32_t place, std::int64_t alpha) {
  struct Child {
    std::uint32_t first, count;
  };
  std::array<Child, 256> children;
  std::size_t number_of_children = 0;
  const std::uint8_t* shown = &shown_[place * layouts_];
  std::array<std::uint32_t, 256> counts{};
  for (std::uint32_t i = first; i < first + count; ++i) ++counts[shown[sets_[i]]];
  const auto begin = static_cast<std::uint32_t>(sets_.size());
  std::uint32_t next = begin;
  std::array<std::uint32_t, 256> at;
  for (std::uint32_t number = 1; number <= most_shown_; ++number) {
    at[number] = next;
    if (counts[number] == 0) continue;
    children[number_of_children++] = {next, counts[number]};
    next += counts[number];
  }
  sets_.resize(next);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::uint8_t number = shown[sets_[i]];
    if (number != kMine) sets_[at[number]++] = sets_[i];
  }
  // Small sets are cheap and tighten the bound for the others.
  std::sort(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(number_of_children),
            [](const Child& a, const Child& b) {
              return a.count != b.count ? a.count < b.count : a.first < b.first;
            });
  std::int64_t most = next - begin;
  for (std::size_t i = 0; i < number_of_children && most > alpha; ++i) {
    const Child child = children[i];
    if (child.count == 1) continue;
    most -= child.count;
    most += search(child.first, child.count, cells_first, cells_count, alpha - most, nullptr);
  }
  sets_.resize(begin);
  return most;
}

std::uint32_t Endgame::search(std::uint32_t first, std::uint32_t count, std::uint32_t cells_first,
                              std::uint32_t cells_count, std::int64_t alpha, std::uint32_t* place) {
  if (count == 1) return 1;
  const Key key = key_of(first, count);
  if (place == nullptr) {
    const Entry& known = find(key);
    if (known.lower != 0) {
      if (known.lower == known.upper) return known.lower;
      if (known.upper <= alpha) return known.upper;
    }
  }
  work_ += std::uint64_t{count} * cells_count;
  budget_->tick(std::uint64_t{count} * cells_count);
  const bool over = work_ > limit_;
  cut_ |= over;
  if (over && leaf_ == Leaf::least) return 1;

  // Cells that show the same in all layouts no longer matter.
  const auto own_cells = static_cast<std::uint32_t>(places_.size());
  const auto own_candidates = static_cast<std::uint32_t>(candidates_.size());
  std::uint32_t free = kNowhere, free_spread = 0, most_safe = 0;
  for (std::uint32_t c = cells_first; c < cells_first + cells_count; ++c) {
    const std::uint32_t at = places_[c];
    const std::uint8_t* shown = &shown_[at * layouts_];
    std::fill(counts_.begin(), counts_.end(), 0);
    for (std::uint32_t i = first; i < first + count; ++i) ++counts_[shown[sets_[i]]];
    std::uint32_t numbers = 0, spread = 0;
    for (std::uint32_t number = 1; number <= most_shown_; ++number) {
      numbers += counts_[number] > 0;
      spread = std::max(spread, counts_[number]);
    }
    const std::uint32_t safe = count - counts_[kMine];
    if (safe == 0 || (safe == count && numbers == 1)) continue;
    places_.push_back(at);
    if (numbers < 2) continue;
    if (safe == count && (free == kNowhere || spread < free_spread)) {
      free = at;
      free_spread = spread;
    }
    most_safe = std::max(most_safe, safe);
    candidates_.push_back({at, safe, spread});
  }
  const auto own_count = static_cast<std::uint32_t>(places_.size()) - own_cells;

  std::uint32_t best = 1, best_place = kNowhere;
  std::int64_t bound = 1;  // no cell has more than this
  if (over) {
    best = free != kNowhere ? count : std::max(1u, most_safe);
    bound = best;
  } else if (free != kNowhere) {
    bound = open(first, count, own_cells, own_count, free, alpha);
    best = static_cast<std::uint32_t>(bound);
    best_place = free;
  } else {
    std::sort(candidates_.begin() + own_candidates, candidates_.end(),
              [](const Candidate& a, const Candidate& b) {
                if (a.safe != b.safe) return a.safe > b.safe;
                return a.spread != b.spread ? a.spread < b.spread : a.place < b.place;
              });
    for (std::size_t c = own_candidates; c < candidates_.size(); ++c) {
      const Candidate candidate = candidates_[c];
      const std::int64_t least = std::max<std::int64_t>(alpha, best);
      if (candidate.safe <= least) {
        bound = std::max<std::int64_t>(bound, candidate.safe);
        break;
      }
      const std::int64_t value = open(first, count, own_cells, own_count, candidate.place, least);
      bound = std::max(bound, value);
      if (value <= least) continue;
      best = static_cast<std::uint32_t>(value);
      best_place = candidate.place;
    }
    // Only dead cells remain: whichever is opened first, one layout is won.
    if (best_place == kNowhere && own_candidates < candidates_.size())
      best_place = candidates_[own_candidates].place;
  }
  places_.resize(own_cells);
  candidates_.resize(own_candidates);
  if (place != nullptr) *place = best_place;

  Entry& entry = keep(key);
  if (entry.lower == 0) entry = {key, 1, count};
  if (best > alpha)
    entry.lower = entry.upper = best;
  else
    entry.upper =
        std::min(entry.upper, static_cast<std::uint32_t>(std::max<std::int64_t>(1, bound)));
  const std::uint32_t result = best > alpha ? best : entry.upper;
  if (2 * entries_ > table_.size()) grow();
  return result;
}

Endgame::Answer Endgame::answer(std::span<const std::uint32_t> set, std::uint64_t work,
                                Budget& budget, bool bounds) {
  if (set.empty()) return {};
  budget_ = &budget;
  limit_ = work;
  const auto count = static_cast<std::uint32_t>(set.size());
  const auto run = [&](Leaf leaf, std::uint32_t* place) {
    leaf_ = leaf;
    cut_ = false;
    work_ = 0;
    sets_.assign(set.begin(), set.end());
    places_.resize(cells_);
    std::iota(places_.begin(), places_.end(), 0u);
    candidates_.clear();
    return search(0, count, 0, static_cast<std::uint32_t>(cells_), 0, place);
  };
  if (count == 1) return {1, 1, kNowhere};
  most_shown_ = *std::max_element(shown_.begin(), shown_.end());
  counts_.assign(most_shown_ + std::size_t{1}, 0);
  Answer result;
  result.lower = result.upper = run(Leaf::least, &result.place);
  if (!cut_) return result;
  forget();
  result.upper = count;
  if (!bounds) return result;
  result.upper = run(Leaf::most, nullptr);
  forget();
  return result;
}

Endgame::Answer Endgame::solve(std::uint64_t work, Budget& budget, bool bounds) {
  std::vector<std::uint32_t> all(layouts_);
  std::iota(all.begin(), all.end(), 0u);
  return answer(all, work, budget, bounds);
}

Endgame::Answer Endgame::solve(std::size_t place, std::uint8_t number, std::uint64_t work,
                               Budget& budget) {
  std::vector<std::uint32_t> set;
  for (std::uint32_t layout = 0; layout < layouts_; ++layout)
    if (shown(place, layout) == number) set.push_back(layout);
  return answer(set, work, budget);
}

Endgame::Answer Endgame::first(std::size_t place, std::uint64_t work, Budget& budget) {
  Answer sum{0, 0, static_cast<std::uint32_t>(place)};
  const std::uint8_t* begin = &shown_[place * layouts_];
  const std::uint8_t most = *std::max_element(begin, begin + layouts_);
  for (std::uint8_t number = 1; number <= most && number != 0; ++number) {
    const Answer part = solve(place, number, work, budget);
    sum.lower += part.lower;
    sum.upper += part.upper;
  }
  return sum;
}

}  // namespace minewright
