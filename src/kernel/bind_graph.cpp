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
          "cell"_a);
  m.attr("COVERED") = kCovered;
  m.attr("MARKED") = kMarked;
  m.attr("SAFE") = kSafe;
  m.attr("MINED") = kMined;
  m.attr("MAX_NUMBER") = kMaxNumber;
}

}  // namespace minewright
