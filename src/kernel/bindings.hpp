// Each part of the kernel is bound in a file of its own, bind_*.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace minewright {

void bind_batch(nanobind::module_& m);
void bind_bullets(nanobind::module_& m);
void bind_champion(nanobind::module_& m);
void bind_deduce(nanobind::module_& m);
void bind_graph(nanobind::module_& m);
void bind_infer(nanobind::module_& m);
void bind_minefield(nanobind::module_& m);
void bind_noguess(nanobind::module_& m);
void bind_player(nanobind::module_& m);
void bind_random(nanobind::module_& m);
void bind_reason(nanobind::module_& m);
void bind_sums(nanobind::module_& m);

}  // namespace minewright
