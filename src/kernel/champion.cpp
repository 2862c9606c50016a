#include "champion.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {

constexpr Level kFast{0.9, 24, 200, 200'000, false, 0, 0, 1'000'000, 0, 0};
constexpr Level kUsual{0.9, 48, 2000, 5'000'000, true, 6, 10, 10'000'000, 0, 0};
constexpr Level kDeep{0.8, 400, 20'000, 100'000'000, true, 16, 16, 1'000'000'000, 6, 1024};

// The weights of a score beside safety and next safety: of the next safety once more, of the
// logarithm of the number of cells that become safe, and of there being any. They were fitted on
// expert boards, to games in which every second guess was drawn at random. Where mines are sparse
// they bring nothing (docs/champion.md), so they fade between two densities.
constexpr double kNext = 0.07;
constexpr double kGain = 0.066;
constexpr double kProgress = -0.042;
constexpr double kSparse = 0.12;
constexpr double kDense = 0.2;
// Where the weights count fully, a score is hardly ever above the safety of the cell times this, so
// the search ends there.
constexpr double kMostScore = 1.25;
// Only candidates this close to the best are looked at one move deeper, and there only numbers
// that are not rarer than this.
constexpr double kClose = 0.96;
constexpr double kRare = 0.02;
// For a region that was solved, this many cells are reported.
constexpr std::size_t kSafest = 8;
// The logarithm of the chance to win, fitted to the safeties of games on six kinds of boards. The
// terms are listed in `estimate`.
constexpr double kEstimate[] = {0.069, 1.281, -0.549, -0.816, 6.487, 0.35, -1.946, -21.013};
// Scores that differ only by rounding count as equal, so that all machines agree.
constexpr double kEqual = 1e-9;

// Returns the number of uncertain cells.
double unknown_cells(const Turn& turn) {
  auto unknown = static_cast<double>(turn.reduced().rest.size());
  for (std::size_t box = 0; box < turn.boxes(); ++box)
    if (turn.chance(box) <= 1) unknown += static_cast<double>(turn.cells(box).size());
  return unknown;
}

// How much the weights count: not at all where mines are sparse, fully at the density of expert.
double zeal(const Turn& turn) {
  const double density = static_cast<double>(turn.mines()) / std::max(1.0, unknown_cells(turn));
  return std::clamp((density - kSparse) / (kDense - kSparse), 0.0, 1.0);
}

void rate(std::span<const Outcome> outcomes, double zeal, Option& option) {
  option.next = option.progress = option.expected = option.gain = 0;
  for (const Outcome& outcome : outcomes) {
    option.next += outcome.chance * (1 - outcome.least);
    option.gain += outcome.chance * std::log1p(static_cast<double>(outcome.safe));
    option.expected += outcome.chance * static_cast<double>(outcome.safe);
    if (outcome.safe > 0) option.progress += outcome.chance;
  }
  option.score = (1 - option.risk) * std::pow(option.next, 1 + zeal * kNext) *
                 std::exp(zeal * (kGain * option.gain + kProgress * option.progress));
}

// The best comes first; of equals, the safer one, then the first. Almost equal scores can make this
// order circular. std::sort may then run past the end of its range, so options are sorted with
// std::stable_sort, which does not.
bool better(const Option& a, const Option& b) {
  if (std::abs(a.score - b.score) > kEqual) return a.score > b.score;
  if (std::abs(a.risk - b.risk) > kEqual) return a.risk < b.risk;
  return a.cell < b.cell;
}

}  // namespace

const Level& parse_level(std::string_view word) {
  if (word == "fast") return kFast;
  if (word == "usual") return kUsual;
  if (word == "deep") return kDeep;
  throw std::invalid_argument("a level is fast, usual or deep, not '" + std::string(word) + "'");
}

// Hands the layouts of a region to the endgame. Mines outside the region are the same in all of
// them, so they need not be counted.
void Champion::fill_endgame(Turn& turn, std::size_t region) {
  layouts_.list(graph_, turn, region);
  const auto& cells = layouts_.cells;
  endgame_.reset(cells.size(), layouts_.size());
  for (std::size_t place = 0; place < cells.size(); ++place)
    for (std::size_t layout = 0; layout < layouts_.size(); ++layout) {
      if (layouts_.mined(layout, place)) continue;
      std::uint8_t number = 1;
      for (Cell other : graph_.neighbours(cells[place])) {
        const std::uint32_t at = layouts_.place(other);
        if (at != Layouts::kNoPlace && layouts_.mined(layout, at)) ++number;
      }
      endgame_.shown(place, layout) = number;
    }
}

// Returns the place of the best cell. If all are dead, it is a safe cell of some layout: the order
// does not matter then.
std::size_t Champion::place_to_open(std::span<const std::uint8_t> codes,
                                    const Endgame::Answer& answer) const {
  if (answer.place != Endgame::kNowhere) return answer.place;
  std::size_t place = 0;
  while (codes[layouts_.cells[place]] != kCovered || layouts_.mined(0, place)) ++place;
  return place;
}

