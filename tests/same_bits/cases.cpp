#include "same_bits/cases.hpp"

#include <algorithm>
#include <iterator>
#include <random>

namespace same_bits {

namespace {

using Words = std::vector<std::string>;

/// Functions of x, y and n for all types of elements.
const Words functions_of_all = {"acos(x)",
                                "acosh(x)",
                                "acospi(x)",
                                "asin(x)",
                                "asinh(x)",
                                "asinpi(x)",
                                "atan(x)",
                                "atanh(x)",
                                "atanpi(x)",
                                "cbrt(x)",
                                "ceil(x)",
                                "cos(x)",
                                "cosh(x)",
                                "cospi(x)",
                                "erf(x)",
                                "erfc(x)",
                                "exp(x)",
                                "exp10(x)",
                                "exp2(x)",
                                "expm1(x)",
                                "floor(x)",
                                "(T)ilogb(x)",
                                "lgamma(x)",
                                "log(x)",
                                "log10(x)",
                                "log1p(x)",
                                "log2(x)",
                                "logb(x)",
                                "rint(x)",
                                "round(x)",
                                "rsqrt(x)",
                                "sin(x)",
                                "sinh(x)",
                                "sinpi(x)",
                                "sqrt(x)",
                                "tan(x)",
                                "tanh(x)",
                                "tanpi(x)",
                                "tgamma(x)",
                                "trunc(x)",
                                "pow(x, y)",
                                "pow(fabs(x), y)",
                                "powr(fabs(x), y)",
                                "pown(x, n)",
                                "rootn(fabs(x), n | 1)",
                                "atan2(y, x)",
                                "atan2pi(y, x)",
                                "hypot(x, y)",
                                "fmod(x, y)",
                                "remainder(x, y)",
                                "fdim(x, y)",
                                "fmax(x, y)",
                                "fmin(x, y)",
                                "maxmag(x, y)",
                                "minmag(x, y)",
                                "nextafter(x, y)",
                                "ldexp(x, n)",
                                "fma(x, y, -x)",
                                "mad(x, y, -x)",
                                "x / y",
                                "x * y + x",
                                "x - y * y",
                                "x * x - y * y",
                                "(s = fract(x, &t), s + t)",
                                "(s = modf(x, &t), s - t)",
                                "(s = sincos(x, &t), s * 3 + t)",
                                "(s = frexp(x, &m), s + m)",
                                "(s = remquo(x, y, &m), s + m)",
                                "(s = lgamma_r(x, &m), s + m)",
                                "clamp(x, (T)-1, y)",
                                "mix(x, y, (T)0.3f)",
                                "smoothstep((T)-1, (T)2, x)",
                                "degrees(x) + radians(y)",
                                "max(x, y) - min(x, y)",
                                "step(x, y)",
                                "sign(x)",
                                "max(-z, z)",
                                "fmin(z, -z)",
                                "fmax(fmin(x, -z), z)"};

const Words functions_of_single = {"native_sin(x)",
                                   "native_cos(x)",
                                   "native_tan(x)",
                                   "native_exp(x)",
                                   "native_exp2(x)",
                                   "native_exp10(x)",
                                   "native_log(x)",
                                   "native_log2(x)",
                                   "native_log10(x)",
                                   "native_recip(x)",
                                   "native_sqrt(x)",
                                   "native_rsqrt(x)",
                                   "native_powr(x, y)",
                                   "native_divide(x, y)",
                                   "half_exp(x)",
                                   "half_log(x)",
                                   "half_sin(x)",
                                   "half_powr(fabs(x), y)",
                                   "sin(x * 1e6f)",
                                   "cos(x * 1e30f)",
                                   "tan(x * 1e20f)",
                                   "fast_length((float2)(x, y))",
                                   "length((float4)(x, y, z, 1))",
                                   "fast_normalize((float4)(x, y, z, 1)).y",
                                   "normalize((float3)(x, y, 1)).x",
                                   "distance((float2)(x, y), (float2)(z))",
                                   "dot((float4)(x, y, z, 1), (float4)(y, z, x, -x))",
                                   "cross((float3)(x, y, z), (float3)(y, y, x)).y",
                                   "convert_float_rtz((long)n * n * n)",
                                   "convert_float((ulong)n * (ulong)n * n)",
                                   "(m = n, vload_half(0, (half*)&m))",
                                   "convert_float(convert_half(x))",
                                   "(float)convert_int_sat(x)",
                                   "(float)convert_uint_sat_rtp(y)",
                                   "sin((float4)(x, y, z, 1e9f)).x + log((float2)(x, y)).y",
                                   "pow((float3)(x, y, 2), (float3)(y, x, z)).z"};

/// Output number `output` is the value of the expression.
void add_output(Case& made, const std::string& expression, const std::string& name) {
  made.statements += "o[" + std::to_string(made.outputs.size()) + " * count + i] = " + expression + ";\n";
  made.outputs.push_back(name);
}

/// Kernels with a few functions each.
void add_functions(std::vector<Case>& cases, Element element, const Words& functions,
                   const std::string& options) {
  constexpr std::size_t together = 8;
  for (std::size_t first = 0; first < functions.size(); first += together) {
    Case made{.name = "functions", .element = element, .options = options};
    for (std::size_t j = first; j < std::min(first + together, functions.size()); ++j)
      add_output(made, functions[j], functions[j]);
    cases.push_back(std::move(made));
  }
}

/// Sums and products whose terms a compiler might combine in another order.
const struct {
  const char *name, *statements;
} loops[] = {
    {"sum of neighbours", "s = 0; for (int j = 0; j < 50; j++) s += a[(i + j) % count]; o[i] = s;"},
    {"sum of products", "s = 1; for (int j = 0; j < 37; j++) s += a[(i * 7 + j) % count] * b[j]; o[i] = s;"},
    {"sum of a row", "s = 0; if (l == 0) for (int j = 0; j < 1920; j++) s += a[j] * a[j]; o[i] = s;"},
    {"product", "s = 1; for (int j = 0; j < 20; j++) s *= b[(i + j) % count]; o[i] = s;"},
    {"minimum", "s = x; for (int j = 0; j < 20; j++) s = fmin(s, a[(i + j) % count] * 0); o[i] = s;"},
    {"maximum", "s = x; for (int j = 0; j < 20; j++) s = max(s, -a[(i + j) % count] * 0); o[i] = s;"},
    {"polynomial", "s = 0; for (int j = 0; j < 16; j++) s = s * x + b[j]; o[i] = s;"},
    {"four sums",
     "T u = 0, v = 0; s = 0; t = 0; for (int j = 0; j < 64; j += 4) { s += a[j] * x; t += a[j + 1] * x;"
     " u += a[j + 2] * x; v += a[j + 3] * x; } o[i] = s + t + (u + v);"},
    {"recurrence",
     "s = x; t = y; for (int j = 0; j < 40; j++) { T u = s * s - t * t + x; t = 2 * s * t + y; s = u;"
     " } o[i] = s + t;"},
    {"iterations that differ", "s = 0; for (int j = 0; j < n % 40; j++) s += x / (j + 1) * y; o[i] = s;"},
    {"tree in local memory", "local T p[256]; p[l] = x; barrier(CLK_LOCAL_MEM_FENCE); for (int d = 32; d > "
                             "0; d /= 2) { if (l < d) p[l] += p[l "
                             "+ d]; barrier(CLK_LOCAL_MEM_FENCE); } o[i] = p[0];"},
    {"products of a tile",
     "local T p[256]; p[l] = x; barrier(CLK_LOCAL_MEM_FENCE); s = 0; for (int j = 0; j < 60; j++)"
     " s += p[j] * b[(j + i) % count]; o[i] = s;"},
    {"numbers of bodies",
     "s = 0; for (int j = 0; j < 64; j++) { T d = a[j] - x, r = d * d + b[j] * b[j] + (T)1; s += d"
     " * rsqrt(r * r * r); } o[i] = s;"},
};

const Words group_functions = {"work_group_reduce_add(x)",         "work_group_reduce_max(z)",
                               "work_group_reduce_min(z)",         "work_group_scan_inclusive_add(x)",
                               "work_group_scan_exclusive_add(x)", "work_group_scan_exclusive_min(z)"};
const Words sub_group_functions = {"sub_group_reduce_add(x)",
                                   "sub_group_reduce_min(z)",
                                   "sub_group_reduce_max(z)",
                                   "sub_group_scan_inclusive_add(x)",
                                   "sub_group_scan_exclusive_add(x)",
                                   "sub_group_scan_inclusive_max(z)",
                                   "sub_group_non_uniform_reduce_mul(x)"};

void add_collectives(std::vector<Case>& cases, Element element, const Words& functions,
                     const std::string& attribute) {
  constexpr std::array<std::size_t, 3> sizes[] = {{64, 1, 1}, {60, 1, 1}, {320, 3, 1}, {5, 3, 2}};
  for (const auto& local : sizes) {
    Case made{.name = "collectives of " + std::to_string(local[0]) + " by " + std::to_string(local[1]),
              .element = element,
              .attribute = attribute,
              .is_moderate = true,
              .local = local};
    for (const std::string& function : functions)
      add_output(made, function, function);
    cases.push_back(std::move(made));
  }
}

class RandomExpression {
public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string kernel() {
    std::string text = "T v[4] = {x, y, x - y, n};\n";
    const bool loops = pick(3) == 0;
    if (loops) text += "for (int j = 0; j < " + std::to_string(2 + pick(9)) + "; j++) {\n";
    for (unsigned k = 0; k < 3 + pick(4); ++k) {
      const std::string target = "v[" + std::to_string(pick(4)) + "]";
      if (pick(4) == 0) text += "if (" + value(1) + " < " + value(1) + ") ";
      text += target + " = bounded(" + value(3) + ");\n";
    }
    return text + (loops ? "}\n" : "") +
           "o[i] = v[0] * v[1] + v[2] * v[3];\no[count + i] = v[0] - v[3] / v[1];\n";
  }

private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::string value(unsigned depth) {
    if (depth == 0 || pick(6) == 0) {
      static const char* const leaves[] = {"x",    "y",       "v[0]",  "v[1]",    "v[2]",
                                           "v[3]", "(T)0.1f", "(T)-3", "a[i / 3]"};
      return leaves[pick(std::size(leaves))];
    }
    static const char* const forms[] = {
        "($ + $)", "($ - $)",         "($ * $)",      "($ * $)",    "($ * $ + $)", "($ - $ * $)",
        "($ / $)", "mad($, $, $)",    "fma($, $, $)", "fmin($, $)", "fmax($, $)",  "sqrt(fabs($))",
        "(-$)",    "($ > $ ? $ : $)", "exp2($)",      "sin($)",     "rint($)",     "log(fabs($))"};
    std::string text = forms[pick(std::size(forms))];
    for (std::size_t at = 0; (at = text.find('$')) != std::string::npos;)
      text.replace(at, 1, value(depth - 1));
    return text;
  }

