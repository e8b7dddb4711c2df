#include "differential/buffers.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

namespace differential {

namespace {

using Fill = BufferPlan::Fill;
using Form = BufferPlan::Form;

/// Rows of cells that exchanges and compare-exchanges leave their last values in, and that add up what they
/// found.
constexpr std::size_t exchange_row = 16, exchange_sum_row = 17, cells_in_row = 8;

std::uint32_t scramble(std::uint32_t x) { // as kernels do
  x = (x ^ 61) * 9u;
  return (x ^ (x >> 4)) * 0x27d4eb2du;
}

template <class Number>
Number* numbers(std::vector<unsigned char>& bytes) {
  return reinterpret_cast<Number*>(bytes.data());
}

/// Sorts the elements that were appended.
template <class Number>
void sort_log(Results& results, const char* name, std::uint64_t count) {
  auto log = results.find(name);
  if (log == results.end()) return;
  auto* first = numbers<Number>(log->second);
  std::sort(first, first + std::min<std::uint64_t>(count, log->second.size() / sizeof(Number)));
}

/// Every number with much in its bits, small ones, and those at the ends.
std::uint32_t any_integer(std::uint32_t first, std::uint32_t second) {
  static constexpr std::uint32_t ends[] = {0,          1,      0xffffffff, 0x80000000,
                                           0x7fffffff, 0xffff, 0x8000,     0xff80ff80};
  if (first % 3 == 0) return second % 16;
  if (first % 16 == 1) return ends[second % 8];
  return first << 12 ^ second;
}

std::uint32_t any_float(std::uint32_t first, std::uint32_t second) {
  static constexpr std::uint32_t special[] = {0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                              0x00000001, 0x7f7fffff, 0x80000000, 0x3f800001};
  if (first % 16 == 1) return special[second % 8];
  const float number = static_cast<float>(static_cast<int>(first % 512) - 256) * 0.25f;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, 4);
  return bits;
}

/// As CLsmith's launcher fills its buffers.
void fill_in_turn(std::vector<unsigned char>& bytes, Fill fill) {
  if (fill == Fill::ones) std::ranges::fill(std::span(numbers<std::uint64_t>(bytes), bytes.size() / 8), 1);
  for (std::uint32_t i = 0; fill != Fill::ones && i < bytes.size() / 4; ++i)
    numbers<std::uint32_t>(bytes)[i] = fill == Fill::rising ? 10 + i : 1024 - i;
}

std::uint32_t seed_of(const std::string& parameter) {
  std::uint32_t seed = 77;
  for (char c : parameter)
    seed = seed * 31 + static_cast<unsigned char>(c);
  return seed;
}

} // namespace

