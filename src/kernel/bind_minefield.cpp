#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

#include "bindings.hpp"
#include "minefield.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {
namespace {

Cell checked(const Minefield& field, std::int64_t cell) {
  if (cell < 0 || static_cast<std::size_t>(cell) >= field.graph().size())
    throw nb::index_error("no such cell");
  return static_cast<Cell>(cell);
}

nb::tuple tuple_of(std::span<const Cell> cells) {
  nb::list result;
  for (Cell cell : cells) result.append(cell);
  return nb::tuple(result);
}

nb::bytes bytes_of(std::span<const std::uint8_t> codes) {
  return nb::bytes(codes.data(), codes.size());
}

// Moves the hidden mines, after checking that every open cell would keep its number.
void move_mines(Minefield& field, const std::vector<Cell>& mined) {
  std::vector<std::uint8_t> is_mined(field.graph().size(), 0);
  for (Cell cell : mined) is_mined[checked(field, cell)] = 1;
  const auto count = std::count(is_mined.begin(), is_mined.end(), 1);
  if (!field.laid() || mined.size() != field.mines() || count != std::ssize(mined))
    throw nb::value_error("the mines can only be moved to as many other cells, once they are laid");
  for (Cell cell : field.opened()) {
    const auto near = field.graph().neighbours(cell);
    const auto number =
        std::count_if(near.begin(), near.end(), [&](Cell other) { return is_mined[other] != 0; });
    if (is_mined[cell] != 0 || number != field.visible()[cell])
      throw nb::value_error("an open cell would show something else");
  }
  field.move_mines(mined);
}

}  // namespace

// No call releases the GIL: each is short, and two threads that share a game
// would otherwise play it at the same time.
void bind_minefield(nb::module_& m) {
  nb::class_<Minefield>(m, "Minefield", "A hidden minefield and the rules of play on it.")
      .def(nb::init<const Graph&>(), "graph"_a, nb::keep_alive<1, 2>())
      .def(
          "reset",
          [](Minefield& field, std::size_t mines, std::string_view start, const Random& random) {
            field.reset(mines, parse_start(start), random);
          },
          "mines"_a, "start"_a, "random"_a)
      .def(
          "reset_to",
          [](Minefield& field, const std::vector<Cell>& mined, std::string_view start) {
            field.reset(mined, parse_start(start));
          },
          "mined"_a, "start"_a = "any")
      .def(
          "room",
          [](const Minefield& field, std::string_view start) {
            return field.room(parse_start(start));
          },
          "start"_a)
      .def(
          "allows",
          [](const Minefield& field, std::int64_t cell) {
            return field.allows(checked(field, cell));
          },
          "first"_a)
      .def(
          "open",
          [](Minefield& field, std::int64_t cell) {
            return tuple_of(field.open(checked(field, cell)));
          },
          "cell"_a)
      .def(
          "chord",
          [](Minefield& field, std::int64_t cell) {
            return tuple_of(field.chord(checked(field, cell)));
          },
          "cell"_a)
      .def(
          "mark", [](Minefield& field, std::int64_t cell) { field.mark(checked(field, cell)); },
          "cell"_a)
      .def("move_mines", &move_mines, "mined"_a)
      .def("lay", &Minefield::lay)
      .def(
          "code",
          [](const Minefield& field, std::int64_t cell) {
            return field.visible()[checked(field, cell)];
          },
          "cell"_a)
      .def_prop_ro("visible", [](const Minefield& field) { return bytes_of(field.visible()); })
      .def_prop_ro("truth", [](const Minefield& field) { return bytes_of(field.truth()); })
      .def_prop_ro("opened_count", [](const Minefield& field) { return field.opened().size(); })
      .def_prop_ro("covered_safe", &Minefield::covered_safe)
      .def_prop_ro("exploded", &Minefield::exploded)
      .def_prop_ro("won", &Minefield::won);
}

}  // namespace minewright
