// Kernel vectors as numpy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace minewright {

// Returns a getter that shows an object's member as an array of `As`, without a copy. The array
// keeps the object alive.
template <class As, class Object, class Number>
auto column(std::vector<Number> Object::* member) {
  static_assert(sizeof(As) == sizeof(Number));
  return [member](Object& object) {
    const std::vector<Number>& numbers = object.*member;
    return nanobind::ndarray<nanobind::numpy, const As, nanobind::ndim<1>>(
        numbers.data(), {numbers.size()}, nanobind::find(object));
  };
}

}  // namespace minewright
