#include "bindings.hpp"

NB_MODULE(_kernel, m) {
  m.doc() = "Minewright's native kernel; use it through the package, not directly.";
  minewright::bind_batch(m);
  minewright::bind_bullets(m);
  minewright::bind_champion(m);
  minewright::bind_deduce(m);
  minewright::bind_graph(m);
  minewright::bind_infer(m);
  minewright::bind_minefield(m);
  minewright::bind_noguess(m);
  minewright::bind_player(m);
  minewright::bind_random(m);
  minewright::bind_reason(m);
  minewright::bind_sums(m);
}
