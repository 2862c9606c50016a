// Helpers of the bindings: reading a position, lending a worker, and heeding Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "budget.hpp"
#include "graph.hpp"
#include "reduce.hpp"

namespace minewright {

// Lets Ctrl-C reach work that runs without the GIL.
inline void heed_signals() {
  nanobind::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// A budget as Python holds it: any object with the attributes `states` and `seconds`.
struct Limits {
  std::uint64_t states;
  double seconds;
  // The work begins now, and heeds Ctrl-C.
  Budget begin() const { return {states, seconds, &heed_signals}; }
};

// Lends a worker of this thread, such as a Solver, which keeps its memory between calls. A signal
// handler may call the kernel in the middle of a call; it gets another worker. After a lot of work
// the worker is freed, together with its memory.
template <class Worker>
class Lease {
 public:
  explicit Lease(const Budget& budget) : budget_(budget) {
    if (workers().size() <= depth()) workers().emplace_back();
    auto& own = workers()[depth()++];
    if (!own) own = std::make_unique<Worker>();
    worker_ = own.get();
  }
  ~Lease() {
    --depth();
    if (budget_.used() > kMuch) workers()[depth()].reset();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Worker* operator->() const { return worker_; }
  Worker& operator*() const { return *worker_; }

 private:
  static constexpr std::uint64_t kMuch = 1'000'000;
  static std::vector<std::unique_ptr<Worker>>& workers() {
    static thread_local std::vector<std::unique_ptr<Worker>> own;
    return own;
  }
  static std::size_t& depth() {
    static thread_local std::size_t own = 0;
    return own;
  }
  const Budget& budget_;
  Worker* worker_;
};

inline void check_cell(const Graph& graph, std::uint64_t cell) {
  if (cell >= graph.size())
    throw nanobind::index_error(("no such cell: " + std::to_string(cell)).c_str());
}

inline Question question_of(const Graph& graph, const nanobind::bytes& cells, std::int64_t mines,
                            bool trust_marks) {
  if (cells.size() != graph.size())
    throw nanobind::value_error("a position needs one code per cell");
  return {
      {static_cast<const std::uint8_t*>(cells.data()), cells.size()}, mines, trust_marks, kNoCell};
}

}  // namespace minewright

template <>
struct nanobind::detail::type_caster<minewright::Limits> {
  NB_TYPE_CASTER(minewright::Limits, const_name("Limits"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
    return read(source, "states", value.states, flags, cleanup) &&
           read(source, "seconds", value.seconds, flags, cleanup);
  }

 private:
  template <class Number>
  static bool read(handle source, const char* name, Number& into, std::uint8_t flags,
                   cleanup_list* cleanup) noexcept {
    const object found = steal(PyObject_GetAttrString(source.ptr(), name));
    make_caster<Number> number;
    if (!found.is_valid() || !number.from_python(found, flags, cleanup)) {
      PyErr_Clear();
      return false;
    }
    into = number.value;
    return true;
  }
};
