#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <utility>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "sums.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// Binds a search that takes a way to look ahead, an order and a budget; `Extra` are its other
// arguments.
template <class... Extra, class Search, class... Names>
void bind_search(nb::class_<Sums>& sums, const char* name, Search search, Names... names) {
  sums.def(
      name,
      [search](const Sums& self, std::string_view by, std::string_view order, Extra... extra,
               const Limits& limits) {
        const LookAhead look_ahead = look_ahead_of(by);
        const Order next = order_of(order);
        Budget budget = limits.begin();
        nb::gil_scoped_release release;
        return std::invoke(search, self, look_ahead, next, extra..., budget);
      },
      "by"_a, "order"_a, names..., "budget"_a);
}

}  // namespace

void bind_sums(nb::module_& m) {
  nb::class_<SumTally>(m, "SumTally")
      .def_ro("complete", &SumTally::complete)
      .def_ro("count", &SumTally::count)
      .def_ro("nodes", &SumTally::nodes)
      .def_ro("low", &SumTally::low)
      .def_ro("ways", &SumTally::ways)
      .def_ro("mined", &SumTally::mined)
      .def_ro("least", &SumTally::least)
      .def_ro("most", &SumTally::most);
  nb::class_<Support>(m, "Support")
      .def_ro("complete", &Support::complete)
      .def_ro("consistent", &Support::consistent)
      .def_ro("nodes", &Support::nodes)
      .def_ro("solutions", &Support::solutions)
      .def_ro("low", &Support::low)
      .def_ro("high", &Support::high);
  nb::class_<Fewest>(m, "Fewest")
      .def_ro("complete", &Fewest::complete)
      .def_ro("fewest", &Fewest::fewest);
  nb::class_<Sums> sums(m, "Sums");
  sums.def(
          "__init__",
          [](Sums* self, std::vector<std::int32_t> caps,
             std::vector<std::pair<std::vector<std::uint32_t>, std::int64_t>> given) {
            std::vector<Sum> own;
            own.reserve(given.size());
            for (auto& [variables, total] : given) own.push_back({std::move(variables), total});
            new (self) Sums(std::move(caps), own);
          },
          "caps"_a, "sums"_a)
      .def(
          "assume",
          [](const Sums& self, const std::vector<std::uint32_t>& ones,
             const std::vector<std::uint32_t>& zeros) { return self.assume(ones, zeros); },
          "ones"_a, "zeros"_a)
      .def(
          "propagate",
          [](const Sums& self, std::string_view by) { return self.propagate(look_ahead_of(by)); },
          "by"_a)
      .def(
          "fewest",
          [](const Sums& self, std::int64_t below, const Limits& limits) {
            Budget budget = limits.begin();
            nb::gil_scoped_release release;
            return self.fewest(below, budget);
          },
          "below"_a, "budget"_a);
  bind_search(sums, "tally", &Sums::tally);
  bind_search(sums, "support", &Sums::support);
  bind_search<std::size_t>(sums, "listed", &Sums::listed, "limit"_a);
}

}  // namespace minewright
