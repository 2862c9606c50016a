#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bind_questions.hpp"
#include "bindings.hpp"
#include "champion.hpp"
#include "endgame.hpp"
#include "infer.hpp"
#include "optimal.hpp"
#include "trials.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {
namespace {

// Weighs a position. `codes` are what the player sees, with proved mines. Returns false if no
// minefield fits, a cell is certainly safe, or no cell is left to guess.
bool weigh_guess(const Graph& graph, const Question& question, Turn& turn,
                 std::vector<std::uint8_t>& codes, Budget& budget) {
  if (!Lease<Solver>(budget)->consistent(graph, question, budget)) return false;
  turn.settle(graph, question);
  turn.prove(budget);
  if (!turn.safe.empty()) return false;
  codes.assign(question.cells.begin(), question.cells.end());
  std::ranges::replace(codes, kMarked, kCovered);  // a mark proves nothing
  for (Cell cell : turn.mined) codes[cell] = kMined;
  if (std::ranges::find(codes, kCovered) == codes.end()) return false;
  if (!turn.weigh(budget)) throw OverBudget();
  return true;
}

std::optional<Verdict> judge(const Graph& graph, const Question& question, const Level& level,
                             Cell also, Budget& budget) {
  Turn turn;
  std::vector<std::uint8_t> codes;
  if (!weigh_guess(graph, question, turn, codes, budget)) return std::nullopt;
  Verdict verdict = Champion(graph).judge(turn, codes, level, also, budget);
  if (level.trials == 0 || verdict.solved) return verdict;
  auto& options = verdict.options;
  Trials trials(graph, static_cast<std::size_t>(question.mines));
  verdict.games = trials.rank(codes, level, also, options, budget);
  if (verdict.games == 0) return verdict;
  verdict.cell = options.front().cell;
  verdict.risk = options.front().risk;
  verdict.estimate = std::clamp(options.front().score, verdict.lower, verdict.upper);
  return verdict;
}

void check_symmetry(const Graph& graph, std::vector<Cell> symmetry) {
  std::ranges::sort(symmetry);
  bool all = symmetry.size() == graph.size();
  for (Cell cell = 0; all && cell < graph.size(); ++cell) all = symmetry[cell] == cell;
  if (!all) throw nb::value_error("a symmetry has every cell once");
}

}  // namespace

void bind_champion(nb::module_& m) {
  nb::class_<Option>(m, "ChampionOption", "A cell that the champion has considered.")
      .def_ro("cell", &Option::cell)
      .def_ro("risk", &Option::risk)
      .def_ro("score", &Option::score)
      .def_ro("next", &Option::next)
      .def_ro("progress", &Option::progress)
      .def_ro("expected", &Option::expected)
      .def_ro("gain", &Option::gain);
  nb::class_<Verdict>(m, "ChampionVerdict", "Where the champion would guess, and why.")
      .def_ro("cell", &Verdict::cell)
      .def_ro("risk", &Verdict::risk)
      .def_ro("estimate", &Verdict::estimate)
      .def_ro("lower", &Verdict::lower)
      .def_ro("upper", &Verdict::upper)
      .def_ro("solved", &Verdict::solved)
      .def_ro("layouts", &Verdict::layouts)
      .def_ro("games", &Verdict::games)
      .def_ro("options", &Verdict::options);
  m.def(
      "champion",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, std::string_view level,
         std::int64_t also, const Limits& limits) {
        if (mines < 0) throw nb::value_error("the champion needs to know the mine total");
        const Question question = question_of(graph, cells, mines, false);
        const Level& chosen = parse_level(level);
        if (also >= 0) check_cell(graph, static_cast<std::uint64_t>(also));
        const Cell asked = also < 0 ? kNoCell : static_cast<Cell>(also);
        nb::gil_scoped_release release;
        Budget budget = limits.begin();
        return judge(graph, question, chosen, asked, budget);
      },
      "graph"_a, "cells"_a, "mines"_a, "level"_a, "also"_a, "budget"_a);

  nb::class_<FirstCell>(m, "FirstCell", "What best play wins on a board after a first cell.")
      .def_ro("cell", &FirstCell::cell)
      .def_ro("safe", &FirstCell::safe)
      .def_ro("won", &FirstCell::won)
      .def_ro("open", &FirstCell::open)
      .def_ro("open_won", &FirstCell::open_won);
  m.def(
      "solve_board",
      [](const Graph& graph, std::size_t mines, const std::vector<std::vector<Cell>>& symmetries,
         const std::vector<Cell>& first_cells, const Limits& limits, std::size_t most_sets) {
        if (most_sets == 0) throw nb::value_error("at least one set must be remembered");
        for (const auto& symmetry : symmetries) check_symmetry(graph, symmetry);
        for (Cell cell : first_cells) check_cell(graph, cell);
        nb::gil_scoped_release release;
        Budget budget = limits.begin();
        return solve_board(graph, mines, symmetries, first_cells, most_sets, budget);
      },
      "graph"_a, "mines"_a, "symmetries"_a, "first_cells"_a, "budget"_a,
      "most_sets"_a = Endgame::kMostSets);
  // For tests: the factor of every cell, in a position in which nothing is certainly safe.
  m.def(
      "dilemma_factors",
      [](const Graph& graph, const nb::bytes& cells, std::int64_t mines, const Limits& limits) {
        if (mines < 0) throw nb::value_error("dilemmas depend on the mine total");
        const Question question = question_of(graph, cells, mines, false);
        Budget budget = limits.begin();
        Turn turn;
        std::vector<std::uint8_t> codes;
        if (!weigh_guess(graph, question, turn, codes, budget))
          throw nb::value_error("there is nothing to guess");
        Dilemmas dilemmas(graph);
        dilemmas.find(turn, codes, budget);
        std::vector<double> factors;
        for (Cell cell = 0; cell < graph.size(); ++cell) factors.push_back(dilemmas.factor(cell));
        return factors;
      },
      "graph"_a, "cells"_a, "mines"_a, "budget"_a);
  // For tests: shown[layout][cell] is what the cell shows, or -1 if it is mined.
  m.def(
      "solve_layouts",
      [](const std::vector<std::vector<int>>& shown, std::uint64_t work) {
        if (shown.empty() || shown[0].empty()) throw nb::value_error("there is nothing to solve");
        Endgame endgame;
        const std::size_t cells = shown[0].size();
        endgame.reset(cells, shown.size());
        for (std::size_t layout = 0; layout < shown.size(); ++layout)
          for (std::size_t cell = 0; cell < cells; ++cell) {
            const int number = shown[layout].at(cell);
            if (number < -1 || number > 250) throw nb::value_error("no cell shows that");
            endgame.shown(cell, layout) = static_cast<std::uint8_t>(number + 1);
          }
        Budget budget(UINT64_MAX, 1e9, &heed_signals);
        const Endgame::Answer answer = endgame.solve(work, budget);
        const int place = answer.place == Endgame::kNowhere ? -1 : static_cast<int>(answer.place);
        return nb::make_tuple(answer.lower, answer.upper, place);
      },
      "shown"_a, "work"_a);
}

}  // namespace minewright
