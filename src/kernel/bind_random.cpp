#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "random.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

void bind_random(nb::module_& m) {
  nb::class_<Random>(m, "Random", "The project's own generator: a seed means the same everywhere.")
      .def(nb::init<std::uint64_t, std::uint64_t>(), "seed"_a, "stream"_a = 0)
      .def("next", &Random::next)
      .def(
          "below",
          [](Random& random, std::uint64_t bound) {
            if (bound == 0) throw nb::value_error("below() needs a bound of at least 1");
            return random.below(bound);
          },
          "bound"_a)
      .def("uniform", &Random::uniform);
}

}  // namespace minewright
