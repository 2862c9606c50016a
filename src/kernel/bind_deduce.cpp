#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "deduce.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

Search parse_search(std::string_view word) {
  if (word == "simplest") return Search::simplest;
  if (word == "paper") return Search::paper;
  throw std::invalid_argument("a search is simplest or paper, not '" + std::string(word) + "'");
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
        std::optional<Deduction> step;
        {
          nb::gil_scoped_release release;
          step = Lease<Deducer>(budget)->next(graph, question, way, budget);
        }
        if (!step) return nb::none();
        return nb::make_tuple(step->kind, step->clues, step->safe, step->mined);
      },
      "graph"_a, "cells"_a, "mines"_a, "search"_a, "budget"_a);
}

}  // namespace minewright
