// What the bindings of inference and deduction share: reading a position, heeding Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include "graph.hpp"
#include "reduce.hpp"

namespace minewright {

// Ctrl-C reaches work that runs without Python's lock.
inline void heed_signals() {
  nanobind::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

inline Question question_of(const Graph& graph, const nanobind::bytes& cells, std::int64_t mines,
                            bool trust_marks) {
  if (cells.size() != graph.size()) throw nanobind::value_error("one code a cell is needed");
  return {
      {static_cast<const std::uint8_t*>(cells.data()), cells.size()}, mines, trust_marks, kNoCell};
}

}  // namespace minewright
