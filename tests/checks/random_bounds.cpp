// Random indices, computed from ids, sizes, arguments and counters of loops, in kernels and on the host: the same
// accesses are outside of their buffer. What is proved of a whole group must hold for each of its work-items.

#include "support/findings.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <functional>
#include <random>

namespace {

/// What a work-item knows.
struct Item {
  std::uint64_t global, local, group, size, groups;
  std::int32_t n, m, k;
};

/// An expression of type int, uint or long, as text and as a function.
struct Expression {
  std::string text;
  std::function<std::int64_t(const Item&)> value;
};

enum class Type { signed_32, unsigned_32, signed_64 };

/// The value of type `type` that an operation leaves whose exact result is `exact`.
std::int64_t wrapped(Type type, std::int64_t exact) {
  if (type == Type::signed_64) return exact;
  if (type == Type::unsigned_32) return static_cast<std::uint32_t>(exact);
  return static_cast<std::int32_t>(exact);
}

// clang's analyser takes what a std::function owns for lost.
// NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
class Generator {
public:
  Generator(unsigned seed, Type type) : random_(seed), type_(type) {}

  int number(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }

  Expression expression(int depth) {
    if (depth == 0 || number(0, 5) == 0) return leaf();
    const Expression a = expression(depth - 1);
    switch (number(0, 9)) {
    case 0:
    case 1:
    case 2:
      return both(a, "+", expression(depth - 1), [](auto x, auto y) { return x + y; });
    case 3:
      return both(a, "-", expression(depth - 1), [](auto x, auto y) { return x - y; });
    case 4:
    case 5: {
      const int factor = number(0, 9) == 0 && type_ == Type::unsigned_32 ? 0x20000000 : number(-2, 6);
      return both(a, "*", constant(factor), [](auto x, auto y) { // which may wrap
        return static_cast<decltype(x * y)>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
      });
    }
    case 6:
      return both(a, "&", constant(number(0, 1) ? 15 : number(0, 100)), [](auto x, auto y) { return x & y; });
    case 7:
      return both(a, "/", constant(number(1, 5)), [](auto x, auto y) { return x / y; });
    case 8:
      return call("min", a, expression(depth - 1), [](auto x, auto y) { return std::min(x, y); });
    default:
      return call("max", a, expression(depth - 1), [](auto x, auto y) { return std::max(x, y); });
    }
  }

  /// Whether one number is less than another, or not, as 1 or 0.
  Expression comparison(const Expression& a, const Expression& b) {
    if (number(0, 1)) return both(a, "<", b, [](auto x, auto y) { return x < y; });
    return both(a, ">=", b, [](auto x, auto y) { return x >= y; });
  }
  Expression sum_or_difference(const Expression& a, const Expression& b) {
    if (number(0, 1)) return both(a, "+", b, [](auto x, auto y) { return x + y; });
    return both(a, "-", b, [](auto x, auto y) { return x - y; });
  }

private:
  using Operation = std::function<std::int64_t(std::int64_t, std::int64_t)>;

  std::string type_name() const {
    return type_ == Type::signed_32 ? "int" : type_ == Type::unsigned_32 ? "uint" : "long";
  }
  Expression cast(const std::string& text, std::function<std::int64_t(const Item&)> value) const {
    return {"(" + type_name() + ")" + text,
            [type = type_, value](const Item& item) { return wrapped(type, value(item)); }};
  }
  Expression constant(int value) const {
    return cast("(" + std::to_string(value) + ")", [value](const Item&) { return value; });
  }
  Expression leaf() {
    switch (number(0, 8)) {
    case 0:
      return cast("get_local_id(0)", [](const Item& item) { return item.local; });
    case 1:
      return cast("get_group_id(0)", [](const Item& item) { return item.group; });
    case 2:
      return cast("get_local_size(0)", [](const Item& item) { return item.size; });
    case 3:
      return cast("n", [](const Item& item) { return item.n; });
    case 4:
      return cast("m", [](const Item& item) { return item.m; });
    case 5:
      return cast("k", [](const Item& item) { return item.k; });
    case 6:
      return constant(number(-3, 20));
    default:
      return cast("get_global_id(0)", [](const Item& item) { return item.global; });
    }
  }
  Expression both(const Expression& a, const std::string& sign, const Expression& b,
                  const Operation& operation) const {
    return {"(" + a.text + " " + sign + " " + b.text + ")", combined(a, b, operation)};
  }
  Expression call(const std::string& name, const Expression& a, const Expression& b,
                  const Operation& operation) const {
    return {name + "(" + a.text + ", " + b.text + ")", combined(a, b, operation)};
  }
  std::function<std::int64_t(const Item&)> combined(const Expression& a, const Expression& b,
                                                    const Operation& operation) const {
    return [type = type_, x = a.value, y = b.value, operation](const Item& item) {
      return wrapped(type, operation(x(item), y(item)));
    };
  }

