#include "table.hpp"

#include <algorithm>
#include <bit>

namespace minewright {

namespace {

// Limits the memory of the states, and separately that of the numbers attached to them, whatever
// the budget says: a long component has few states, but each holds a number for every count of
// mines.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

}  // namespace

// A key holds one field per constraint: its mine count and, above it, a guard bit. Two keys are
// added word by word. Two more additions check all fields at once: the first sets the guard bit of
// a count that is too large, the second that of a count that can still reach what is needed.
template <std::size_t W>
class StateTable::Builder {
 public:
  Builder(StateTable& table, const Component& component, Budget& budget)
      : t_(table), component_(component), budget_(budget), keys_(std::get<Keys<W>>(table.keys_)) {}

  // Returns false if the fields do not fit into W words.
  bool run(const std::vector<Merge>& merges) {
    t_.states.clear();
    t_.triples.clear();
    t_.nodes.clear();
    t_.fields_.clear();
    t_.layout_.clear();
    keys_.of_state.clear();
    for (std::uint32_t box = 0; box < component_.size.size(); ++box)
      if (!leaf(box)) return false;
    for (const Merge& step : merges)
      if (!merge(step.left, step.right)) return false;
    t_.root_amount.clear();
    for (std::uint32_t state = t_.root().first_state; state < t_.root().end_state; ++state)
      // The observed constraint, if any, is the only field left, and it is in the first word.
      t_.root_amount.push_back(static_cast<std::int32_t>(keys_.of_state[state][0]));
    return true;
  }

 private:
  std::span<const Field> layout(std::uint32_t node) const {
    return {t_.fields_.data() + t_.layout_[node].first, t_.fields_.data() + t_.layout_[node].end};
  }

  // Places fields so that none straddles two words. Returns false if they do not fit.
  bool place(std::vector<Field>& list) const {
    std::uint16_t word = 0, shift = 0;
    for (Field& field : list) {
      const auto high = static_cast<std::uint32_t>(component_.constraints[field.constraint].high);
      field.width = static_cast<std::uint16_t>(std::bit_width(high));
      if (shift + field.width + 1 > 64) ++word, shift = 0;
      if (word >= W) return false;
      field.word = word;
      field.shift = shift;
      shift = static_cast<std::uint16_t>(shift + field.width + 1);
    }
    return true;
  }

  bool stays_open(std::uint32_t constraint, std::int32_t inside) const {
    return inside < component_.cells[constraint] ||
           static_cast<std::int32_t>(constraint) == component_.observed;
  }

  void add_state(const Key<W>& key, std::int32_t low, std::int32_t length) {
    keys_.of_state.push_back(key);
    t_.states.push_back({low, length, 0, 0});
  }

  void add_node(std::uint32_t first_state, std::uint32_t first_triple,
                std::span<const Field> fields) {
    const auto first_field = static_cast<std::uint32_t>(t_.fields_.size());
    t_.fields_.insert(t_.fields_.end(), fields.begin(), fields.end());
    t_.layout_.push_back({first_field, static_cast<std::uint32_t>(t_.fields_.size())});
    t_.nodes.push_back({first_state, static_cast<std::uint32_t>(t_.states.size()), first_triple,
                        static_cast<std::uint32_t>(t_.triples.size())});
  }

  bool leaf(std::uint32_t box) {
    const std::int32_t size = component_.size[box];
    std::int32_t least = 0, most = size;
    auto& fields = t_.merging_;
    fields.clear();
    for (std::uint32_t c : component_.box_constraints[box]) {
      least = std::max(least, component_.least(c, size));
      most = std::min(most, component_.most(c, size));
      if (stays_open(c, size)) fields.push_back({c, size, 0, 0, 0});
    }
    if (!place(fields)) return false;
    const auto first = static_cast<std::uint32_t>(t_.states.size());
    for (std::int32_t value = least; value <= most; ++value) {
      Key<W> key{};
      for (const Field& field : fields)
        key[field.word] |= static_cast<std::uint64_t>(value) << field.shift;
      add_state(key, value, 1);
    }
    add_node(first, static_cast<std::uint32_t>(t_.triples.size()), fields);
    return true;
  }

