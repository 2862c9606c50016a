#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "infer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

Solver& solver() {
  static thread_local Solver own;
  return own;
}

Question question_of(const Graph& graph, const nb::bytes& cells, std::int64_t mines,
                     bool trust_marks) {
  if (cells.size() != graph.size()) throw nb::value_error("one code a cell is needed");
  return {
      {static_cast<const std::uint8_t*>(cells.data()), cells.size()}, mines, trust_marks, kNoCell};
}

}  // namespace

void bind_infer(nb::module_& m) {
  nb::class_<Inference>(m, "Inference")
      .def_ro("consistent", &Inference::consistent)
      .def_ro("in_range", &Inference::in_range)
      .def_ro("states", &Inference::states)
      .def_prop_ro("safe", [](const Inference& i) { return i.safe; })
      .def_prop_ro("mined", [](const Inference& i) { return i.mined; })
      .def_prop_ro("probability", [](Inference& i) {
        return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(
            i.probability.data(), {i.probability.size()}, nb::find(i));
      });
  m.def(
      "infer",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, bool trust_marks,
         std::uint64_t states, double seconds) {
        const Question question = question_of(graph, cells, mines, trust_marks);
        Budget budget;
        budget.states = states;
        budget.seconds = seconds;
        nb::gil_scoped_release release;
        return solver().infer(graph, question, budget);
      },
      "graph"_a, "cells"_a, "mines"_a, "trust_marks"_a, "states"_a, "seconds"_a);
  m.def(
      "numbers",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, bool trust_marks,
         std::uint32_t cell, std::uint64_t states, double seconds) {
        Question question = question_of(graph, cells, mines, trust_marks);
        question.observed = cell;
        Budget budget;
        budget.states = states;
        budget.seconds = seconds;
        nb::gil_scoped_release release;
        return solver().numbers(graph, question, budget);
      },
      "graph"_a, "cells"_a, "mines"_a, "trust_marks"_a, "cell"_a, "states"_a, "seconds"_a);
}

}  // namespace minewright
