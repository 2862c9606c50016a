#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bind_columns.hpp"
#include "bind_questions.hpp"
#include "bindings.hpp"
#include "draw.hpp"
#include "infer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// A question to a Solver about one position within a budget; `Extra` is what else it asks for.
template <class... Extra, class Ask, class... Names>
void bind_question(nb::module_& m, const char* name, Ask ask, Names... names) {
  m.def(
      name,
      [ask](const Graph& graph, const nb::bytes& cells, std::int64_t mines, bool trust_marks,
            Extra... extra, const Limits& limits) {
        const Question question = question_of(graph, cells, mines, trust_marks);
        Budget budget = limits.begin();
        nb::gil_scoped_release release;
        Lease<Solver> solver(budget);
        return std::invoke(ask, *solver, graph, question, extra..., budget);
      },
      "graph"_a, "cells"_a, "mines"_a, "trust_marks"_a, names..., "budget"_a);
}

// Appends a number with the digits that Python writes, the fewest that read back as the same.
void append_number(std::string& text, double number) {
  char* written = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
  if (written == nullptr) throw std::bad_alloc();
  text += written;
  PyMem_Free(written);
}

// Returns the chances as JSON: rows of `width` numbers, null where a cell is not covered. The cells
// of a box share their chance, so a board has few different numbers; each is written about once.
nb::str rows_json(const Inference& i, std::size_t width) {
  if (width == 0) throw nb::value_error("a row has at least one cell");
  struct Written {
    double number = std::nan("");
    std::string text;
  };
  std::array<Written, 64> kept;
  std::string text = "[";
  text.reserve(i.probability.size() * 12);
  for (std::size_t cell = 0; cell < i.probability.size(); ++cell) {
    const double p = i.probability[cell];
    text += cell % width ? ", " : cell ? "], [" : "[";
    if (std::isnan(p)) {
      text += "null";
      continue;
    }
    Written& same = kept[std::bit_cast<std::uint64_t>(p) * 0x9E3779B97F4A7C15U >> 58];
    if (!(same.number == p)) {
      same.number = p;
      same.text.clear();
      append_number(same.text, p);
    }
    text += same.text;
  }
  text += i.probability.empty() ? "]" : "]]";
  return nb::str(text.data(), text.size());
}

// Returns a minefield that fits, each equally likely, or nothing if none does.
std::optional<std::vector<Cell>> draw(Solver& solver, const Graph& graph, const Question& question,
                                      std::uint64_t seed, std::uint64_t stream, Budget& budget) {
  if (question.mines < 0) throw nb::value_error("without a mine total nothing can be drawn");
  if (!solver.consistent(graph, question, budget)) return std::nullopt;
  Turn turn;
  turn.settle(graph, question);
  std::vector<Cell> mined = turn.mined;
  turn.prove(budget);
  if (!turn.weigh(budget)) throw OverBudget();
  Random random(seed, stream);
  Drawer drawer;
  const auto drawn = drawer.draw(turn, random);
  mined.insert(mined.end(), drawn.begin(), drawn.end());
  std::sort(mined.begin(), mined.end());
  return mined;
}

}  // namespace

