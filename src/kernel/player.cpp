#include "player.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace minewright {

namespace {

// Chances that differ only by rounding count as equal, so that all machines agree.
constexpr double kEqual = 1e-9;

}  // namespace

Style parse_player(std::string_view word) {
  if (word == "exact") return {Guess::first};
  if (word == "exact-corner") return {Guess::corner};
  if (word == "pseq") return {Guess::pseq};
  if (word == "champion") return {Guess::champion, &parse_level("usual")};
  constexpr std::string_view kChampion = "champion:";
  if (word.starts_with(kChampion))
    return {Guess::champion, &parse_level(word.substr(kChampion.size()))};
  throw std::invalid_argument(
      "a native player is exact, exact-corner, pseq or champion with a level, not '" +
      std::string(word) + "'");
}

Player::Player(const Graph& graph, const Match& match)
    : graph_(graph), match_(match), field_(graph), known_(graph), champion_(graph) {
  if (match.first_cell >= graph.size() && graph.size() > 0)
    throw std::invalid_argument("there is no cell " + std::to_string(match.first_cell));
  if (match.style.level != nullptr && match.style.level->trials > 0)
    trials_ = std::make_unique<Trials>(graph, match.mines);
}

// Begins a game in which nothing is known yet, with the random numbers of this stream.
void Player::begin(std::uint64_t stream) {
  random_ = Random(match_.seed, (std::uint64_t{1} << 63) + stream);
  fate_ = Random(match_.seed, (std::uint64_t{1} << 62) + stream);
  known_.cover();
  guesses_ = 0;
  moves_.clear();
  safety_ = 1;
  lost_ = false;
}

void Player::first_move(std::uint64_t stream) {
  const Cell cell = match_.first_cell;
  const bool risky = match_.start == Start::any && match_.mines > 0;
  if (match_.safety && risky) {
    const double cells = static_cast<double>(graph_.size());
    safety_ = (cells - static_cast<double>(match_.mines)) / cells;
    if (field_.truth()[cell] == kMined) note_loss(cell);
    // The same minefield, except for a mine that was at this cell.
    field_.reset(match_.mines, Start::safe, Random(match_.seed, stream));
  }
  open(cell, risky);
}

// Records the loss at this cell, unless the game was already lost.
void Player::note_loss(Cell cell) {
  if (lost_) return;
  lost_ = true;
  at_loss_ = outcome();
  ++at_loss_.guesses;
  at_loss_.exploded = cell;
}

Player::Outcome Player::outcome() const {
  const bool won = field_.won();
  return {won, static_cast<std::uint32_t>(graph_.size() - match_.mines - field_.covered_safe()),
          won ? static_cast<std::uint32_t>(match_.mines) : known_.found(), guesses_,
          field_.exploded() ? std::int64_t{field_.opened().back()} : -1};
}

void Player::play(std::uint64_t stream, Games& games) {
  begin(stream);
  field_.reset(match_.mines, match_.start, Random(match_.seed, stream));
  Budget budget(match_.states, match_.seconds, match_.interrupt, Clock::thread);
  run([&] { first_move(stream); }, games, budget);
}

void Player::take_up(std::span<const std::uint8_t> codes, Budget& budget) {
  taken_.assign(codes.begin(), codes.end());
  const auto mines = static_cast<std::int64_t>(match_.mines);
  taken_turn_.settle(graph_, {taken_, mines, false, kNoCell});
  taken_turn_.prove(budget);
  if (!taken_turn_.safe.empty()) throw std::invalid_argument("a cell is certainly safe");
  for (Cell cell : taken_turn_.mined) taken_[cell] = kMined;
  if (!taken_turn_.weigh(budget)) throw OverBudget();
}

