// Many short lists in one pool: a list needs no allocation of its own and can shrink in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace minewright {

class Lists {
 public:
  void clear() {
    start_.clear();
    length_.clear();
    pool_.clear();
  }
  std::size_t size() const { return start_.size(); }

  // Opens a new list at the end; `push` appends to it.
  void open() {
    start_.push_back(static_cast<std::uint32_t>(pool_.size()));
    length_.push_back(0);
  }
  void push(std::uint32_t item) {
    pool_.push_back(item);
    ++length_.back();
  }
  // Removes the last list.
  void drop() {
    pool_.resize(start_.back());
    start_.pop_back();
    length_.pop_back();
  }

  std::span<const std::uint32_t> operator[](std::size_t list) const {
    return {pool_.data() + start_[list], length_[list]};
  }

  // Keeps the items for which `keep(item)` is true, in their order.
  template <class Keep>
  void filter(std::size_t list, Keep keep) {
    std::uint32_t* items = pool_.data() + start_[list];
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < length_[list]; ++i)
      if (keep(items[i])) items[kept++] = items[i];
    length_[list] = kept;
  }
  void remove(std::size_t list, std::uint32_t item) {
    filter(list, [item](std::uint32_t other) { return other != item; });
  }

 private:
  std::vector<std::uint32_t> start_, length_, pool_;
};

}  // namespace minewright