void bind_infer(nb::module_& m) {
  nb::class_<Inference>(m, "Inference")
      .def_ro("consistent", &Inference::consistent)
      .def_ro("in_range", &Inference::in_range)
      .def_ro("approximate", &Inference::approximate)
      .def_ro("states", &Inference::states)
      .def_ro("best", &Inference::best)
      .def_prop_ro("safe", [](const Inference& i) { return i.safe; })
      .def_prop_ro("mined", [](const Inference& i) { return i.mined; })
      .def_prop_ro("chances",
                   [](const Inference& i) {
                     nb::list result;
                     for (double p : i.probability)
                       result.append(std::isnan(p) ? nb::none() : nb::object(nb::float_(p)));
                     return result;
                   })
      .def("rows_json", &rows_json, "width"_a)
      .def_prop_ro("probability", column<double>(&Inference::probability))
      .def_prop_ro("standard_error", column<double>(&Inference::error));
  nb::class_<ExactPart>(m, "ExactPart")
      .def_ro("boxes", &ExactPart::boxes)
      .def_ro("low", &ExactPart::low)
      .def_ro("primes", &ExactPart::primes)
      .def_ro("ways", &ExactPart::ways)
      .def_ro("mined", &ExactPart::mined);
  nb::class_<Exact>(m, "Exact")
      .def_ro("consistent", &Exact::consistent)
      .def_ro("mines_left", &Exact::mines_left)
      .def_ro("safe", &Exact::safe)
      .def_ro("mined", &Exact::mined)
      .def_ro("rest", &Exact::rest)
      .def_ro("parts", &Exact::parts);

  // The component that was too hard travels to Python as TooHard(cells, states, seconds).
  // A plain pointer: the module owns the type, and nothing may be released after Python is gone.
  static PyObject* too_hard =
      PyErr_NewException("minewright._kernel.TooHard", PyExc_RuntimeError, nullptr);
  m.attr("TooHard") = nb::borrow(too_hard);
  static PyObject* walks_disagree =
      PyErr_NewException("minewright._kernel.WalksDisagree", too_hard, nullptr);
  m.attr("WalksDisagree") = nb::borrow(walks_disagree);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const OverBudget&) {
      // No single component was to blame: the work as a whole took too long.
      PyErr_SetObject(too_hard, nb::make_tuple(nb::make_tuple(), 0, 0.0).ptr());
    } catch (const WalksDisagree& e) {
      PyErr_SetObject(walks_disagree, nb::make_tuple(nb::cast(e.cells), e.states, e.seconds).ptr());
    } catch (const TooHard& e) {
      PyErr_SetObject(too_hard, nb::make_tuple(nb::cast(e.cells), e.states, e.seconds).ptr());
    }
  });

  bind_question(m, "infer", &Solver::infer);
  bind_question(m, "consistent", &Solver::consistent);
  bind_question<std::uint64_t>(m, "approximate", &Solver::approximate, "seed"_a);
  bind_question<bool>(m, "exact", &Solver::exact, "marginals"_a);
  bind_question<std::size_t>(m, "enumerate", &Solver::enumerate, "limit"_a);
  bind_question<std::uint64_t, std::uint64_t>(m, "draw", &draw, "seed"_a, "stream"_a);
  bind_question<Cell>(
      m, "numbers",
      [](Solver& solver, const Graph& graph, Question question, Cell cell, Budget& budget) {
        check_cell(graph, cell);
        question.observed = cell;
        return solver.numbers(graph, question, budget);
      },
      "cell"_a);
  m.def(
      "infer_many",
      [](const Graph& graph, const std::vector<nb::bytes>& cells,
         const std::vector<std::int64_t>& mines, bool trust_marks, const Limits& limits) {
        if (cells.size() != mines.size()) throw nb::value_error("each position needs a mine total");
        std::vector<Question> questions;
        questions.reserve(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
          questions.push_back(question_of(graph, cells[i], mines[i], trust_marks));
        std::vector<Inference> results;
        results.reserve(cells.size());
        // If one is too hard, the results before it are not lost: the caller sees how many there
        // are.
        nb::object error = nb::none();
        try {
          nb::gil_scoped_release release;
          for (const Question& question : questions) {
            Budget budget = limits.begin();
            results.push_back(Lease<Solver>(budget)->infer(graph, question, budget));
          }
        } catch (const TooHard& e) {
          error = nb::make_tuple(e.cells, e.states, e.seconds);
        }
        return nb::make_tuple(std::move(results), error);
      },
      "graph"_a, "cells"_a, "mines"_a, "trust_marks"_a, "budget"_a);
}

}  // namespace minewright