void Player::play_on(Cell cell, std::uint64_t stream, Games& games, Budget& budget) {
  if (cell >= taken_.size() || taken_[cell] != kCovered)
    throw std::invalid_argument("cell " + std::to_string(cell) + " is not an uncertain one");
  begin(stream);
  Random random(match_.seed, stream);
  draw_without(cell, taken_turn_, taken_, random, budget);
  field_.reset(drawn_, Start::any);
  for (Cell other = 0; other < graph_.size(); ++other) {
    if (taken_[other] == kMined) known_.note_mined(other);
    if (taken_[other] > kMaxNumber) continue;
    field_.open(other);
    known_.show(other, taken_[other]);
  }
  run(
      [&] {
        safety_ = 1 - taken_turn_.chance_of(cell);
        open(cell, true);
      },
      games, budget);
}

// Draws one of the minefields of a turn that have no mine at a cell. `codes` say which mines are
// known.
void Player::draw_without(Cell cell, Turn& turn, std::span<const std::uint8_t> codes,
                          Random& random, Budget& budget) {
  do {
    budget.tick(graph_.size());
    const auto mined = drawer_.draw(turn, random);
    drawn_.assign(mined.begin(), mined.end());
  } while (std::ranges::find(drawn_, cell) != drawn_.end());
  // The boxes of a component may hold cells that are proved mined by now, so these are drawn too.
  std::erase_if(drawn_, [codes](Cell mined) { return codes[mined] == kMined; });
  for (Cell other = 0; other < graph_.size(); ++other)
    if (codes[other] == kMined) drawn_.push_back(other);
}

// Plays a game that `begin` starts, and adds its outcome.
template <class Begin>
void Player::run(Begin&& begin, Games& games, Budget& budget) {
  bool gave_up = false, timed_out = false;
  try {
    if (!field_.over()) begin();
    while (!field_.over()) turn(budget);
  } catch (const OutOfTime&) {
    timed_out = true;
  } catch (const OverBudget&) {
    gave_up = true;
  }
  const bool ended = gave_up || timed_out;
  const Outcome result = lost_ ? at_loss_ : outcome();
  games.won.push_back(result.won);
  games.gave_up.push_back(gave_up && !lost_);
  games.timed_out.push_back(timed_out && !lost_);
  games.cleared.push_back(result.cleared);
  games.found.push_back(result.found);
  games.guesses.push_back(result.guesses);
  games.exploded.push_back(result.exploded);
  if (match_.safety) games.safety.push_back(ended ? 0.0 : safety_);
  if (match_.record) games.moves.push_back(moves_);
  games.nanoseconds.push_back(std::llround(budget.elapsed() * 1e9));
}

// Without a record the order of safe openings does not matter: what is certain stays certain. So
// the cheapest rule that finds a safe cell comes first, and the next guess is made in the same
// position.
void Player::turn(Budget& budget) {
  budget.look();
  const auto opens = [this](Cell cell) {
    open(cell, false);
    return !field_.over();
  };
  if (!match_.record && known_.settle_single(opens)) return;
  turn_.settle(graph_, question());
  if (!match_.record && !turn_.safe.empty()) {
    for (Cell cell : turn_.mined) known_.note_mined(cell);
    open_all(turn_.safe);
    return;
  }
  turn_.prove(budget);
  for (Cell cell : turn_.mined) known_.note_mined(cell);
  if (!turn_.safe.empty()) {
    std::sort(turn_.safe.begin(), turn_.safe.end());
    open_all(turn_.safe);
    return;
  }
  const Choice choice = choose(budget);
  if (match_.safety) survive(choice, budget);
  open(choice.cell, true);
}

// Counts the risk. If the move is fatal, moves the mines elsewhere. All minefields on which the
// move survives are then equally likely, whether or not the mines were moved.
void Player::survive(Choice choice, Budget& budget) {
  safety_ *= 1 - choice.risk;
  if (field_.truth()[choice.cell] != kMined) return;
  note_loss(choice.cell);
  draw_without(choice.cell, turn_, known_.codes(), fate_, budget);
  field_.move_mines(drawn_);
}