  std::mt19937_64 random_;
};

void add_random(std::vector<Case>& cases, unsigned count) {
  const std::string options[] = {"",
                                 "",
                                 "-cl-fast-relaxed-math",
                                 "-cl-mad-enable -cl-no-signed-zeros",
                                 "-cl-unsafe-math-optimizations -cl-finite-math-only",
                                 "-cl-denorms-are-zero"};
  for (unsigned seed = 0; seed < count; ++seed)
    cases.push_back({.name = "random " + std::to_string(seed),
                     .element = static_cast<Element>((seed + 1) % element_names.size()),
                     .statements = RandomExpression(seed).kernel(),
                     .outputs = {"sum", "quotient"},
                     .options = options[seed % std::size(options)],
                     .is_moderate = seed / 6 % 2 == 0});
}

void add_loops(std::vector<Case>& cases, Element element, const std::string& options) {
  for (const auto& loop : loops)
    cases.push_back({.name = "loops",
                     .element = element,
                     .statements = loop.statements,
                     .outputs = {loop.name},
                     .options = options,
                     .is_moderate = true});
}

} // namespace

std::string source_of(const Case& made) {
  const std::string type = element_names[static_cast<std::size_t>(made.element)];
  return "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
         "typedef " +
         type +
         " T;\n"
         "T bounded(T x) {\nreturn fabs(x) < (T)30000 ? x : (T)0.7f;\n}\n" +
         made.attribute +
         "kernel void k(global const T* a, global const T* b, global const int* ns, global T* o) {\n"
         "const size_t i = get_global_linear_id(), l = get_local_linear_id();\n"
         "const T x = a[i], y = b[i], z = (T)(ns[i] % 2) * x * 0;\nT s, t;\nint m, n = ns[i];\n" +
         made.statements + "}\n";
}

std::vector<Case> all_cases(unsigned random) {
  std::vector<Case> cases;
  for (const Element element : {Element::half, Element::single, Element::precise}) {
    add_functions(cases, element, functions_of_all, "");
    add_loops(cases, element, "");
    add_collectives(cases, element, group_functions, "");
    for (const char* size : {"8", "16", "32"})
      add_collectives(cases, element, sub_group_functions,
                      "__attribute__((intel_reqd_sub_group_size(" + std::string(size) + ")))\n");
  }
  add_functions(cases, Element::single, functions_of_single, "");
  for (const char* options : {"-cl-fast-relaxed-math", "-cl-mad-enable", "-cl-denorms-are-zero"}) {
    add_functions(cases, Element::single, functions_of_all, options);
    add_loops(cases, Element::single, options);
  }
  add_random(cases, random);
  return cases;
}

} // namespace same_bits
