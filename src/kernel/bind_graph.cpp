#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "graph.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

void bind_graph(nb::module_& m) {
  nb::class_<Graph>(m, "Graph", "Which cells touch which: immutable neighbour lists.")
      .def(nb::init<const std::vector<std::vector<Cell>>&>(), "lists"_a)
      .def_static("lattice", &Graph::lattice, "shape"_a, "offsets"_a, "wrap"_a = false)
      .def_prop_ro("size", &Graph::size)
      .def_prop_ro("max_degree", &Graph::max_degree)
      .def(
          "neighbours",
          [](const Graph& graph, std::int64_t cell) {
            if (cell < 0 || static_cast<std::size_t>(cell) >= graph.size())
              throw nb::index_error("no such cell");
            auto near = graph.neighbours(static_cast<Cell>(cell));
            nb::list result;
            for (Cell other : near) result.append(other);
            return nb::tuple(result);
          },
          "cell"_a)
      .def(
          "first_excess",
          [](const Graph& graph, const nb::bytes& cells) -> std::int64_t {
            if (cells.size() != graph.size()) throw nb::value_error("one code per cell");
            const auto* codes = static_cast<const unsigned char*>(cells.data());
            for (std::size_t cell = 0; cell < graph.size(); ++cell)
              if (codes[cell] <= kMaxNumber &&
                  codes[cell] > graph.neighbours(static_cast<Cell>(cell)).size())
                return static_cast<std::int64_t>(cell);
            return -1;
          },
          "cells"_a, "Returns the first cell with a number above its degree, or -1.");
  m.attr("COVERED") = kCovered;
  m.attr("MARKED") = kMarked;
  m.attr("SAFE") = kSafe;
  m.attr("MINED") = kMined;
  m.attr("MAX_NUMBER") = kMaxNumber;
}

}  // namespace minewright
