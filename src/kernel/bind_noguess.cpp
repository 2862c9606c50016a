#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "noguess.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {
namespace {

// Runs work on a NoGuess within a budget, and reports it if the budget runs out.
template <class Work>
auto within(const Graph& graph, const NoGuessWish& wish, const Limits& limits, Work work) {
  nb::gil_scoped_release release;
  Budget budget = limits.begin();
  NoGuess maker(graph, wish);
  try {
    return work(maker, budget);
  } catch (const OverBudget&) {
    throw TooHard({}, budget);
  }
}

}  // namespace

void bind_noguess(nb::module_& m) {
  nb::class_<NoGuessWish>(m, "NoGuessWish", "What a minefield without guesses should be like.")
      .def(
          "__init__",
          [](NoGuessWish* self, std::size_t mines, Cell first, std::string_view start,
             std::string_view reasoning, bool total, bool repair, std::uint64_t seed) {
            new (self) NoGuessWish{
                mines, first, parse_start(start), parse_reasoning(reasoning), total, repair, seed};
          },
          "mines"_a, "first"_a, "start"_a, "reasoning"_a, "total"_a, "repair"_a, "seed"_a);
  nb::class_<NoGuessField>(m, "NoGuessField", "A minefield without guesses, and how it was found.")
      .def_ro("mined", &NoGuessField::mined)
      .def_ro("drawn", &NoGuessField::drawn)
      .def_ro("moved", &NoGuessField::moved);
  m.def(
      "noguess_make",
      [](const Graph& graph, const NoGuessWish& wish, std::uint64_t stream, const Limits& limits) {
        return within(graph, wish, limits, [stream](NoGuess& maker, Budget& budget) {
          return maker.make(stream, budget);
        });
      },
      "graph"_a, "wish"_a, "stream"_a, "budget"_a);
  m.def(
      "noguess_stuck",
      [](const Graph& graph, const NoGuessWish& wish, const std::vector<Cell>& mined,
         const Limits& limits) {
        return within(graph, wish, limits, [&mined](NoGuess& maker, Budget& budget) {
          return maker.stuck(mined, budget);
        });
      },
      "graph"_a, "wish"_a, "mined"_a, "budget"_a);
}

}  // namespace minewright