  std::mt19937 random_;
  Type type_;
};

// NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)

constexpr int elements = 200;

/// A kernel with one access in a loop, which may be guarded.
struct Kernel {
  std::string source;
  Expression index, guard;
  int step = 1;

  Kernel(unsigned seed, const std::string& name) {
    const Type type = static_cast<Type>(seed % 3);
    Generator generator(seed, type);
    index = generator.expression(3);
    const bool guarded = generator.number(0, 1);
    if (guarded) {
      const Expression left = generator.expression(1), right = generator.expression(1);
      guard = generator.comparison(left, right);
      if (generator.number(0, 2) == 0) index = generator.sum_or_difference(left, right);
    }
    step = generator.number(1, 3);
    source = "kernel void " + name +
             "(global int* a, int n, int m) {\n  for (int k = 0; k < n; k += " + std::to_string(step) + ")\n";
    if (guarded) source += "    if (" + guard.text + ")\n";
    source += "      a[" + index.text + "] = 1;\n}\n";
  }

  /// Whether a work-item makes a wrong access.
  bool is_wrong(Item item) const {
    for (item.k = 0; item.k < item.n; item.k += step) {
      if (guard.value && !guard.value(item)) continue;
      if (const std::int64_t at = index.value(item); at < 0 || at >= elements) return true;
    }
    return false;
  }
};

} // namespace

TEST_CASE("Random indices are outside of a buffer on the device where they are on the host",
          "[random_bounds]") {
  const test::Session session;
  const auto memory = session.buffer(elements * sizeof(cl_int));
  std::mt19937 random(20);
  constexpr unsigned programs = 16, kernels_of_program = 12;
  for (unsigned p = 0; p < programs; ++p) {
    std::vector<Kernel> kernels;
    std::string source;
    for (unsigned i = 0; i < kernels_of_program; ++i) {
      const unsigned seed = p * kernels_of_program + i;
      kernels.emplace_back(seed, "k" + std::to_string(seed));
      source += kernels.back().source;
    }
    const auto program = session.build(source.c_str(), "-cl-std=CL3.0");
    for (unsigned i = 0; i < kernels_of_program; ++i) {
      const auto kernel = session.kernel(program, ("k" + std::to_string(p * kernels_of_program + i)).c_str());
      const std::size_t local = std::size_t{1} << (random() % 6), global = local * (1 + random() % 4);
      const auto n = static_cast<cl_int>(random() % 12), m = static_cast<cl_int>(random() % 8);
      INFO(kernels[i].source << "global " << global << " local " << local << " n " << n << " m " << m);
      const test::Findings findings;
      test::set_arguments(kernel, memory, n, m);
      session.run(kernel, global, local);
      std::vector<std::uint64_t> wrong;
      for (std::uint64_t id = 0; id < global; ++id)
        if (kernels[i].is_wrong({id, id % local, id / local, local, global / local, n, m, 0}))
          wrong.push_back(id);
      const auto found = findings.all();
      REQUIRE(found.size() == (wrong.empty() ? 0 : 1));
      if (!wrong.empty()) CHECK(std::ranges::count(wrong, found[0].global_id[0]) == 1);
    }
  }
}
