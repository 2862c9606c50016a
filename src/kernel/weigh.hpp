// Passes over a solution table that attach numbers to its states.
//
// Upwards: the number of minefields behind each state, as a polynomial in the number of mines.
// Downwards: how much each state's completions weigh. Together they give the marginals of all
// boxes at once. A pass works in any ring: doubles for speed, integers modulo a prime for exact
// counts. A few primes and the Chinese remainder theorem give the integers themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "table.hpp"

namespace minewright {

// Doubles are kept in range by scaling whole nodes by powers of two.
struct Reals {
  using Number = double;
  double odds = 1.0;  // the weight of each mine, which keeps large and small counts comparable

  static void add_product(double& sum, double x, double y) { sum += x * y; }
  // Writes the number of ways to place low, low+1, … mines in a box, divided by a common power of
  // two. Returns its exponent.
  int box_weights(std::int32_t size, std::int32_t low, double* first, double* last) const {
    int exponent = 0;
    *first = 1;
    for (std::int32_t i = 0; i < low; ++i) {
      *first *= odds * static_cast<double>(size - i) / static_cast<double>(i + 1);
      exponent += rescale(first, first + 1);
    }
    for (double* weight = first + 1; weight != last; ++weight) {
      const auto mined = low + static_cast<std::int32_t>(weight - first);
      *weight =
          weight[-1] * (odds * static_cast<double>(size - mined + 1) / static_cast<double>(mined));
      exponent += rescale(first, weight + 1);
    }
    return exponent;
  }
  // Scales the numbers to near one. Returns the exponent that was taken out.
  static int rescale(double* first, double* last) {
    double most = 0;
    for (double* x = first; x != last; ++x) most = std::max(most, *x);
    if (most == 0 || (most < 0x1p300 && most > 0x1p-300)) return 0;
    const int exponent = std::ilogb(most);
    for (double* x = first; x != last; ++x) *x = std::ldexp(*x, -exponent);
    return exponent;
  }
};

// Integers modulo a prime below 2^31: products fit into 64 bits on every platform.
struct Modulo {
  using Number = std::uint64_t;
  std::uint64_t prime;

  void add_product(std::uint64_t& sum, std::uint64_t x, std::uint64_t y) const {
    sum = (sum + x * y) % prime;
  }
  int box_weights(std::int32_t size, std::int32_t low, std::uint64_t* first,
                  std::uint64_t* last) const {
    // Pascal's rule: a box has at most a few hundred cells.
    std::vector<std::uint64_t> row(static_cast<std::size_t>(low) +
                                   static_cast<std::size_t>(last - first));
    row[0] = 1;
    for (std::int32_t n = 0; n < size; ++n)
      for (std::size_t k = row.size(); k-- > 1;) row[k] = (row[k] + row[k - 1]) % prime;
    std::copy(row.begin() + low, row.end(), first);
    return 0;
  }
  static int rescale(std::uint64_t*, std::uint64_t*) { return 0; }
};

template <class Ring>
class Weights {
 public:
  using Number = typename Ring::Number;

  // Fills `up`. Returns the sum of the exponents that were taken out.
  int climb(const StateTable& table, const Component& component, const Ring& ring, Budget& budget) {
    up.assign(table.coefficients, Number{});
    int exponent = 0;
    const std::size_t boxes = component.size.size();
    for (std::size_t box = 0; box < boxes; ++box) {
      // Each state of a box holds one number; their mine counts are consecutive.
      const Range& first = table.states[table.nodes[box].first_state];
      const std::uint32_t states = table.nodes[box].end_state - table.nodes[box].first_state;
      exponent += ring.box_weights(component.size[box], first.low, &up[first.offset],
                                   up.data() + first.offset + states);
    }
    for (std::size_t n = boxes; n < table.nodes.size(); ++n) {
      const Node& node = table.nodes[n];
      for (std::uint32_t i = node.first_triple; i < node.end_triple; ++i) {
        const Triple& t = table.triples[i];
        const Range &x = table.states[t.left], &y = table.states[t.right];
        const Range& z = table.states[t.merged];
        budget.tick(pairs(x, y));
        Number* sum = &up[z.offset + static_cast<std::uint32_t>(x.low + y.low - z.low)];
        for (std::int32_t j = 0; j < y.length; ++j) {
          const Number factor = up[y.offset + static_cast<std::uint32_t>(j)];
          const Number* from = &up[x.offset];
          for (std::int32_t k = 0; k < x.length; ++k) ring.add_product(sum[j + k], from[k], factor);
        }
      }
      exponent += rescale(table, node, up);
    }
    return exponent;
  }

  // Fills `down` from the weights at the root's states, which the caller has put there. `down` is
  // as long as `up`. The numbers of a node share an unknown factor, so only their proportions
  // matter.
  void descend(const StateTable& table, std::size_t boxes, const Ring& ring, Budget& budget) {
    for (std::size_t n = table.nodes.size(); n-- > boxes;) {
      const Node& node = table.nodes[n];
      rescale(table, node, down);
      for (std::uint32_t i = node.first_triple; i < node.end_triple; ++i) {
        const Triple& t = table.triples[i];
        const Range &x = table.states[t.left], &y = table.states[t.right];
        const Range& z = table.states[t.merged];
        budget.tick(pairs(x, y));
        const Number* weight = &down[z.offset + static_cast<std::uint32_t>(x.low + y.low - z.low)];
        Number* left = &down[x.offset];
        Number* right = &down[y.offset];
        for (std::int32_t j = 0; j < y.length; ++j)
          for (std::int32_t k = 0; k < x.length; ++k) {
            ring.add_product(left[k], weight[j + k], up[y.offset + static_cast<std::uint32_t>(j)]);
            ring.add_product(right[j], weight[j + k], up[x.offset + static_cast<std::uint32_t>(k)]);
          }
      }
    }
  }

  std::vector<Number> up, down;

 private:
  // Widened before they are multiplied: the product of two 32-bit lengths needs 64 bits.
  static std::uint64_t pairs(const Range& x, const Range& y) {
    return static_cast<std::uint64_t>(x.length) * static_cast<std::uint64_t>(y.length);
  }
  static int rescale(const StateTable& table, const Node& node, std::vector<Number>& numbers) {
    if (node.first_state == node.end_state) return 0;
    const Range& last = table.states[node.end_state - 1];
    return Ring::rescale(&numbers[table.states[node.first_state].offset],
                         numbers.data() + last.offset + static_cast<std::uint32_t>(last.length));
  }
};

}  // namespace minewright