  // Rewrites a node's keys into the layout of the merge it takes part in.
  void translate(std::uint32_t node, std::vector<Key<W>>& result) const {
    const Node& from = t_.nodes[node];
    result.assign(from.end_state - from.first_state, Key<W>{});
    for (const Field& field : layout(node)) {
      const Field& to =
          *std::find_if(t_.merging_.begin(), t_.merging_.end(),
                        [&](const Field& other) { return other.constraint == field.constraint; });
      const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i][to.word] |=
            (keys_.of_state[from.first_state + i][field.word] >> field.shift & mask) << to.shift;
    }
  }

  // Lists the fields of the merge of two nodes. Those that stay open come first, so that cutting
  // off the others leaves the new key. Returns how many stay open.
  std::size_t merge_fields(std::uint32_t a, std::uint32_t b) {
    auto& fields = t_.merging_;
    auto& closing = t_.closing_;
    fields.clear();
    closing.clear();
    for (const Field& field : layout(a)) {
      std::int32_t inside = field.inside;
      for (const Field& other : layout(b))
        if (other.constraint == field.constraint) inside += other.inside;
      (stays_open(field.constraint, inside) ? fields : closing)
          .push_back({field.constraint, inside, 0, 0, 0});
    }
    for (const Field& field : layout(b)) {
      const auto mine = layout(a);
      const bool shared = std::any_of(mine.begin(), mine.end(), [&](const Field& other) {
        return other.constraint == field.constraint;
      });
      if (!shared) fields.push_back({field.constraint, field.inside, 0, 0, 0});
    }
    const std::size_t kept = fields.size();
    fields.insert(fields.end(), closing.begin(), closing.end());
    return kept;
  }

  bool merge(std::uint32_t a, std::uint32_t b) {
    const std::size_t kept = merge_fields(a, b);
    auto& fields = t_.merging_;
    if (!place(fields)) return false;
    Key<W> too_many{}, enough{}, guard{}, keep{};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      const std::uint64_t top = std::uint64_t{1} << field.width;
      const auto high = static_cast<std::uint64_t>(component_.constraints[field.constraint].high);
      const auto least =
          static_cast<std::uint64_t>(component_.least(field.constraint, field.inside));
      too_many[field.word] |= (top - 1 - high) << field.shift;
      enough[field.word] |= (top - least) << field.shift;
      guard[field.word] |= top << field.shift;
      if (i < kept) keep[field.word] |= (top - 1) << field.shift;
    }
    translate(a, keys_.left);
    translate(b, keys_.right);

