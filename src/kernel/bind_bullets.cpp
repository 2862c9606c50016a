#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "bullets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// Calls work(engine) with the narrowest engine that the graph fits into.
template <class Work>
auto with_engine(const Graph& graph, Work work) {
  const auto run = [&]<std::size_t W>() {
    Bullets<W> engine(graph);
    return work(engine);
  };
  if (Bullets<1>::fits(graph)) return run.template operator()<1>();
  if (Bullets<2>::fits(graph)) return run.template operator()<2>();
  if (Bullets<4>::fits(graph)) return run.template operator()<4>();
  if (Bullets<16>::fits(graph)) return run.template operator()<16>();
  throw nb::value_error("a puzzle has at most 1024 cells");
}

template <std::size_t W>
Mask<W> set_of(const Graph& graph, const std::vector<Cell>& cells) {
  Mask<W> set;
  for (Cell cell : cells) {
    check_cell(graph, cell);
    set.set(cell);
  }
  return set;
}

template <std::size_t W>
std::vector<Cell> cells_of(const Mask<W>& set) {
  std::vector<Cell> cells;
  set.each([&](std::size_t cell) { cells.push_back(static_cast<Cell>(cell)); });
  return cells;
}

// The sum over the three types of a_i n_i + b_i n_i^2.
struct Polynomial {
  std::array<double, 3> linear, square;
  double operator()(const Grade& grade) const {
    const double n[] = {static_cast<double>(grade.singles), static_cast<double>(grade.several),
                        static_cast<double>(grade.total)};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += linear[i] * n[i] + square[i] * n[i] * n[i];
    return sum;
  }
};

// Calls a Python function once per grade. The function must outlive the result.
Energy of_python(nb::handle function) {
  auto known = std::make_shared<std::map<std::tuple<int, int, int>, double>>();
  // The engine drops its copy without holding the GIL, so it must not own the function.
  return [known, callable = function.ptr()](const Grade& grade) {
    const auto key = std::make_tuple(grade.singles, grade.several, grade.total);
    if (const auto found = known->find(key); found != known->end()) return found->second;
    nb::gil_scoped_acquire acquire;
    const double value =
        nb::cast<double>(nb::borrow(callable)(grade.singles, grade.several, grade.total));
    return known->emplace(key, value).first->second;
  };
}

// Calls a Python function once per number of steps; None adds nothing to the energy.
BulletsTaste taste_of(nb::handle function, double least) {
  if (function.is_none()) return {};
  auto known = std::make_shared<std::map<std::vector<int>, double>>();
  const auto value = [known, callable = function.ptr()](std::span<const int> steps) {
    const std::vector<int> key(steps.begin(), steps.end());
    if (const auto found = known->find(key); found != known->end()) return found->second;
    nb::gil_scoped_acquire acquire;
    const double energy = nb::cast<double>(nb::borrow(callable)(key));
    return known->emplace(key, energy).first->second;
  };
  return {value, least};
}

// A question to an engine about a puzzle: ask(engine, bullets, clues, budget), without the GIL.
template <class Ask>
void bind_question(nb::module_& m, const char* name, Ask ask) {
  m.def(
      name,
      [ask](const Graph& graph, const std::vector<Cell>& bullets, const std::vector<Cell>& clues,
            const Limits& limits) {
        Budget budget = limits.begin();
        nb::gil_scoped_release release;
        return with_engine(graph, [&]<std::size_t W>(Bullets<W>& engine) {
          const auto solution = set_of<W>(graph, bullets);
          const auto shown = set_of<W>(graph, clues);
          try {
            return ask(engine, solution, shown, budget);
          } catch (const OverBudget&) {
            throw TooHard(bullets, budget);
          }
        });
      },
      "graph"_a, "bullets"_a, "clues"_a, "budget"_a);
}

}  // namespace

