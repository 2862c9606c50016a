#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "batch.hpp"
#include "bind_columns.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// Shows a member with one row per lane as an array of `As`, without a copy.
template <class As, class Number>
auto rows(std::vector<Number> Batch::* member) {
  static_assert(sizeof(As) == sizeof(Number));
  return [member](Batch& batch) {
    return nb::ndarray<nb::numpy, const As, nb::ndim<2>>(
        (batch.*member).data(), {batch.lanes(), batch.size()}, nb::find(batch));
  };
}

using Moves = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace

// `step` keeps the GIL: a step of one lane is shorter than releasing it, and no other thread may
// look at the arrays while they change.
void bind_batch(nb::module_& m) {
  nb::class_<Batch>(m, "Batch", "Many games of one board, played side by side.")
      .def(
          "__init__",
          [](Batch* self, const Graph& graph, std::size_t lanes, std::size_t mines,
             std::string_view start, double win, double loss, double progress, double useless) {
            new (self)
                Batch(graph, lanes, {mines, parse_start(start), {win, loss, progress, useless}});
          },
          "graph"_a, "lanes"_a, "mines"_a, "start"_a, "win"_a, "loss"_a, "progress"_a, "useless"_a,
          nb::keep_alive<1, 2>())
      .def(
          "seed", [](Batch& batch, const std::vector<std::uint64_t>& seeds) { batch.seed(seeds); },
          "seeds"_a)
      .def("begin_all", &Batch::begin_all)
      .def("begin_over", &Batch::begin_over)
      .def(
          "step",
          [](Batch& batch, const Moves& moves) { batch.step({moves.data(), moves.size()}); },
          "moves"_a, nb::sig("def step(self, moves: NDArray) -> None"))
      .def_prop_ro("visible", rows<std::int8_t>(&Batch::visible))
      .def_prop_ro("mask", rows<std::int8_t>(&Batch::mask))
      .def_prop_ro("reward", column<double>(&Batch::reward))
      .def_prop_ro("over", column<bool>(&Batch::over))
      .def_prop_ro("won", column<bool>(&Batch::won))
      .def_prop_ro("streams", column<std::uint64_t>(&Batch::streams));
}

}  // namespace minewright
