// HOSTCL_CHECK=all,divergence: kernels with one defect each, from a table of what may go wrong and the types and places that
// it may go wrong with. Each is found at its line, with its work-item; the same kernel without the defect is not reported.

#include "support/findings.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <map>

namespace {

/// One kind of defect. In all texts T is the type, `#` the condition of the defect, which holds for the work-item 37 alone or,
/// in the right version, for none, and `!` is a barrier that the right version has.
struct Defect {
  const char *check, *before, *wrong, *after;
  std::vector<std::string> types;
  bool names_work_item = true; ///< in the first finding
};

/// Kernels have the parameters `a`, 64 elements that they may write; `in`, 64 elements; `u`, 64 elements that were never
/// written; `c`, 64 elements; and `t`, local memory for 16 elements. 64 work-items run in groups of 16.
constexpr const char* head =
    "kernel void NAME(global T* a, global const T* in, global T* u, constant T* c, local T* t) {\n";
constexpr const char* ids = "int i = get_global_id(0), l = get_local_id(0); size_t k = i;";

const std::vector<std::string> all = {"char", "ushort", "int", "float", "ulong"}, words = {"int", "uint"},
                               integers = {"char", "short", "int", "long"},
                               numbers = {"int", "float", "uchar"}, vectors = {"int4", "float2", "uchar16"},
                               one = {"int"};

const Defect defects[] = {
    // Outside of an object.
    {"bounds", "", "a[i] = in[i + 64 * (#)];", "", all},
    {"bounds", "", "a[i + 64 * (#)] = 1;", "", all},
    {"bounds", "", "a[i] = in[i - 100 * (#)];", "", all},
    {"bounds", "", "a[i] = c[i + 64 * (#)];", "", all},
    {"bounds", "t[l] = 1;", "t[l + 16 * (#)] += 1;", "a[i] = t[l];", all},
    {"bounds", "local T v[16]; v[l] = 2;", "a[i] = v[l + 16 * (#)];", "", all},
    {"bounds", "t[l] = 1;", "t[l + (#) * (1L << 40)] = 1;", "a[i] = t[l];", all}, // far from any memory
    {"bounds", "local T v[16]; v[l] = 2;", "a[i] = v[l - (#) * (1L << 40)];", "", all},
    {"bounds", "local T v[16], w[512]; v[l] = w[l] = 2;",
     "local T* p = i % 3 ? v : w; p[l + (#) * (1L << 40)] = 1;", "a[i] = v[l];", all},
    {"bounds", "T v[4] = {1, 2, 3, 4};", "a[i] = v[(i & 3) + 4 * (#)];", "", all},
    {"bounds", "T v[4]; for (int j = 0; j < 4; ++j) v[j] = j;",
     "for (int j = 0; j < 4 + (#); ++j) a[i] += v[j];", "", all},
    {"bounds", "T v[5]; for (int j = 0; j < 5; ++j) v[j] = in[i];",
     "T s = 0; if (#) for (int j = 0; j <= 5; ++j) s += v[j];", "a[i] = s + v[0];", all},
    {"bounds", "", "a[i] = ((global T*)((ulong)a + (k + 64 * (#)) * sizeof(T)))[0];", "", all},
    {"bounds", "struct { T first, v[4], last; } s; s.v[0] = s.v[1] = s.v[2] = s.v[3] = s.last = s.first = 1;",
     "a[i] = s.v[(i & 3) + 4 * (#)];", "", all},
    {"bounds", "", "atomic_add(&a[i + 64 * (#)], 1);", "", words},
    {"bounds", "T v = in[i];", "a[i].x = v[(i & 1) + 16 * (#)];", "", vectors},
    {"bounds", "T v = in[i];", "v[(i & 1) + 16 * (#)] = 1;", "a[i] = v;", vectors},
    {"bounds", "", "a[i + 64 * (#)].x = 1;", "", vectors},
    {"bounds", "global T* p = (#) ? 0 : a + i;", "*p = 1;", "", all},
    {"bounds", "", "vstore2((int2)(1), 0, a + (k & 62) + 1 * (#) + 62 * (#));", "", one},
    // Never written.
    {"uninitialised", "T v; if (!(#)) v = 1;", "a[i] = v;", "", all},
    {"uninitialised", "T v; if (!(#)) v = 1;", "if (v > 0) a[i] = 1;", "", all},
    {"uninitialised", "T v[4]; for (int j = (#); j < 4; ++j) v[j] = j;", "a[i] = v[i & 0];", "", all},
    {"uninitialised", "struct { T x, y; } s; s.x = 1; if (!(#)) s.y = 2;", "a[i] = s.x + s.y;", "", all},
    {"uninitialised", "if (!(#)) t[l] = 1; barrier(CLK_LOCAL_MEM_FENCE);", "a[i] = t[l];", "", all},
    {"uninitialised", "if (!(#)) u[i] = 1;", "a[i] = u[i];", "", all},
    {"uninitialised", "int j; if (!(#)) j = i;", "a[j] = 1;", "", all},
    {"uninitialised", "T v = 1; if (!(#)) v.x = 2; T w; w = v; T z; if (!(#)) z.x = 1; else w = v;",
     "a[i].x = z.x;", "", vectors},
    // Undefined arithmetic and arguments.
    {"arguments", "", "a[i] = 7 / (T)(1 - (#));", "", integers},
    {"arguments", "", "a[i] = 7 % (T)(1 - (#));", "", integers},
    {"arguments", "float f = (#) ? 1e20f : 1.0f;", "a[i] = (T)f;", "", {"int", "uint", "long", "short"}},
    {"arguments", "T low = 2 + 9 * (#);", "a[i] = clamp((T)1, low, (T)5);", "", numbers},
    {"arguments", "", "a[i] = mul24(1 << (3 + 22 * (#)), 2);", "", one},
    {"arguments", "", "a[i] = ((global int*)((global char*)in + i * 0 + 2 * (#)))[0];", "", one},
    // Races: another work-item has part in them.
    {"races", "t[l] = 1;", "! a[i] = t[(l + 1) & 15];", "", all, false},
    {"races", "T v = in[i]; t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);", "v = t[(l + 1) & 15]; ! t[l] = v + 1;",
     "a[i] = v;", all, false},
    {"races", "local T v[16]; v[l] = i;", "! v[15 - l] += 1;", "", all, false},
    {"races", "", "a[(#) ? 36 : i] = i;", "", all, false},
    {"races", "global T* p = i % 3 ? a + (i & 3) : 0;", "if (p && (#)) *p = 7; else if (p) atomic_inc(p);",
     "", words, false},
    // Work-items that part in front of a barrier.
    {"divergence", "", "if (!(#))", "barrier(CLK_LOCAL_MEM_FENCE); a[i] = 1;", words, false},
    {"divergence", "", "if (#) return;", "barrier(CLK_LOCAL_MEM_FENCE); a[i] = 1;", words, false},
    {"divergence", "", "for (int j = 0; j < 2 + (#); ++j)", "barrier(CLK_LOCAL_MEM_FENCE); a[i] = 1;", words,
     false},
    {"divergence", "event_t e = 0;", "if (!(#))",
     "e = async_work_group_copy(t, in + i / 16 * 16, 16, 0); wait_group_events(1, &e); a[i] = t[l];", words,
     false},
};

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// A type's name as a word of its own.
std::string with_type(const std::string& text, const std::string& type) {
  std::string result;
  auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_word = text[i] == 'T' && (i == 0 || !is_letter(text[i - 1])) &&
                         (i + 1 == text.size() || !is_letter(text[i + 1]));
    result += is_word ? type : std::string(1, text[i]);
  }
  return result;
}

