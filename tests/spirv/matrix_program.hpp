#pragma once

// A random program with cooperative matrices, and what it computes, one component at a time. Floating-point numbers are
// multiples of 1/8 that are so small that sums are exact: a result is rounded at most once.

#include "matrix_module.hpp"

#include <array>
#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace test::spirv {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t slices = 8;     ///< of input and output, one for each sub-group
constexpr std::uint32_t argument = 3; ///< of the kernel
constexpr std::array<std::uint32_t, slices> kernel_argument = {argument, argument, argument, argument,
                                                               argument, argument, argument, argument};
constexpr unsigned char untouched = 0xa5;

/// A matrix of the program, and its components in each slice, one row after the other.
struct Value {
  Shape shape;
  Id id;
  std::array<std::vector<Number>, slices> components;
};

/// A number of the program that sub-groups may have different ones of.
struct Count {
  Id id;
  std::array<std::uint32_t, slices> of;
};

/// Where a matrix lies in a slice.
struct Place {
  bool is_row_major;
  std::uint32_t stride;      ///< in units
  std::uint32_t unit_bytes;  ///< of what the pointer points to
  std::size_t begin, length; ///< bytes
  std::size_t offset(const Shape& shape, std::uint32_t row, std::uint32_t column) const {
    const std::size_t line = is_row_major ? row : column, at = is_row_major ? column : row;
    return begin + line * stride * unit_bytes + at * shape.component.bytes();
  }
};

class Program : MatrixModule {
public:
  explicit Program(std::uint32_t seed);
  Words words() const;
  Bytes input() const;
  Bytes output() const;
  std::size_t input_bytes() const { return input_[0].size(); }
  std::size_t output_bytes() const { return output_[0].size(); }
  std::size_t local_bytes() const { return local_bytes_; }

private:
  using Make = std::function<Number(std::size_t slice, std::uint32_t component)>;

  std::uint32_t random(std::uint32_t end) { return random_() % end; }
  template <class List>
  auto one_of(const List& list) {
    return list[random(std::uint32_t(std::size(list)))];
  }
  void begin(std::uint32_t sub_group_size);
  void end();
  Shape shape();
  Number small(Component component);
  Place place(const Shape& shape, std::size_t& end);
  Id address(Id base, spv::StorageClass storage, const Shape& shape, const Place& place);
  Value value(const Shape& shape, Id id, const Make& make);
  Value load(const Shape& shape, std::optional<Number> only = std::nullopt);
  void store(const Value& value);
  Value& pooled();
  Id own_number(const std::array<std::uint32_t, slices>& numbers);
  Count count();
  Words access(const Place& place);
  Value product(const Value& a, const Value& b, const Value& c, Component result);
  void add_product();
  void add_every_product(std::uint32_t seed);
  void add_loop();
  void add_unary();
  void add_binary();
  void add_conversion();
  void add_splat();
  void add_choice();
  void add_call();
  void add_variable();
  void add_array();
  void add_structure();
  void add_scaling();
  void add_components();
  void add_insertion();
  void add_transfer();
  void add_sum();

  std::mt19937 random_;
  Id kernel_ = 0, in_ = 0, out_ = 0, local_ = 0, argument_ = 0, slice_in_ = 0, slice_out_ = 0,
     slice_local_ = 0;
  std::vector<Value> pool_;
  std::array<Bytes, slices> input_, output_;
  std::size_t local_bytes_ = 0, in_end_ = 0, out_end_ = 0;
};

} // namespace test::spirv