void bind_bullets(nb::module_& m) {
  bind_question(m, "bullets_unique",
                [](auto& engine, auto&... puzzle) { return engine.unique(puzzle...); });
  bind_question(m, "bullets_grade", [](auto& engine, auto&... puzzle) {
    const Grade grade = engine.grade(puzzle...);
    return std::tuple(grade.singles, grade.several, grade.total);
  });
  bind_question(m, "bullets_effort",
                [](auto& engine, auto&... puzzle) { return engine.effort(puzzle...); });
  m.def(
      "bullets_clues",
      [](const Graph& graph, const std::vector<Cell>& bullets, std::uint64_t seed,
         std::uint64_t stream, std::size_t count, const Limits& limits) {
        Budget budget = limits.begin();
        nb::gil_scoped_release release;
        return with_engine(graph, [&]<std::size_t W>(Bullets<W>& engine) {
          const auto solution = set_of<W>(graph, bullets);
          Random random(seed, stream);
          std::vector<std::vector<Cell>> found;
          try {
            for (std::size_t i = 0; i < count; ++i)
              found.push_back(cells_of(engine.minimal_clues(solution, random, budget)));
          } catch (const OverBudget&) {
            throw TooHard(bullets, budget);
          }
          return found;
        });
      },
      "graph"_a, "bullets"_a, "seed"_a, "stream"_a, "count"_a, "budget"_a);
  nb::class_<Polynomial>(m, "Polynomial", "The energy of a grade: linear and square weights.")
      .def(nb::init<std::array<double, 3>, std::array<double, 3>>(), "linear"_a, "square"_a);
  nb::class_<BulletsWish>(m, "BulletsWish", "What a puzzle should be like, and how to search.")
      .def(
          "__init__",
          [](BulletsWish* self, std::size_t bullets, std::size_t iterations, std::size_t samples,
             std::size_t restarts, double hot, double cold, std::vector<std::vector<Cell>> orbits,
             std::size_t fewest_clues, std::size_t most_clues, bool total) {
            new (self) BulletsWish{bullets, iterations,        samples,      restarts,   hot,
                                   cold,    std::move(orbits), fewest_clues, most_clues, total};
          },
          "bullets"_a, "iterations"_a, "samples"_a, "restarts"_a = 1, "hot"_a = 0.0, "cold"_a = 0.0,
          "orbits"_a = std::vector<std::vector<Cell>>{}, "fewest_clues"_a = 0,
          "most_clues"_a = SIZE_MAX, "total"_a = true);
  m.def(
      "bullets_make",
      [](const Graph& graph, const BulletsWish& wish, nb::object energy, std::uint64_t seed,
         std::uint64_t stream, const Limits& limits, nb::object taste, double least) -> nb::object {
        if (wish.bullets > graph.size()) throw nb::value_error("there are more bullets than cells");
        for (const auto& orbit : wish.orbits)
          for (Cell cell : orbit) check_cell(graph, cell);
        const Energy of_grade = nb::isinstance<Polynomial>(energy)
                                    ? Energy(nb::cast<Polynomial>(energy))
                                    : of_python(energy);
        const BulletsTaste of_steps = taste_of(taste, least);
        Budget budget = limits.begin();
        std::optional<BulletsPuzzle> puzzle;
        {
          nb::gil_scoped_release release;
          puzzle = with_engine(graph, [&]<std::size_t W>(Bullets<W>& engine) {
            Random random(seed, stream);
            return engine.make(wish, of_grade, of_steps, random, budget);
          });
        }
        if (!puzzle) return nb::none();
        return nb::make_tuple(puzzle->bullets, puzzle->clues, puzzle->grade.singles,
                              puzzle->grade.several, puzzle->grade.total, puzzle->energy);
      },
      "graph"_a, "wish"_a, "energy"_a, "seed"_a, "stream"_a, "budget"_a, "taste"_a = nb::none(),
      "least"_a = 0.0);
}

}  // namespace minewright