constexpr int lines = 5, wrong_line = 3; ///< of each kernel

std::string source_of(const Defect& defect, const std::string& type, const std::string& name, bool is_wrong) {
  std::string text =
      std::string(head) + ids + " " + defect.before + "\n" + defect.wrong + "\n" + defect.after + "\n}\n";
  text = with(text, "!(#)", is_wrong ? "(i != 37)" : "(i != 1037)");
  text = with(text, "#", is_wrong ? "i == 37" : "i == 1037");
  text = with(text, "! ", is_wrong ? " " : "barrier(CLK_LOCAL_MEM_FENCE); ");
  return with(with_type(text, type), "NAME", name);
}

std::string name_of(const std::string& prefix, const std::string& type, bool is_wrong) {
  return prefix + type + (is_wrong ? "_wrong" : "_right");
}

std::size_t bytes_of(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes = {
      {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},    {"uint", 4},
      {"float", 4}, {"long", 8},  {"ulong", 8}, {"int4", 16},  {"float2", 8}, {"uchar16", 16}};
  return sizes.at(type);
}

std::vector<test::Finding> run(const test::Session& session, cl_program program, const std::string& name,
                               std::size_t element) {
  const test::Kernel kernel = session.kernel(program, name.c_str());
  const std::vector<char> zeros(64 * element);
  const test::Buffer a = session.buffer(zeros), in = session.buffer(zeros), c = session.buffer(zeros),
                     u = session.buffer(zeros.size());
  const test::Findings findings;
  test::set_arguments(kernel, a, in, u, c, test::Local{16 * element});
  session.run(kernel, 64, 16);
  std::vector<test::Finding> found = findings.all();
  std::erase_if(found, [](const test::Finding& finding) { return finding.check.empty(); });
  return found;
}

