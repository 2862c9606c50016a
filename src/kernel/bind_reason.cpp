#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "dancing.hpp"
#include "reason.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// Constraints, read only once: reading Python lists takes longer than most answers.
struct AtLeasts {
  std::size_t variables;
  std::vector<AtLeast> constraints;
};

using Given = std::vector<std::tuple<std::int64_t, std::vector<std::uint32_t>, bool>>;

nb::object answer(const Consequences& found) {
  if (!found.satisfiable) return nb::none();
  return nb::bytes(found.variables.data(), found.variables.size());
}

// Wraps an engine's work: it runs without the GIL, and its answer becomes a Python object.
template <class Work>
auto within_budget(Work work) {
  return [work](const AtLeasts& given, const Limits& limits) {
    Budget budget = limits.begin();
    Consequences found;
    {
      nb::gil_scoped_release release;
      found = work(given, budget);
    }
    return answer(found);
  };
}

}  // namespace

void bind_reason(nb::module_& m) {
  nb::class_<AtLeasts>(m, "AtLeasts")
      .def(
          "__init__",
          [](AtLeasts* self, std::size_t variables, Given given) {
            std::vector<AtLeast> constraints;
            constraints.reserve(given.size());
            for (auto& [count, cells, value] : given)
              constraints.push_back({count, std::move(cells), value});
            check(variables, constraints);
            new (self) AtLeasts{variables, std::move(constraints)};
          },
          "variables"_a, "constraints"_a)
      .def("count", within_budget([](const AtLeasts& given, Budget& budget) {
             return Lease<Reasoner>(budget)->run(given.variables, given.constraints, budget);
           }),
           "budget"_a)
      .def("dance", within_budget([](const AtLeasts& given, Budget& budget) {
             return DancingLinks(given.variables, given.constraints, budget).run();
           }),
           "budget"_a);
}

}  // namespace minewright
