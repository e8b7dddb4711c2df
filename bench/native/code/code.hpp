#pragma once

// What the C++ side of the rows is made with. The files of this folder are compiled by each of several compilers, so
// all that they define is in an anonymous namespace, and makes itself known by a Registered.

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace bench::native {

/// The arrays and numbers of a row, each in the order in which the row made them.
struct Data {
  std::vector<void*> arrays;
  std::vector<int> numbers;
};

using Call = void (*)(const Data&);

/// Functions by row, by the compiler that made them.
std::map<std::string, std::map<std::string, Call>>& functions();

/// Hands out a row's data as the arguments of its function: a pointer is the next array, an int the next number.
class Arguments {
public:
  explicit Arguments(const Data& data) : data_(data) {}

  template <class T>
  T next() {
    if constexpr (std::is_pointer_v<T>)
      return static_cast<T>(data_.arrays.at(array_++));
    else
      return data_.numbers.at(number_++);
  }

private:
  const Data& data_;
  std::size_t array_ = 0, number_ = 0;
};

template <class... Parameters>
void apply(void (*function)(Parameters...), const Data& data) {
  Arguments arguments(data);
  std::apply(function,
             std::tuple<Parameters...>{arguments.next<Parameters>()...}); // braces: from left to right
}

/// A row's name and `function`, whose parameters are the row's arrays and numbers.
struct Entry {
  const char* row;
  Call call;
};

template <auto function>
constexpr Entry entry(const char* row) {
  return {row, [](const Data& data) { apply(function, data); }};
}

/// Makes the functions of one file known, as made by `compiler`.
struct Registered {
  Registered(const char* compiler, std::initializer_list<Entry> entries);
};

} // namespace bench::native