void Player::open_all(std::span<const Cell> cells) {
  for (Cell cell : cells) {
    if (field_.over()) return;
    if (known_[cell] == kCovered) open(cell, false);
  }
}

void Player::open(Cell cell, bool guess) {
  guesses_ += guess;
  if (match_.record) moves_.emplace_back(cell, guess);
  for (Cell opened : field_.open(cell)) known_.show(opened, field_.visible()[opened]);
}

Player::Choice Player::choose(Budget& budget) {
  const bool champion = match_.style.guess == Guess::champion;
  const Memo::Decision* known = champion ? memo_.recall(known_.codes()) : nullptr;
  // A remembered decision uses up the budget too, so that the budget runs out at the same point.
  if (known != nullptr && budget.used() + known->used > budget.states()) known = nullptr;
  if (known != nullptr) budget.add(known->used);
  if (known != nullptr && !match_.safety) return {known->cell, known->risk};
  // While safety is measured, the chances are needed to move the mines.
  if (!turn_.weigh(budget)) throw OverBudget();  // only exact fractions could tell
  if (known != nullptr) return {known->cell, known->risk};
  if (champion) {
    const std::uint64_t used = budget.used();
    const Level& level = *match_.style.level;
    Cell cell = champion_.choose(turn_, known_.codes(), level, budget);
    if (trials_ != nullptr && champion_.options().size() > 1) {
      options_ = champion_.options();
      trials_->rank(known_.codes(), level, kNoCell, options_, budget);
      cell = options_.front().cell;
    }
    const Choice choice{cell, turn_.chance_of(cell)};
    memo_.keep({cell, choice.risk, budget.used() - used});
    return choice;
  }
  double least = 1.0;
  for (std::size_t box = 0; box <= turn_.boxes(); ++box) least = std::min(least, turn_.chance(box));
  const double most = least + kEqual * least;
  if (match_.style.guess == Guess::pseq) {
    tied_.clear();
    for (std::size_t box = 0; box <= turn_.boxes(); ++box)
      if (turn_.chance(box) <= most)
        for (Cell cell : turn_.cells(box)) tied_.push_back({cell, 0});
    return {choose_pseq(budget), least};
  }
  const auto neighbours = [this](Cell cell) { return graph_.neighbours(cell).size(); };
  Cell best = kNoCell;
  for (std::size_t box = 0; box <= turn_.boxes(); ++box) {
    if (turn_.chance(box) > most) continue;
    for (Cell cell : turn_.cells(box)) {
      const bool corner = match_.style.guess == Guess::corner && best != kNoCell;
      if (corner && neighbours(cell) != neighbours(best)) {
        if (neighbours(cell) < neighbours(best)) best = cell;
      } else {
        best = std::min(best, cell);
      }
    }
  }
  return {best, least};
}

// P has chosen the tied cells. S, E and Q follow, each only among the cells still tied.
Cell Player::choose_pseq(Budget& budget) {
  if (tied_.size() == 1) return tied_.front().cell;
  std::sort(tied_.begin(), tied_.end(), [](Tied a, Tied b) { return a.cell < b.cell; });
  kinds_.begin(graph_, turn_, known_.codes());
  for (Tied& tied : tied_) tied.kind = kinds_.of(tied.cell);
  prospects_.clear();
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    prospects_.push_back(prospector_.look(turn_, kinds_.box(i), kinds_.near(i), budget));
  for (double Prospect::* part :
       {&Prospect::progress, &Prospect::expected, &Prospect::information}) {
    double best = 0;
    for (Tied tied : tied_) best = std::max(best, prospects_[tied.kind].*part);
    const double least = best - kEqual * best;
    std::erase_if(tied_, [&](Tied tied) { return prospects_[tied.kind].*part < least; });
  }
  return tied_[tied_.size() == 1 ? 0 : random_.below(tied_.size())].cell;
}

}  // namespace minewright
