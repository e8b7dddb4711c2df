#pragma once

// What kernels read and write. A parameter's name says what it is; kernels have those that they use.

#include "differential/case.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace differential {

/// A buffer's size and first contents.
struct BufferPlan {
  enum class Fill : std::uint8_t { integers, floats, zeros, cells, ones, rising, falling } fill;
  std::size_t bytes;
  bool is_result;
  enum class Form : std::uint8_t { buffer, image, pipe } form = Form::buffer;
  std::size_t width = 0, pixel_bytes = 0; ///< of an image
};

/// The plan of the buffer that is a parameter of this name, for a launch over the range.
BufferPlan plan_of(const std::string& parameter, const Range& range);

std::vector<unsigned char> contents(const BufferPlan& plan, const std::string& parameter);

/// The names of the parameters of a source's kernel `test`, in their order.
std::vector<std::string> parameters_of(const std::string& source);

/// What a launch has left in the buffers that are results, by their names.
using Results = std::map<std::string, std::vector<unsigned char>>;

/// Among the results of a source that emulates sub-groups: their size, in place of a buffer.
constexpr const char* sub_group_size_name = "sub-group size";

/// Takes from the results what depends on the order of the work-items: logs are sorted, the one that claims a
/// place is the same to all, and what an exchange has left is added to the sum of what exchanges have
/// found.
void normalise(Results& results);

std::uint64_t hash_of(const std::vector<unsigned char>& bytes);

} // namespace differential
