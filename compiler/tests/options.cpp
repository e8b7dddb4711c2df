// The build options' parser: what each option does, and the sentences about those that are wrong.

#include "compiler/front/clang/options.hpp"
#include "support/catch.hpp"

using namespace hostcl::compiler;

namespace {

using Words = std::vector<std::string>;

struct Parsed {
  const char* text;
  Words frontend;
};

const Parsed parsed[] = {
    {"", {}},
    {" \t\n ", {}},
    {"-w  -Werror", {"-w", "-Werror"}},
    {"-DA=1 -D B", {"-D", "A=1", "-D", "B"}},
    {"-D A=\"two words\"", {"-D", "A=two words"}},
    {"-DA='\"'", {"-D", "A=\""}},
    {R"(-DA=\")", {"-D", "A=\""}},
    {R"(-I a\ b)", {"-I", "a b"}},
    {R"(-DA=\)", {"-D", "A=\\"}},
    {"-D ''", {"-D", ""}},
    {"-D -w", {"-D", "-w"}}, // the next word is the argument, whatever it looks like
    {"-UA -I/usr", {"-U", "A", "-I", "/usr"}},
    {"-Wno-unused", {"-Wno-unused"}},
    {"-cl-std=CL1.0", {"-cl-std=CL1.1"}},
    {"-cl-std=CLC++", {"-cl-std=CLC++1.0", "-fblocks"}},
    {"-cl-std=CL3.0", {"-cl-std=CL3.0"}},
    {"-cl-std=CL3.1", {"-cl-std=CL3.0", "-U", "__OPENCL_C_VERSION__", "-D", "__OPENCL_C_VERSION__=310"}},
    {"-cl-std=CL3.1 -cl-std=CL2.0", {"-cl-std=CL3.0", "-cl-std=CL2.0"}},
    {"-O3 -cl-opt-disable -cl-strict-aliasing", {}},
    {"-cl-mad-enable", {"-cl-mad-enable", "-ffp-contract=fast"}},
    {"-cl-finite-math-only", {"-cl-finite-math-only", "-menable-no-nans", "-menable-no-infs"}},
};

struct Refused {
  const char* text;
  const char* named; ///< what the sentence names
};

const Refused refused[] = {
    {"-x", "'-x'"},
    {"w", "'w'"},
    {"-W", "'-W'"},
    {"-cl-std=CL1.3", "CL1.3"},
    {"-cl-std=", "-cl-std="},
    {"-D", "-D needs an argument"},
    {"-w -I", "-I needs an argument"},
    {"-DA=\"open", "closing \""},
    {"-DA='open", "closing '"},
    {"-cl-mad-enabled", "'-cl-mad-enabled'"},
    {"-create-library=1", "'-create-library=1'"},
};

Options parsed_options(const char* text) {
  auto options = parse_options(text, {});
  if (!options) FAIL(llvm::toString(options.takeError()));
  return std::move(*options);
}

} // namespace

TEST_CASE("Build options: words are split, quoted and passed on", "[options]") {
  for (const Parsed& each : parsed) {
    CAPTURE(each.text);
    CHECK(parsed_options(each.text).frontend == each.frontend);
  }
}

TEST_CASE("Build options: a wrong one is named", "[options]") {
  for (const Refused& each : refused) {
    const std::string error = llvm::toString(parse_options(each.text, {}).takeError());
    CAPTURE(each.text, error);
    CHECK(error.find(each.named) != std::string::npos);
  }
}

TEST_CASE("Build options: each flag sets its own fact", "[options]") {
  const auto properties = [](const char* text) {
    const Options o = parsed_options(text);
    return std::vector<bool>{o.create_library, o.relaxed_math, o.finite_math,   o.flush_denormals,
                             o.argument_info,  o.debug_info,   o.uniform_groups};
  };
  CHECK(properties("-w") == std::vector<bool>{0, 0, 0, 0, 0, 0, 0});
  CHECK(properties("-create-library") == std::vector<bool>{1, 0, 0, 0, 0, 0, 0});
  CHECK(properties("-cl-unsafe-math-optimizations") == std::vector<bool>{0, 1, 0, 0, 0, 0, 0});
  CHECK(properties("-cl-finite-math-only") == std::vector<bool>{0, 0, 1, 0, 0, 0, 0});
  CHECK(properties("-cl-fast-relaxed-math") == std::vector<bool>{0, 1, 1, 0, 0, 0, 0});
  CHECK(properties("-cl-denorms-are-zero") == std::vector<bool>{0, 0, 0, 1, 0, 0, 0});
  CHECK(properties("-cl-kernel-arg-info") == std::vector<bool>{0, 0, 0, 0, 1, 0, 0});
  CHECK(properties("-g") == std::vector<bool>{0, 0, 0, 0, 0, 1, 0});
  CHECK(properties("-cl-uniform-work-group-size") == std::vector<bool>{0, 0, 0, 0, 0, 0, 1});
}

TEST_CASE("Build options: OpenCL C is 1.x unless a later version is asked for", "[options]") {
  CHECK(parsed_options("").opencl_c_1);
  CHECK(parsed_options("-cl-std=CL1.0").opencl_c_1);
  CHECK(parsed_options("-cl-std=CL1.2").opencl_c_1);
  CHECK_FALSE(parsed_options("-cl-std=CL2.0").opencl_c_1);
  CHECK_FALSE(parsed_options("-cl-std=CLC++2021").opencl_c_1);
}