void Champion::list_options(Frame& frame, Turn& turn, std::span<const std::uint8_t> codes,
                            const Level& level, std::size_t most) {
  frame.kinds.begin(graph_, turn, codes);
  double least = 1;
  for (std::size_t box = 0; box <= turn.boxes(); ++box) least = std::min(least, turn.chance(box));
  auto& options = frame.options;
  options.clear();
  for (std::size_t box = 0; box <= turn.boxes(); ++box) {
    const double risk = turn.chance(box);
    if (risk > 1) continue;
    for (Cell cell : turn.cells(box)) {
      const double worth = (1 - risk) * factor(frame, cell);
      if (worth < level.margin * (1 - least)) continue;
      const std::size_t known = frame.kinds.size();
      const std::uint32_t kind = frame.kinds.of(cell);
      if (kind == known) {
        options.push_back({cell, kind, risk, worth});
      } else if (worth > 1 - risk) {
        Option& option = *std::ranges::find(options, kind, &Option::kind);
        if (worth > option.score) option.cell = cell;
        option.score = std::max(option.score, worth);
      }
    }
  }
  // Before they are scored, the safest come first, or those that dilemmas make as good.
  std::stable_sort(options.begin(), options.end(), better);
  if (options.size() > most) options.resize(most);
  for (Option& option : options) option.score = 0;
}

void Champion::score_options(Frame& frame, Turn& turn, Budget& budget) {
  const double own_zeal = zeal(turn);
  const double most = 1 + (kMostScore - 1) * own_zeal;
  double best = 0;
  for (Option& option : frame.options) {
    const double worth = factor(frame, option.cell);
    if ((1 - option.risk) * worth * most <= best) continue;
    frame.prospector.follow(turn, frame.kinds.box(option.kind), frame.kinds.near(option.kind),
                            budget);
    rate(frame.prospector.outcomes, own_zeal, option);
    option.score *= worth;
    best = std::max(best, option.score);
  }
}

// Replaces the safety of the next move, after each number that makes no cell safe, by the score of
// the best move there.
void Champion::look_deeper(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                           Option& option, Budget& budget) {
  now_.prospector.follow(turn, now_.kinds.box(option.kind), now_.kinds.near(option.kind), budget);
  outcomes_ = now_.prospector.outcomes;
  const std::int64_t mines = turn.mines() + turn.reduced().mines;
  std::int32_t mined = 0;
  for (Cell other : graph_.neighbours(option.cell)) mined += codes[other] == kMined;
  for (Outcome& outcome : outcomes_) {
    if (outcome.safe > 0 || outcome.least == 0 || outcome.chance < kRare) continue;
    then_.codes.assign(codes.begin(), codes.end());
    then_.codes[option.cell] = static_cast<std::uint8_t>(mined + outcome.number);
    then_.turn.settle(graph_, {then_.codes, mines, false, kNoCell});
    then_.turn.prove(budget);
    for (Cell cell : then_.turn.mined) then_.codes[cell] = kMined;
    if (!then_.turn.safe.empty() || !then_.turn.weigh(budget)) continue;
    list_options(then_, then_.turn, then_.codes, level, level.replies);
    score_options(then_, then_.turn, budget);
    double best = 0;
    for (const Option& reply : then_.options) best = std::max(best, reply.score);
    outcome.least = std::max(0.0, 1 - best);
  }
  rate(outcomes_, zeal(turn), option);
}

// Looks for dilemmas with at most half of the budget, so that the options can be scored.
void Champion::find_dilemmas(const Turn& turn, std::span<const std::uint8_t> codes,
                             Budget& budget) {
  Budget half = budget.part(budget.states() / 2);
  try {
    dilemmas_.find(turn, codes, half);
  } catch (const OutOfTime&) {
    throw;
  } catch (const OverBudget&) {
  }
  budget.add(half);
}

// Scores the options of a turn and puts the best first.
void Champion::compare(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                       Budget& budget) {
  Budget own = budget.part(level.states);
  dilemmas_.clear();
  if (level.dilemmas) find_dilemmas(turn, codes, own);
  list_options(now_, turn, codes, level, level.candidates);
  auto& options = now_.options;
  try {
    score_options(now_, turn, own);
    std::stable_sort(options.begin(), options.end(), better);
    std::size_t close = 0;
    while (close < options.size() && close < level.deeper &&
           options[close].score >= kClose * options[0].score)
      ++close;
    if (close > 1) {
      for (std::size_t i = 0; i < close; ++i) {
        look_deeper(turn, codes, level, options[i], own);
        options[i].score *= dilemmas_.factor(options[i].cell);
      }
      std::stable_sort(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(close),
                       better);
      // The others may have higher scores, but a deeper look lowers most scores, so they come
      // after.
      for (Option& option : std::span(options).subspan(close))
        option.score = std::min(option.score, options[0].score);
      std::stable_sort(options.begin() + 1, options.end(), better);
    }
  } catch (const OutOfTime&) {
    throw;
  } catch (const OverBudget&) {
    std::stable_sort(options.begin(), options.end(), better);
  }
  budget.add(own);
}

