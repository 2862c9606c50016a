// Numbers of the kernel's as arrays of numpy's.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace minewright {

// Shows the numbers of an object's member, read as `As`, without a copy; the array keeps the object
// alive.
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
