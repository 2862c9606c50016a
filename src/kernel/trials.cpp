#include "trials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "player.hpp"

namespace minewright {

namespace {

// How far scores can be trusted: a difference in the chance to win is this share of the difference
// in scores, and a score is off by that share of the chance to win. Measured at guesses of expert
// games (docs/champion.md).
constexpr double kScoreWeight = 0.7;
constexpr double kScoreError = 0.035;
// Games are played in rounds. After each, a candidate plays no more if another one leads by kClear
// errors.
constexpr std::size_t kRound = 64;
constexpr double kClear = 2.0;
// Candidates that score less than this share of the best are not tried.
constexpr double kClose = 0.93;
// Minefields are drawn until one has no mine at the candidate, so one less safe than this is not
// tried.
constexpr double kLeastSafety = 0.01;
// Every run plays the same games, so that a position always gets the same answer.
constexpr std::uint64_t kSeed = 0x7219a15;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Trials::Trials(const Graph& graph, std::size_t mines) {
  Match match{};
  match.mines = mines;
  match.start = Start::any;
  match.style = {Guess::champion, &parse_level("fast")};
  match.seed = kSeed;
  match.safety = true;
  player_ = std::make_unique<Player>(graph, match);
}

Trials::~Trials() = default;

std::size_t Trials::rank(std::span<const std::uint8_t> codes, const Level& level, Cell also,
                         std::vector<Option>& options, Budget& budget) {
  const auto hopeless = [](const Option& option) { return 1 - option.risk < kLeastSafety; };
  if (options.empty() || options[0].score <= 0 || hopeless(options[0])) return 0;
  tried_.clear();
  leader_ = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    const bool close = option.score >= kClose * options[0].score && tried_.size() < level.tried;
    if ((close || option.cell == also) && !hopeless(option))
      tried_.push_back({i, option.cell, option.score, {}});
  }
  // At most half of what is left, so that a game can continue afterwards.
  const std::uint64_t left = budget.states() - std::min(budget.states(), budget.used());
  Budget own = budget.part(std::min(level.states, left / 2));
  try {
    player_->take_up(codes, own);
    play(level.trials, own);
  } catch (const OutOfTime&) {
    throw;
  } catch (const OverBudget&) {
  }
  budget.add(own);
  if (tried_.back().worth.size() < kRound) return 0;
  find_leader();
  const Tried& best = tried_[leader_];
  const double scale = win(0) / options[0].score;
  for (Option& option : options) option.score *= scale;
  for (std::size_t i = 0; i < tried_.size(); ++i) options[tried_[i].option].score = win(i);
  const auto first = options.begin() + static_cast<std::ptrdiff_t>(best.option);
  std::rotate(options.begin(), first, first + 1);
  std::stable_sort(options.begin() + 1, options.end(),
                   [](const Option& a, const Option& b) { return a.score > b.score; });
  return best.worth.size();
}

// The candidates take turns, so that all have equally many games if the budget runs out.
void Trials::play(std::size_t games, Budget& budget) {
  for (std::size_t played = 0; played < games; played += kRound) {
    for (std::size_t stream = played; stream < played + kRound; ++stream)
      for (Tried& tried : tried_)
        if (!tried.beaten_by) tried.worth.push_back(play_on(tried.cell, stream, budget));
    find_leader();
    if (std::ranges::count_if(tried_, [](const Tried& one) { return !one.beaten_by; }) < 2) return;
  }
}

double Trials::play_on(Cell cell, std::uint64_t stream, Budget& budget) {
  // A game may use more than it was given.
  if (budget.used() >= budget.states()) throw OverBudget();
  Budget left = budget.part(budget.states() - budget.used());
  Games games;
  player_->play_on(cell, stream, games, left);
  budget.add(left);
  if (games.safety[0] > 0) return games.safety[0];
  budget.look();  // the game was not finished
  throw OverBudget();
}

void Trials::find_leader() {
  for (std::size_t i = 0; i < tried_.size(); ++i)
    if (!tried_[i].beaten_by && lead(tried_[i], tried_[leader_]).mean > 0) leader_ = i;
  for (std::size_t i = 0; i < tried_.size(); ++i) {
    if (i == leader_ || tried_[i].beaten_by) continue;
    const Lead own = lead(tried_[leader_], tried_[i]);
    if (own.mean >= kClear * own.error) tried_[i].beaten_by = leader_;
  }
}

// Returns the chance to win after a candidate. It is below that of the candidate it was beaten by,
// which has met the same minefields.
double Trials::win(std::size_t index) const {
  const std::size_t other = tried_[index].beaten_by.value_or(leader_);
  if (index == leader_) return mean(tried_[index].worth);
  const double half = lead(tried_[other], tried_[index]).mean / 2;
  return win(other) * (1 - half) / (1 + half);
}

Trials::Lead Trials::lead(const Tried& one, const Tried& other) const {
  const std::size_t games = std::min(one.worth.size(), other.worth.size());
  const double ratio = std::pow(one.score / other.score, kScoreWeight);
  const double by_score = 2 * (ratio - 1) / (ratio + 1);
  double sum = 0, squares = 0, worth = 0;
  for (std::size_t i = 0; i < games; ++i) {
    const double difference = one.worth[i] - other.worth[i];
    sum += difference;
    squares += difference * difference;
    worth += (one.worth[i] + other.worth[i]) / 2;
  }
  const double count = static_cast<double>(games);
  const double by_games = sum / worth;
  const double variance =
      (squares - sum * sum / count) / (worth * worth) * count / std::max(1.0, count - 1);
  // Games that are all alike leave no doubt: it does not matter which of the two is opened first.
  if (variance <= 0) return {by_games, 0};
  const double trust_score = 1 / (kScoreError * kScoreError), trust_games = 1 / variance;
  const double trust = trust_score + trust_games;
  return {(by_score * trust_score + by_games * trust_games) / trust, 1 / std::sqrt(trust)};
}

}  // namespace minewright