// Lists the best cell of the region that was solved, and its safest cells, with their true values.
void Champion::compare_exactly(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                               const Endgame::Answer& best, Cell also, Budget& budget) {
  const auto total = static_cast<double>(layouts_.size());
  const std::size_t best_place = place_to_open(codes, best);
  auto& options = now_.options;
  options.clear();
  for (std::size_t place = 0; place < layouts_.cells.size(); ++place) {
    const Cell cell = layouts_.cells[place];
    if (codes[cell] != kCovered) continue;
    const double risk = turn.chance_of(cell);
    if (risk < 1) options.push_back({cell, static_cast<std::uint32_t>(place), risk, 0});
  }
  std::stable_sort(options.begin(), options.end(), better);
  std::size_t rank = 0;
  std::erase_if(options, [&](const Option& option) {
    return rank++ >= kSafest && option.kind != best_place && option.cell != also;
  });
  for (Option& option : options) {
    const Endgame::Answer answer = endgame_.first(option.kind, level.work, budget);
    option.score =
        static_cast<double>(option.kind == best_place ? best.lower : answer.lower) / total;
  }
  std::stable_sort(options.begin(), options.end(), better);
}

// The chance to win a region that is too large to be solved, from its best score and its size.
double Champion::estimate(const Turn& turn) const {
  const double unknown = unknown_cells(turn);
  const double density = static_cast<double>(turn.mines()) / std::max(1.0, unknown);
  const double score = now_.options.empty() ? 1.0 : now_.options.front().score;
  const double hundreds = unknown / 100, few = std::min(hundreds, 1.0);
  const double terms[] = {1.0,
                          std::log(score),
                          hundreds,
                          density,
                          density * hundreds,
                          few,
                          density * few,
                          density * density * hundreds};
  double logarithm = 0;
  for (std::size_t i = 0; i < std::size(terms); ++i) logarithm += kEstimate[i] * terms[i];
  return std::min(1.0, std::exp(logarithm));
}

// Scores one more cell, unless it or another cell of its kind is already there.
void Champion::add_option(Turn& turn, Cell cell, Budget& budget) {
  auto& options = now_.options;
  Option option{cell, now_.kinds.of(cell), turn.chance_of(cell), 0};
  const auto known = std::find_if(options.begin(), options.end(), [&](const Option& other) {
    return other.kind == option.kind && other.score > 0;
  });
  if (known != options.end()) {
    if (known->cell == cell) return;
    option = *known;
    option.cell = cell;
    option.score *= dilemmas_.factor(cell) / dilemmas_.factor(known->cell);
  } else {
    now_.prospector.follow(turn, now_.kinds.box(option.kind), now_.kinds.near(option.kind), budget);
    rate(now_.prospector.outcomes, zeal(turn), option);
    option.score *= dilemmas_.factor(cell);
    std::erase_if(options, [&](const Option& other) { return other.cell == cell; });
  }
  options.insert(std::upper_bound(options.begin(), options.end(), option, better), option);
}

Verdict Champion::judge(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                        Cell also, Budget& budget) {
  Verdict verdict;
  verdict.estimate = verdict.lower = verdict.upper = 1;
  layouts_.divide(graph_, turn, codes);
  for (std::size_t region = 0; region < layouts_.regions(); ++region) {
    const double count = layouts_.count(region);
    if (count < 2) continue;
    if (count <= level.layouts) {
      fill_endgame(turn, region);
      const Endgame::Answer answer = endgame_.solve(level.work, budget);
      verdict.lower *= answer.lower / count;
      verdict.upper *= answer.upper / count;
      if (answer.exact()) {
        verdict.estimate *= answer.lower / count;
        if (verdict.solved) continue;
        verdict.solved = true;
        verdict.cell = layouts_.cells[place_to_open(codes, answer)];
        verdict.layouts = count;
        compare_exactly(turn, codes, level, answer, also, budget);
        verdict.options = now_.options;
        continue;
      }
    } else {
      // Whichever cell is opened first there, it is a risk.
      verdict.lower = 0;
      verdict.upper *= layouts_.most_safety(turn, region);
    }
    compare(turn, codes, level, budget);
    verdict.estimate *= estimate(turn);
    if (also != kNoCell && codes[also] == kCovered) add_option(turn, also, budget);
    if (verdict.solved) continue;
    verdict.cell = now_.options.front().cell;
    verdict.options = now_.options;
  }
  verdict.estimate = std::clamp(verdict.estimate, verdict.lower, verdict.upper);
  verdict.risk = turn.chance_of(verdict.cell);
  return verdict;
}

Cell Champion::choose(Turn& turn, std::span<const std::uint8_t> codes, const Level& level,
                      Budget& budget) {
  layouts_.divide(graph_, turn, codes);
  for (std::size_t region = 0; region < layouts_.regions(); ++region) {
    if (layouts_.count(region) < 2 || layouts_.count(region) > level.layouts) continue;
    fill_endgame(turn, region);
    const Endgame::Answer answer = endgame_.solve(level.work, budget, false);
    if (!answer.exact()) continue;
    now_.options.clear();
    return layouts_.cells[place_to_open(codes, answer)];
  }
  compare(turn, codes, level, budget);
  return now_.options.front().cell;
}

}  // namespace minewright