/// @param line the line of the defect
bool is_expected(const test::Finding& finding, const Defect& defect, int line) {
  const bool is_race = finding.check == "races"; // whose other access may be the one on the line before
  const bool is_there =
      finding.check == defect.check && (finding.line == line || (is_race && finding.line == line - 1));
  return is_there && (!defect.names_work_item || finding.global_id[0] == 37);
}

/// Runs the wrong and the right kernel of each of the types. @returns the number of kernels
unsigned check(const test::Session& session, const Defect& defect, const std::vector<std::string>& types) {
  const std::string prefix = "k" + std::to_string(&defect - defects) + "_";
  std::string sources; // all kernels in one program, which builds faster than a program for each kernel
  for (const std::string& type : types)
    for (const bool is_wrong : {true, false})
      sources += source_of(defect, type, name_of(prefix, type, is_wrong), is_wrong);
  const test::Program program = session.build(sources.c_str());
  int line = wrong_line;
  for (const std::string& type : types)
    for (const bool is_wrong : {true, false}) {
      const std::string name = name_of(prefix, type, is_wrong);
      const std::vector<test::Finding> found = run(session, program, name, bytes_of(type));
      std::string text;
      for (const test::Finding& f : found)
        text += f.check + ":" + std::to_string(f.line) + "@" + std::to_string(f.global_id[0]) + " ";
      INFO(source_of(defect, type, name, is_wrong));
      INFO("found: " << text);
      if (is_wrong)
        CHECK(
            std::ranges::any_of(found, [&](const test::Finding& f) { return is_expected(f, defect, line); }));
      else
        CHECK(found.empty());
      line += lines;
    }
  return 2 * unsigned(types.size());
}

} // namespace

TEST_CASE("checks: seeded defects are found at their lines, and right kernels are not reported",
          "[.long_run]") {
  const test::Session session;
  unsigned number = 0;
  for (const Defect& defect : defects)
    number += check(session, defect, defect.types);
  CHECK(number >= 2 * 150);
}

TEST_CASE(
    "checks: seeded defects, with one type for each kind, are found and right kernels are not reported") {
  const test::Session session;
  unsigned number = 0;
  for (const Defect& defect : defects)
    number += check(session, defect, {defect.types[std::size_t(&defect - defects) % defect.types.size()]});
  CHECK(number == 2 * std::size(defects));
}
