// Rules of HOSTCL_FAIL, and the errors that functions may return.

#include "runtime/faults/errors.hpp"
#include "runtime/faults/rules.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hostcl::runtime::faults;

constexpr std::string_view functions[] = {"clBuildProgram",         "clCreateBuffer",      "clCreateKernel",
                                          "clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clFinish",
                                          "clReleaseKernel",        "clRetainKernel"};

struct Parsed {
  std::vector<Rule> rules;
  std::vector<std::string> complaints;
};

Parsed parse(std::string_view value) {
  Parsed parsed;
  parsed.rules = parse_rules(value, functions,
                             [&](const std::string& complaint) { parsed.complaints.push_back(complaint); });
  return parsed;
}

/// The rule of a value of HOSTCL_FAIL with one rule.
Rule rule_of(std::string_view value) {
  Parsed parsed = parse(value);
  CHECK(parsed.complaints.empty());
  REQUIRE(parsed.rules.size() == 1);
  return parsed.rules[0];
}

std::vector<std::string_view> functions_of(std::string_view value) {
  std::vector<std::string_view> names;
  const Rule rule = rule_of(value);
  std::ranges::copy_if(functions, std::back_inserter(names),
                       [&](std::string_view name) { return rule.is_for(name); });
  return names;
}

/// The numbers of the calls that fail, among the first calls.
std::vector<int> failing(std::string_view value, int calls = 6) {
  std::vector<int> numbers;
  const Rule rule = rule_of(value);
  for (int i = 1; i <= calls; ++i)
    if (rule.fails(static_cast<std::uint64_t>(i))) numbers.push_back(i);
  return numbers;
}

using Names = std::vector<std::string_view>;
using Numbers = std::vector<int>;

} // namespace

TEST_CASE("a rule is for a function, a pattern or a family", "[fault_rules]") {
  CHECK(functions_of("clFinish") == Names{"clFinish"});
  CHECK(functions_of("clCreate*") == Names{"clCreateBuffer", "clCreateKernel"});
  CHECK(functions_of("*Kernel").size() == 4);
  CHECK(functions_of("cl*e*Kernel").size() == 4);
  CHECK(functions_of("launch") == Names{"clEnqueueNDRangeKernel"});
  CHECK(functions_of("enqueue") == Names{"clEnqueueNDRangeKernel", "clEnqueueReadBuffer"});
  CHECK(functions_of("any").size() == 6);
  CHECK(functions_of("cl*").size() == 8);
  CHECK(functions_of("any:lost") == Names{"clEnqueueNDRangeKernel", "clEnqueueReadBuffer"});
}

TEST_CASE("a rule selects calls by number, range or probability", "[fault_rules]") {
  CHECK(failing("clFinish") == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(failing("clFinish:*") == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(failing("clFinish:3") == Numbers{3});
  CHECK(failing("clFinish:3-5") == Numbers{3, 4, 5});
  CHECK(failing("clFinish:5-") == Numbers{5, 6});
  CHECK(failing("clFinish:0%").empty());
  CHECK(failing("clFinish:100%") == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a probability is kept, and the seed decides which calls fail", "[fault_rules]") {
  for (const char* seed : {"", ":seed1", ":seed18446744073709551615"}) {
    const std::size_t count = failing("read:2.5%" + std::string(seed), 100000).size();
    CHECK(count > 2300);
    CHECK(count < 2700);
  }
  CHECK(failing("read:50%:seed7", 1000) == failing("read:seed7:50%", 1000));
  CHECK(failing("read:50%:seed7", 1000) != failing("read:50%:seed8", 1000));
}

TEST_CASE("a rule names an error, or lost", "[fault_rules]") {
  CHECK(rule_of("clFinish:1:CL_OUT_OF_HOST_MEMORY").error == CL_OUT_OF_HOST_MEMORY);
  CHECK(rule_of("clFinish:CL_OUT_OF_RESOURCES").error == CL_OUT_OF_RESOURCES);
  CHECK(rule_of("launch:17:lost").is_lost);
  CHECK(parse("launch:1,read:2:lost,any:1%").rules.size() == 3);
}

TEST_CASE("a rule that cannot be used is reported with its position; the others hold", "[fault_rules]") {
  const Parsed parsed = parse("launch:1,clFoo:2,read:3");
  CHECK(parsed.rules.size() == 2);
  REQUIRE(parsed.complaints.size() == 1);
  CHECK(parsed.complaints[0].starts_with(
      "HOSTCL_FAIL, position 10, rule 'clFoo:2': 'clFoo' names no function"));
  for (const char* wrong : {"",
                            "launch:",
                            "launch:0",
                            "launch:5-3",
                            "launch:x",
                            "launch:-3",
                            "launch:1-2-3",
                            "launch:101%",
                            "launch:-1%",
                            "launch:%",
                            "launch:seed",
                            "launch:seedx",
                            "launch:CL_FOO",
                            "launch:CL_SUCCESS",
                            "launch:1:lost:CL_OUT_OF_RESOURCES",
                            "launch:1:2",
                            "launch:1:10%",
                            "read:CL_OUT_OF_RESOURCES:CL_OUT_OF_HOST_MEMORY",
                            "clFinish:lost",
                            "Launch",
                            "launch:99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK(parse(wrong).rules.empty());
    CHECK(parse(wrong).complaints.size() == 1);
  }
  std::string many = "read";
  for (int i = 0; i < 40; ++i)
    many += ",read:" + std::to_string(i + 1);
  CHECK(parse(many).rules.size() == 32);
  CHECK(parse(many).complaints.size() == 9);
}

TEST_CASE("an error that a function may not return is reported, and returned", "[fault_rules]") {
  const Parsed parsed = parse("clFinish:1:CL_MAP_FAILURE");
  CHECK(parsed.rules.size() == 1);
  REQUIRE(parsed.complaints.size() == 1);
  CHECK(parsed.complaints[0].find(
            "does not allow clFinish to return CL_MAP_FAILURE; it may return CL_OUT_OF_RESOURCES, "
            "CL_OUT_OF_HOST_MEMORY, CL_INVALID_COMMAND_QUEUE") != std::string::npos);
  CHECK(parse("clCreate*:CL_MEM_OBJECT_ALLOCATION_FAILURE").complaints.size() == 1); // of clCreateKernel
}

TEST_CASE("each function has a usual error that it may return", "[fault_rules]") {
  CHECK(usual_error("clBuildProgram") == CL_BUILD_PROGRAM_FAILURE);
  CHECK(usual_error("clLinkProgram") == CL_LINK_PROGRAM_FAILURE);
  CHECK(usual_error("clCreateImage") == CL_MEM_OBJECT_ALLOCATION_FAILURE);
  CHECK(usual_error("clEnqueueMapImage") == CL_MAP_FAILURE);
  CHECK(usual_error("clEnqueueCopyBuffer") == CL_OUT_OF_RESOURCES);
  CHECK(usual_error("clGetPlatformIDs") == CL_OUT_OF_HOST_MEMORY);
  CHECK(usual_error("clUnloadPlatformCompiler") == CL_INVALID_PLATFORM);
  CHECK(usual_error("clHostMemAllocINTEL") == CL_OUT_OF_RESOURCES); // not listed by the specification
  for (const std::string_view name : functions)
    CHECK(may_return(name, usual_error(name)));
  CHECK(may_return("clHostMemAllocINTEL", CL_MAP_FAILURE));
  CHECK_FALSE(may_return("clGetPlatformIDs", CL_OUT_OF_RESOURCES));
}
