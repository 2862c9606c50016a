#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "deduce.hpp"
#include "opening.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

Search parse_search(std::string_view word) {
  if (word == "simplest") return Search::simplest;
  if (word == "paper") return Search::paper;
  throw std::invalid_argument("a search is simplest or paper, not '" + std::string(word) + "'");
}

// Lends a worker for a question, and reports it if the time runs out between its searches.
template <class Worker, class Work>
auto ask(Budget& budget, Work work) {
  nb::gil_scoped_release release;
  try {
    return work(*Lease<Worker>(budget));
  } catch (const OverBudget&) {
    throw TooHard({}, budget);
  }
}

}  // namespace

void bind_deduce(nb::module_& m) {
  m.def(
      "deduce",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, std::string_view search,
         const Limits& limits) -> nb::object {
        const Question question = question_of(graph, cells, mines, false);
        const Search way = parse_search(search);
        Budget budget = limits.begin();
        const auto step = ask<Deducer>(
            budget, [&](Deducer& deducer) { return deducer.next(graph, question, way, budget); });
        if (!step) return nb::none();
        return nb::make_tuple(step->kind, step->clues, step->safe, step->mined);
      },
      "graph"_a, "cells"_a, "mines"_a, "search"_a, "budget"_a);
  m.def(
      "open_by_steps",
      [](const Graph& graph, const nb::bytes& truth, const nb::bytes& cells,
         const std::vector<Cell>& first, std::int64_t mines, const Limits& limits) {
        const Question real = question_of(graph, truth, mines, false);
        const Question seen = question_of(graph, cells, mines, false);
        for (Cell cell : first) check_cell(graph, cell);
        Budget budget = limits.begin();
        const auto opening = ask<Opener>(budget, [&](Opener& opener) {
          return opener.run(graph, real.cells, {seen.cells.begin(), seen.cells.end()}, first, mines,
                            budget);
        });
        nb::list steps;
        for (const Deduction& step : opening.steps)
          steps.append(nb::make_tuple(step.kind, step.clues, step.safe, step.mined));
        return nb::make_tuple(steps, nb::bytes(reinterpret_cast<const char*>(opening.codes.data()),
                                               opening.codes.size()));
      },
      "graph"_a, "truth"_a, "cells"_a, "first"_a, "mines"_a, "budget"_a);
}

}  // namespace minewright