BufferPlan plan_of(const std::string& parameter, const Range& range) {
  const std::size_t items = range.items(), inputs = 4 * items + 128;
  const std::size_t slots = (items + 31) / 32 * 32, log = 10 * items + 16;
  // For the themes that do not mask indices: `made` has 8 * n + 64 numbers for each of four statements, which read `far8` and
  // `far32`.
  const std::size_t square = range.global[0] * range.global[0]; // a matrix of bytes that products read
  const std::size_t far = 16 * items + 20'000, made = 4 * (8 * items + 64);
  const std::size_t groups = range.has_local ? items / range.group_items() + 1 : items;
  const std::map<std::string, BufferPlan> plans = {
      {"in32", {Fill::integers, inputs * 4, false}},
      {"in8", {Fill::integers, inputs, false}},
      {"in64", {Fill::integers, inputs * 8, false}},
      {"inf", {Fill::floats, inputs * 4, false}},
      {"out32", {Fill::integers, items * 32, true}},
      {"out8", {Fill::integers, items * 8, true}},
      {"out64", {Fill::integers, items * 32, true}},
      {"outf", {Fill::zeros, items * 16, true}},
      {"cells", {Fill::cells, 1024, true}},
      {"cells64", {Fill::cells, 64, true}},
      {"result", {Fill::zeros, items * 8, true}},
      {"raw", {Fill::integers, slots * 64, true}},
      {"bins", {Fill::cells, slots * 4 + 256, true}},
      {"claims", {Fill::zeros, items * 4 + 256, true}},
      {"log8", {Fill::zeros, log, true}},
      {"log32", {Fill::zeros, log * 4, true}},
      {"log64", {Fill::zeros, log * 8, true}},
      {"counts", {Fill::zeros, 64, true}},
      {"picture", {Fill::integers, 32 * 16 * 4, false, Form::image, 32, 4}},
      {"field", {Fill::floats, 16 * 8 * 16, false, Form::image, 16, 16}},
      {"drawn", {Fill::zeros, (items + 63) / 64 * 64 * 16, true, Form::image, 64, 16}},
      {"source", {Fill::zeros, (items + 16) * 4, false, Form::pipe}},
      {"sink", {Fill::zeros, (items * 3 + 16) * 4, true, Form::pipe}},
      {"locks", {Fill::zeros, 64, true}},
      {"guarded", {Fill::zeros, 256, true}},
      {"sums", {Fill::integers, items * 4, true}},
      {"sumsf", {Fill::zeros, items * 4, true}},
      {"turned", {Fill::integers, items * 4, true}},
      {"far32", {Fill::integers, far * 4, false}},
      {"far8", {Fill::integers, far + square, false}},
      {"made", {Fill::zeros, made * 4, true}},
      {"tally", {Fill::integers, 1536 * 4, true}},
      // What kernels of CLsmith are given; `result` is theirs as well.
      {"g_atomic_input", {Fill::zeros, groups * 512, false}},
      {"g_special_values", {Fill::zeros, groups * 512, false}},
      {"g_atomic_reduction", {Fill::zeros, groups * 4, false}},
      {"emi_input", {Fill::falling, 1024 * 4, false}},
      {"sequence_input", {Fill::rising, items * 4, false}},
      {"g_comm_values", {Fill::ones, items * 8, false}}};
  auto found = plans.find(parameter);
  if (found == plans.end()) throw std::runtime_error("no buffer is called " + parameter);
  return found->second;
}

std::vector<unsigned char> contents(const BufferPlan& plan, const std::string& parameter) {
  std::vector<unsigned char> bytes(plan.bytes);
  if (plan.fill == Fill::zeros) return bytes;
  if (plan.fill == Fill::ones || plan.fill == Fill::rising || plan.fill == Fill::falling) {
    fill_in_turn(bytes, plan.fill);
    return bytes;
  }
  std::uint32_t seed = seed_of(parameter);
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    const std::uint32_t first = next(), second = next();
    const std::uint32_t value =
        plan.fill == Fill::floats ? any_float(first, second) : any_integer(first, second);
    std::memcpy(&bytes[at], &value, 4);
  }
  // A sum of floats that starts exact stays exact.
  if (parameter == "cells") std::memset(&bytes[std::size_t{12} * 32], 0, 32);
  return bytes;
}

std::vector<std::string> parameters_of(const std::string& source) {
  std::vector<std::string> names;
  std::size_t at = source.find("void test(");
  if (at == std::string::npos) return names;
  const std::size_t end = source.find(") {", at);
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  while (at < end) {
    const std::size_t next = std::min(source.find(',', at), end);
    std::size_t last = next;
    while (last > at && !is_part(source[last - 1]))
      --last;
    std::size_t first = last;
    while (first > at && is_part(source[first - 1]))
      --first;
    names.push_back(source.substr(first, last - first));
    at = next + 1;
  }
  return names;
}

void normalise(Results& results) {
  if (auto counts = results.find("counts"); counts != results.end()) {
    const auto* count = numbers<std::uint32_t>(counts->second);
    sort_log<std::uint8_t>(results, "log8", count[0]);
    sort_log<std::uint32_t>(results, "log32", count[1]);
    sort_log<std::uint64_t>(results, "log64", count[4]);
  }
  if (auto claims = results.find("claims"); claims != results.end())
    for (std::size_t i = 0; i < claims->second.size() / 4; ++i)
      numbers<std::uint32_t>(claims->second)[i] = numbers<std::uint32_t>(claims->second)[i] != 0;
  if (auto cells = results.find("cells"); cells != results.end())
    for (std::size_t i = 0; i < cells_in_row; ++i) {
      auto* cell = numbers<std::uint32_t>(cells->second);
      cell[exchange_sum_row * cells_in_row + i] += scramble(cell[exchange_row * cells_in_row + i]);
      cell[exchange_row * cells_in_row + i] = 0;
    }
}

std::uint64_t hash_of(const std::vector<unsigned char>& bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[at], std::min<std::size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace differential
