#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "deduce.hpp"
#include "questions.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

void bind_deduce(nb::module_& m) {
  m.def(
      "deduce",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, const std::string& search,
         std::uint64_t states, double seconds) -> nb::object {
        const Question question = question_of(graph, cells, mines, false);
        Budget budget(states, seconds, &heed_signals);
        std::optional<Step> step;
        {
          nb::gil_scoped_release release;
          step = Lease<Deducer>(budget)->next(
              graph, question, search == "paper" ? Search::paper : Search::simplest, budget);
        }
        if (!step) return nb::none();
        return nb::make_tuple(step->kind, step->clues, step->safe, step->mined);
      },
      "graph"_a, "cells"_a, "mines"_a, "search"_a, "states"_a, "seconds"_a);
}

}  // namespace minewright
