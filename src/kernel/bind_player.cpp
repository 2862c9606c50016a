#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "bind_columns.hpp"
#include "bind_questions.hpp"
#include "bindings.hpp"
#include "infer.hpp"
#include "player.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace minewright {

namespace {

// Plays `count` games, each by `play(player, number, games)`.
template <class Play>
Games play_all(Player& player, std::size_t count, Play&& play) {
  Games games;
  auto asked = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < count; ++k) {
    play(player, k, games);
    // A game is too short for its own budget to check for signals.
    const auto now = std::chrono::steady_clock::now();
    if (now - asked < std::chrono::milliseconds(50)) continue;
    asked = now;
    heed_signals();
  }
  return games;
}

}  // namespace

void bind_player(nb::module_& m) {
  nb::class_<Games>(m, "NativeGames", "Games played natively: columns with one item per game.")
      .def_prop_ro("won", column<bool>(&Games::won))
      .def_prop_ro("cleared", column<std::uint32_t>(&Games::cleared))
      .def_prop_ro("found", column<std::uint32_t>(&Games::found))
      .def_prop_ro("guesses", column<std::uint32_t>(&Games::guesses))
      .def_prop_ro("exploded", column<std::int64_t>(&Games::exploded))
      .def_prop_ro("nanoseconds", column<std::int64_t>(&Games::nanoseconds))
      .def_prop_ro("gave_up", column<bool>(&Games::gave_up))
      .def_prop_ro("timed_out", column<bool>(&Games::timed_out))
      .def_prop_ro("safety", column<double>(&Games::safety))
      .def_ro("moves", &Games::moves);

  nb::class_<Match>(m, "Match", "What all games of a run have in common; the budget is for each.")
      .def(
          "__init__",
          [](Match* self, std::size_t mines, std::string_view start, std::string_view player,
             Cell first_cell, std::uint64_t seed, const Limits& limits, bool record, bool safety) {
            new (self) Match{mines,  parse_start(start), parse_player(player), first_cell,
                             seed,   limits.states,      limits.seconds,       record,
                             safety, &heed_signals};
          },
          "mines"_a, "start"_a, "player"_a, "first_cell"_a, "seed"_a, "budget"_a,
          "record"_a = false, "safety"_a = false);

  m.def(
      "play_games",
      [](const Graph& graph, const Match& match, std::uint64_t first, std::size_t count) {
        nb::gil_scoped_release release;
        Player own(graph, match);
        return play_all(own, count, [first](Player& player, std::size_t k, Games& games) {
          player.play(first + k, games);
        });
      },
      "graph"_a, "match"_a, "first"_a, "count"_a);

  m.def(
      "play_on",
      [](const Graph& graph, const Match& match, const nb::bytes& cells,
         const std::vector<Cell>& choices, std::uint64_t first, std::size_t count) {
        const auto mines = static_cast<std::int64_t>(match.mines);
        const Question question = question_of(graph, cells, mines, false);
        for (Cell cell : choices) check_cell(graph, cell);
        if (!match.safety) throw nb::value_error("playing on needs a match that measures safety");
        nb::gil_scoped_release release;
        Budget budget(match.states, match.seconds, match.interrupt, Clock::thread);
        if (!Lease<Solver>(budget)->consistent(graph, question, budget))
          throw std::invalid_argument("no minefield fits the position");
        Player own(graph, match);
        own.take_up(question.cells, budget);
        std::vector<Games> played;
        for (Cell cell : choices)
          played.push_back(play_all(
              own, count, [&match, first, cell](Player& player, std::size_t k, Games& games) {
                Budget fresh(match.states, match.seconds, match.interrupt, Clock::thread);
                player.play_on(cell, first + k, games, fresh);
              }));
        return played;
      },
      "graph"_a, "match"_a, "cells"_a, "choices"_a, "first"_a, "count"_a);
}

}  // namespace minewright
