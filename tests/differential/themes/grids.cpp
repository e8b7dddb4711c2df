// Kernels that do little else than loops over rows and columns of large ranges, as products of matrices do: what runs
// rows of work-items together, in groups of the driver's choice.

#include "differential/generator.hpp"

#include <utility>

namespace differential {

namespace {

/// X, Y: the work-item's column and row, or the other way round; W, H: their numbers; K: the counter. Limits are at
/// most H + 1, so that places stay within what has 4 * n + 64 elements.
constexpr const char* limits[] = {"Y",         "Y",         "Y + 1",   "H",
                                  "H - Y",     "min(Y, X)", "H / 2",   "min(H, 13)",
                                  "(Y & 31)",  "(X & Y)",   "(H - 1)", "min((in32[Y] & 31), H)",
                                  "min(H, X)", "(Y >> 1)",  "4",       "min((int)(m + 2u) * 5, H)"};
constexpr const char* starts[] = {"0", "0", "0", "0", "0", "Y", "X & 3", "1", "Y / 2"};
constexpr const char* places[] = {
    "Y * W + K", "K * W + X", "K * W + X",           "X * H + K", "K",     "K ^ 1",
    "X",         "Y",         "K * W + (W - 1 - X)", "i",         "i + K", "(K ^ 1) * W + X"};
/// A, B: elements.
constexpr const char* steps[] = {"S += A * B",    "S += A * B", "S += A * B",   "S += A",
                                 "S = S * 3 + A", "S -= A * B", "S = max(S, A)"};
/// F, L: where the counter starts and its limit; D: the step as a statement; Q: another counter.
constexpr const char* loops[] = {
    "for (int K = F; K < L; ++K) D",
    "for (int K = F; K < L; ++K) D",
    "for (int K = F; K < L; ++K) D",
    "for (int K = (L) - 1; K >= F; --K) D",
    "for (int K = F; K < L; K += 2) D",
    "for (int K = F; K < L; ++K)\nif (K != Y) D",
    "for (int K = F; K < L; ++K)\nfor (int Q = 0; Q < (K & 3); ++Q) D",
    "for (size_t K = 0; K < (size_t)(L); ++K) D",
    "{\nint K = F;\nwhile (K < L) {\nD\n++K;\n}\n}",
};
constexpr const char* guards[] = {"X < W - 3 && Y < H - 5", "Y > 2",  "X >= Y",   "X < W && Y < H",
                                  "Y < (int)(m * 20u)",     "X != 7", "Y < H - 1"};

constexpr std::size_t columns[] = {64, 96, 100, 128, 192, 250, 256, 320};
constexpr std::size_t rows[] = {32, 33, 48, 64, 100, 128, 256};
constexpr std::array<std::size_t, 3> groups[] = {{16, 16, 1}, {64, 1, 1}, {1, 64, 1},  {32, 8, 1},
                                                 {8, 8, 1},   {4, 4, 1},  {256, 1, 1}, {16, 4, 1}};
constexpr std::size_t most_items = 40'000;

void put(std::string& form, char name, const std::string& text) {
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; (at = form.find(name, at)) != std::string::npos;) {
    const bool is_word =
        (at == 0 || !is_part(form[at - 1])) && (at + 1 == form.size() || !is_part(form[at + 1]));
    form.replace(at, 1, is_word ? text : std::string(1, name));
    at += is_word ? text.size() : 1;
  }
}

} // namespace

Launches Generator::grid_launches() {
  dimensions_ = 2;
  if (chance(70)) place_ = "id";
  Launches result;
  for (unsigned count = 1 + below(2); count > 0; --count) {
    Range range;
    range.dimensions = 2;
    do
      range.global = {pick(std::span<const std::size_t>(columns)), pick(std::span<const std::size_t>(rows)),
                      1};
    while (range.items() > most_items && !chance(10));
    range.has_local = sees_groups_ || chance(40);
    if (range.has_local) range.local = pick(std::span<const std::array<std::size_t, 3>>(groups));
    for (unsigned d = 0; d < 2 && range.has_local; ++d)
      range.global[d] = (range.global[d] + range.local[d] - 1) / range.local[d] * range.local[d];
    result.ranges.push_back(range);
  }
  return result;
}