    const auto first_state = static_cast<std::uint32_t>(t_.states.size());
    const auto first_triple = static_cast<std::uint32_t>(t_.triples.size());
    capacity_ = 64;
    t_.slots_.assign(capacity_, UINT32_MAX);
    for (std::uint32_t i = 0; i < keys_.left.size(); ++i) {
      budget_.spend(keys_.right.size());
      if (t_.triples.size() * sizeof(Triple) + t_.states.size() * (sizeof(Range) + sizeof(Key<W>)) >
          kMaxBytes)
        throw OverBudget();
      const Key<W> left = keys_.left[i];
      const std::uint32_t left_state = t_.nodes[a].first_state + i;
      for (std::uint32_t j = 0; j < keys_.right.size(); ++j) {
        Key<W> key;
        bool fits = true;
        for (std::size_t w = 0; w < W; ++w) {
          key[w] = left[w] + keys_.right[j][w];
          fits &= ((key[w] + too_many[w]) & guard[w]) == 0;
          fits &= ((key[w] + enough[w]) & guard[w]) == guard[w];
          key[w] &= keep[w];
        }
        if (fits) join(left_state, t_.nodes[b].first_state + j, key, first_state);
      }
    }
    add_node(first_state, first_triple, {fields.data(), kept});
    return true;
  }

  // Records a pair of compatible states under its merged state.
  void join(std::uint32_t left, std::uint32_t right, const Key<W>& key, std::uint32_t first_state) {
    const Range &x = t_.states[left], &y = t_.states[right];
    const std::int32_t low = x.low + y.low, length = x.length + y.length - 1;
    std::size_t slot = hash(key) & (capacity_ - 1);
    while (t_.slots_[slot] != UINT32_MAX && keys_.of_state[t_.slots_[slot]] != key)
      slot = (slot + 1) & (capacity_ - 1);
    std::uint32_t merged = t_.slots_[slot];
    if (merged == UINT32_MAX) {
      merged = t_.slots_[slot] = static_cast<std::uint32_t>(t_.states.size());
      add_state(key, low, length);
      if ((t_.states.size() - first_state) * 2 > capacity_) grow(first_state);
    } else {
      Range& range = t_.states[merged];
      const std::int32_t end = std::max(range.low + range.length, low + length);
      range.low = std::min(range.low, low);
      range.length = end - range.low;
    }
    t_.triples.push_back({left, right, merged});
  }

  void grow(std::uint32_t first_state) {
    capacity_ *= 4;
    t_.slots_.assign(capacity_, UINT32_MAX);
    for (auto state = first_state; state < t_.states.size(); ++state) {
      std::size_t slot = hash(keys_.of_state[state]) & (capacity_ - 1);
      while (t_.slots_[slot] != UINT32_MAX) slot = (slot + 1) & (capacity_ - 1);
      t_.slots_[slot] = state;
    }
  }

  static std::size_t hash(const Key<W>& key) {
    std::uint64_t h = 0;
    for (std::uint64_t word : key) h = (h ^ word) * 0x9e3779b97f4a7c15ULL, h ^= h >> 32;
    return static_cast<std::size_t>(h);
  }

  StateTable& t_;
  const Component& component_;
  Budget& budget_;
  Keys<W>& keys_;
  std::size_t capacity_ = 0;
};

void StateTable::build(const Component& component, const std::vector<Merge>& merges,
                       Budget& budget) {
  // One word is nearly always enough. The widest keys are for cells that touch hundreds of clues.
  if (!Builder<1>(*this, component, budget).run(merges) &&
      !Builder<2>(*this, component, budget).run(merges) &&
      !Builder<8>(*this, component, budget).run(merges) &&
      !Builder<64>(*this, component, budget).run(merges))
    throw OverBudget();

  std::uint64_t lengths = 0;
  for (const Range& range : states) lengths += static_cast<std::uint64_t>(range.length);
  if (lengths * 2 * sizeof(double) > kMaxBytes) throw OverBudget();
  coefficients = 0;
  std::uint32_t words = 0;
  for (Range& range : states) {
    range.offset = coefficients;
    range.word = words;
    coefficients += static_cast<std::uint32_t>(range.length);
    words += static_cast<std::uint32_t>(words_for(static_cast<std::size_t>(range.length)));
  }
  support.assign(words, 0);
  for (std::uint32_t state = 0; state < states.size(); ++state)
    if (states[state].length == 1) support[states[state].word] = 1;
  for (const Triple& t : triples) {
    const Range &x = states[t.left], &y = states[t.right], &z = states[t.merged];
    budget.tick(1);
    if (z.length == 1) continue;
    const bool swap = x.length < y.length;
    const Range &longer = swap ? y : x, &shorter = swap ? x : y;
    const auto base = static_cast<std::size_t>(x.low + y.low - z.low);
    for_each_bit(&support[shorter.word], words_for(static_cast<std::size_t>(shorter.length)),
                 [&](std::size_t i) {
                   or_shifted_up(&support[z.word], words_for(static_cast<std::size_t>(z.length)),
                                 &support[longer.word],
                                 words_for(static_cast<std::size_t>(longer.length)), base + i);
                 });
  }
}

}  // namespace minewright