/// Updates of a few cells, by all work-items or in steps of the range's size.
Node Generator::grid_updates() {
  const std::string k = fresh("k"), cell = "&cells[HISTOGRAM * 8 + (";
  switch (below(3)) {
  case 0:
    return statement("for (" + any_of({"int ", "size_t "}) + k + " = " + place_ + "; " + k + " < 4 * n; " +
                     k + " += n) atomic_" + any_of({"inc(", "inc("}) + cell + any_of({"in32", "in8"}) + "[" +
                     k + "] & 15)]);");
  case 1:
    return statement("for (int " + k + " = 0; " + k + " < $0; ++" + k + ") atomic_add(" + cell +
                         any_of({"y", "x", "i", "(y >> 2)", "in8[i]"}) + " & 15)], (uint)in32[y * sx + " + k +
                         "]);",
                     expression_node(any_of({"y", "min(x, sy)", "13", "sy"})));
  default:
    return statement("turned[x * sy + y] " + any_of({"=", "^=", "+="}) + " (uint)in32[" +
                     any_of({"y * sx + x", "x * sy + y", "(sy - 1 - y) * sx + x", "i"}) + "];");
  }
}

Node Generator::grid() {
  if (chance(15)) return grid_updates();
  const std::string k = fresh("k"), sum = fresh("sum");
  const bool is_float = chance(25), by_rows = chance(70), in_memory = !is_float && chance(15);
  const std::string type = is_float ? "float" : "uint", cast = is_float ? "" : "(uint)";
  auto replaced = [&](std::string form) {
    for (auto [name, text] : {std::pair{'Y', by_rows ? "y" : "x"},
                              {'X', by_rows ? "x" : "y"},
                              {'H', by_rows ? "sy" : "sx"},
                              {'W', by_rows ? "sx" : "sy"}})
      put(form, name, text);
    put(form, 'K', k);
    return form;
  };
  auto element = [&] {
    const std::string array = is_float ? "inf" : any_of({"in32", "in32", "in8"});
    return cast + array + "[" + replaced(places[below(std::size(places))]) + "]";
  };
  std::string step = steps[below(std::size(steps))], loop = loops[below(std::size(loops))];
  put(step, 'A', element());
  put(step, 'B', element());
  if (chance(15)) step = "{ " + step + "; S ^= " + element() + "; }";
  // max() of NaN may be either.
  if (is_float && (step.find('^') != std::string::npos || step.find("max") != std::string::npos))
    step = "S += " + element();
  put(step, 'S', in_memory ? "sums[" + place_ + "]" : sum);
  put(loop, 'D', step.ends_with("}") ? step : step + ";");
  put(loop, 'Q', fresh("q"));
  put(loop, 'F', "$0");
  put(loop, 'L', "$1");
  const std::string guard = chance(35) ? "if ($2) " : "", keep = chance(20) ? "if ($3) " : "";
  const std::string leaves = is_float ? "sumsf[" + place_ + "] = canonical(" + sum + ");"
                                      : "sums[" + place_ + "] " + any_of({"=", "+="}) + " " + sum + ";";
  auto condition = [&] {
    Node test = expression_node(replaced(guards[below(std::size(guards))]));
    test.type = "bool";
    return test;
  };
  return statement("{\n" + (in_memory ? "" : type + " " + sum + " = " + any_of({"0", "0", "1"}) + ";\n") +
                       guard + replaced(loop) + "\n" + (in_memory ? "" : keep + leaves + "\n") + "}",
                   expression_node(replaced(starts[below(std::size(starts))])),
                   expression_node(replaced(limits[below(std::size(limits))])), condition(), condition());
}

} // namespace differential
