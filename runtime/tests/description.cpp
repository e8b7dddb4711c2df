// Device descriptions: the three formats, the warnings, and the device that a description and the host make together.

#include "runtime/description/answer_encoding.hpp"
#include "runtime/description/described_device.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

using namespace hostcl::runtime;

namespace {

/// The value; one without content if there is none, so that the check fails that uses it.
template <class T>
T known(const std::optional<T>& value) {
  return value.value_or(T{});
}

DeviceDescription parsed(const std::string& text) {
  auto result = parse_device_description(text);
  INFO(result.error().sentence());
  REQUIRE(result.ok());
  return std::move(result).value();
}

std::string all(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings)
    text += warning + "\n";
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::vector<std::string> names_of(const AnswerBytes& answer) {
  std::vector<std::string> names;
  for (const cl_name_version& entry : list_in<cl_name_version>(answer))
    names.emplace_back(entry.name);
  return names;
}

AnswerBytes name_versions(std::initializer_list<std::pair<const char*, cl_version>> entries) {
  std::vector<cl_name_version> list;
  for (const auto& [name, version] : entries) {
    list.emplace_back();
    list.back().version = version;
    std::string_view(name).copy(list.back().name, sizeof(list.back().name) - 1);
  }
  return answer_of_list(list);
}

constexpr cl_bitfield global_float_atomics =
    CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT;
constexpr cl_bitfield all_float_atomics = global_float_atomics | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT;

/// A host of OpenCL 3.0 with a few answers.
std::optional<AnswerBytes> host(cl_device_info query) {
  constexpr cl_version one = CL_MAKE_VERSION(1, 0, 0), three = CL_MAKE_VERSION(3, 0, 0);
  static const std::map<cl_device_info, AnswerBytes> answers = {
      {CL_DEVICE_VERSION, answer_of_text("OpenCL 3.0 host")},
      {CL_DEVICE_NUMERIC_VERSION, answer_of(three)},
      {CL_DEVICE_OPENCL_C_VERSION, answer_of_text("OpenCL C 3.0 host")},
      {CL_DEVICE_OPENCL_C_ALL_VERSIONS,
       name_versions({{"OpenCL C", one}, {"OpenCL C", CL_MAKE_VERSION(1, 2, 0)}, {"OpenCL C", three}})},
      {CL_DEVICE_OPENCL_C_FEATURES, name_versions({{"__opencl_c_fp64", three},
                                                   {"__opencl_c_pipes", three},
                                                   {"__opencl_c_ext_fp32_global_atomic_add", one},
                                                   {"__opencl_c_ext_fp32_local_atomic_add", one},
                                                   {"__opencl_c_ext_fp64_global_atomic_add", one},
                                                   {"__opencl_c_ext_fp64_local_atomic_add", one}})},
      {CL_DEVICE_EXTENSIONS_WITH_VERSION,
       name_versions({{"cl_khr_fp64", one}, {"cl_khr_fp16", one}, {"cl_ext_float_atomics", one}})},
      {CL_DEVICE_ILS_WITH_VERSION, name_versions({{"SPIR-V", CL_MAKE_VERSION(1, 2, 0)}})},
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, answer_of(std::size_t{4096})},
      {CL_DEVICE_MAX_WORK_ITEM_SIZES, answer_of_list(std::vector<std::size_t>(3, 4096))},
      {CL_DEVICE_MEM_BASE_ADDR_ALIGN, answer_of(cl_uint{1024})},
      {CL_DEVICE_ADDRESS_BITS, answer_of(cl_uint{64})},
      {CL_DEVICE_PARTITION_PROPERTIES,
       answer_of_list(std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_EQUALLY})},
      {CL_DEVICE_GLOBAL_MEM_SIZE, answer_of(std::uint64_t{1} << 20)},
      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, answer_of(std::uint64_t{1} << 19)},
      {CL_DEVICE_DOUBLE_FP_CONFIG, answer_of(cl_device_fp_config{63})},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, answer_of(cl_uint{1})},
      {CL_DEVICE_SVM_CAPABILITIES, answer_of(cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER})},
      {CL_DEVICE_PIPE_SUPPORT, answer_of(cl_bool{CL_TRUE})},
      {CL_DEVICE_MAX_PIPE_ARGS, answer_of(cl_uint{16})},
      {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, answer_of(all_float_atomics)},
      {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, answer_of(all_float_atomics)},
  };
  const auto found = answers.find(query);
  return found == answers.end() ? std::nullopt : std::optional(found->second);
}

DescribedDevice described(const std::string& device, std::vector<std::string>& warnings) {
  return described_device(parsed("{\"name\": \"d\", \"device\": {" + device + "}}"), host, warnings);
}
DescribedDevice described(const std::string& device) {
  std::vector<std::string> warnings;
  return described(device, warnings);
}

constexpr const char* report = R"({"device": {
  "info": [
    {"name": "CL_DEVICE_NAME", "enumvalue": 4139, "extension": "", "value": "A GPU"},
    {"name": "CL_DEVICE_MAX_WORK_GROUP_SIZE", "value": 256},
    {"name": "CL_DEVICE_MAX_WORK_ITEM_SIZES", "value": [256, 128, 64]},
    {"name": "CL_DEVICE_OPENCL_C_FEATURES", "value": 1,
     "details": [{"name": "__opencl_c_fp64", "detail": null, "value": 12582912}]},
    {"name": "CL_DEVICE_SVM_CAPABILITIES", "value": 1},
    {"name": "CL_DEVICE_PARTITION_PROPERTIES", "value": 1, "details": [{"name": "", "value": 4230}]},
    {"name": "CL_DEVICE_UUID_KHR", "value": "00"}, {"name": "CL_DEVICE_BOARD_NAME_AMD", "value": "board"}],
  "extensions": [{"name": "cl_khr_fp64", "version": 4194304}],
  "imageformats": [{"type": 4337, "channelorder": 4277, "channeltype": 4306, "flags": 4}],
  "opencl": {"versionmajor": 3, "versionminor": 0}}})";

constexpr const char* clinfo = R"({"platforms": [{}], "devices": [{"online": [{
  "CL_DEVICE_NAME": "A GPU",
  "CL_DEVICE_MAX_WORK_GROUP_SIZE": 256,
  "CL_DEVICE_MAX_WORK_ITEM_SIZES": [256, 128, 64],
  "CL_DEVICE_NUMERIC_VERSION": {" raw ": 12582912, "version": "3.0.0"},
  "CL_DEVICE_OPENCL_C_FEATURES": {"__opencl_c_fp64": {"raw": 12582912, "version": "3.0.0"}},
  "CL_DEVICE_SVM_CAPABILITIES": {"raw": 1, "capabilities": ["CL_DEVICE_SVM_COARSE_GRAIN_BUFFER"]},
  "CL_DEVICE_LOCAL_MEM_TYPE": "CL_LOCAL",
  "CL_DEVICE_PARTITION_PROPERTIES": ["CL_DEVICE_PARTITION_EQUALLY"],
  "CL_DEVICE_EXTENSIONS": "cl_khr_fp64 cl_khr_icd",
  "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE": 8,
  "CL_DEVICE_BOARD_NAME_AMD": "board"}]}]})";

} // namespace

TEST_CASE("Descriptions: the driver's own format", "[description]") {
  const DeviceDescription description = parsed(R"({"$schema": "s", "name": "small", "source": "a test",
    "unlisted": "absent", "device": {
      "CL_DEVICE_IMAGE_SUPPORT": true, "CL_DEVICE_VENDOR_ID": "0x10de", "CL_DEVICE_GLOBAL_MEM_SIZE": 8589934592,
      "CL_DEVICE_SVM_CAPABILITIES": ["CL_DEVICE_SVM_COARSE_GRAIN_BUFFER", "CL_DEVICE_SVM_ATOMICS"],
      "CL_DEVICE_EXTENSIONS": ["cl_khr_fp16", "cl_khr_fp64"], "CL_DEVICE_IL_VERSION": "SPIR-V_1.0 SPIR-V_1.2",
      "CL_DEVICE_OPENCL_C_ALL_VERSIONS": ["OpenCL C 1.2", "OpenCL C 3.0.0"]},
    "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE2D", "flags": ["CL_MEM_READ_ONLY", "CL_MEM_WRITE_ONLY"],
                       "formats": ["CL_RGBA CL_UNORM_INT8"]}],
    "quirks": {"seed": 7}})");
  CHECK(all(description.warnings).empty());
  CHECK(description.name == "small");
  CHECK_FALSE(description.host_answers_unlisted);
  const auto& answers = description.answers;
  CHECK(number_in(answers.at(CL_DEVICE_IMAGE_SUPPORT)) == 1);
  CHECK(number_in(answers.at(CL_DEVICE_VENDOR_ID)) == 0x10de);
  CHECK(number_in(answers.at(CL_DEVICE_GLOBAL_MEM_SIZE)) == 8589934592);
  CHECK(number_in(answers.at(CL_DEVICE_SVM_CAPABILITIES)) ==
        (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS));
  CHECK(names_of(answers.at(CL_DEVICE_EXTENSIONS_WITH_VERSION)) ==
        std::vector<std::string>{"cl_khr_fp16", "cl_khr_fp64"});
  CHECK(list_in<cl_name_version>(answers.at(CL_DEVICE_ILS_WITH_VERSION)).at(1).version ==
        CL_MAKE_VERSION(1, 2, 0));
  CHECK(list_in<cl_name_version>(answers.at(CL_DEVICE_OPENCL_C_ALL_VERSIONS)).at(0).version ==
        CL_MAKE_VERSION(1, 2, 0));
  CHECK(known(description.image_formats).at(0).formats.at(0).image_channel_order == CL_RGBA);
  CHECK(description.quirks.seed == 7);
}

TEST_CASE("Descriptions: a report of OpenCLCapsViewer and clinfo --json say the same", "[description]") {
  for (const char* text : {report, clinfo}) {
    const DeviceDescription description = parsed(text);
    INFO(text);
    CHECK(all(description.warnings) ==
          "these queries are not known and are ignored: CL_DEVICE_BOARD_NAME_AMD\n");
    CHECK(description.name == "A GPU");
    const auto& answers = description.answers;
    CHECK(number_in(answers.at(CL_DEVICE_MAX_WORK_GROUP_SIZE)) == 256);
    CHECK(list_in<std::size_t>(answers.at(CL_DEVICE_MAX_WORK_ITEM_SIZES)) ==
          std::vector<std::size_t>{256, 128, 64});
    CHECK(names_of(answers.at(CL_DEVICE_OPENCL_C_FEATURES)) == std::vector<std::string>{"__opencl_c_fp64"});
    CHECK(number_in(answers.at(CL_DEVICE_SVM_CAPABILITIES)) == CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    CHECK(list_in<cl_device_partition_property>(answers.at(CL_DEVICE_PARTITION_PROPERTIES)).at(0) ==
          CL_DEVICE_PARTITION_EQUALLY);
    CHECK(names_of(answers.at(CL_DEVICE_EXTENSIONS_WITH_VERSION)).at(0) == "cl_khr_fp64");
    CHECK_FALSE(answers.contains(CL_DEVICE_UUID_KHR));
  }
  CHECK(known(parsed(report).image_formats).at(0).flags == CL_MEM_READ_ONLY);
  CHECK(number_in(parsed(clinfo).answers.at(CL_DEVICE_NUMERIC_VERSION)) == CL_MAKE_VERSION(3, 0, 0));
  CHECK(number_in(parsed(clinfo).answers.at(CL_DEVICE_LOCAL_MEM_TYPE)) == CL_LOCAL);
}

TEST_CASE("Descriptions: a text in none of the formats is refused", "[description]") {
  for (const char* text : {"", "{", "[]", "{}", "{\"devices\": []}", "{\"device\": 3}"}) {
    INFO(text);
    CHECK_FALSE(parse_device_description(text).ok());
  }
}

TEST_CASE("Descriptions: unknown names and wrong values are reported, and the rest is used",
          "[description]") {
  struct Case {
    const char* text;
    const char* warning;
  };
  const Case cases[] = {
      {R"("device": {"CL_DEVICE_COLOUR": 1, "CL_DEVICE_SHAPE": 2})", "not known and are ignored: CL_DEVICE_"},
      {R"("device": {}, "colour": 1)", "the key colour is unknown"},
      {R"("device": {}, "unlisted": "maybe")", "unlisted is ignored: it must be"},
      {R"("device": {}, "quirks": {"colour": 1})", "colour"},
      {R"("device": {}, "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE4D", "formats": []}])",
       "CL_MEM_OBJECT_IMAGE4D is not known"},
      {R"("device": {}, "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE2D", "formats": ["CL_RGBA"]}])",
       "as \"CL_RGBA CL_UNORM_INT8\""},
      {R"("device": {"CL_DEVICE_MAX_WORK_GROUP_SIZE": -1})",
       "CL_DEVICE_MAX_WORK_GROUP_SIZE is ignored: the value is -1"},
      {R"("device": {"CL_DEVICE_VENDOR_ID": 4294967296})", "at most 4294967295"},
      {R"("device": {"CL_DEVICE_IMAGE_SUPPORT": 2})", "true or false"},
      {R"("device": {"CL_DEVICE_NAME": 2})", "it must be a text"},
      {R"("device": {"CL_DEVICE_SVM_CAPABILITIES": ["CL_NONE"]})", "known names are CL_DEVICE_SVM_COARSE_"},
      {R"("device": {"CL_DEVICE_NUMERIC_VERSION": "three"})", "a version, as"},
      {R"("device": {"CL_DEVICE_EXTENSIONS_WITH_VERSION": [1]})", "a name, with or without a version"},
  };
  for (const Case& one : cases) {
    const DeviceDescription description = parsed(std::string("{\"name\": \"d\", ") + one.text + "}");
    INFO(one.text << " says " << all(description.warnings));
    CHECK(description.warnings.size() == 1);
    CHECK(contains(all(description.warnings), one.warning));
    CHECK(description.name == "d");
  }
}

TEST_CASE("Described devices: what is above the host is a warning, and the host's value holds",
          "[description]") {
  struct Case {
    const char* text;
    cl_device_info query;
    AnswerBytes holds;
    const char* warning;
  };
  const Case cases[] = {
      {R"("CL_DEVICE_MAX_WORK_GROUP_SIZE": 5000)", CL_DEVICE_MAX_WORK_GROUP_SIZE,
       answer_of(std::size_t{4096}), "CL_DEVICE_MAX_WORK_GROUP_SIZE is 5000, above the host's 4096"},
      {R"("CL_DEVICE_MAX_WORK_ITEM_SIZES": [64, 5000, 1])", CL_DEVICE_MAX_WORK_ITEM_SIZES,
       answer_of_list(std::vector<std::size_t>{64, 4096, 1}), "is 5000, above the host's 4096"},
      {R"("CL_DEVICE_MAX_WORK_GROUP_SIZE": 0)", CL_DEVICE_MAX_WORK_GROUP_SIZE, answer_of(std::size_t{4096}),
       "CL_DEVICE_MAX_WORK_GROUP_SIZE is 0, not at least 1 like the host's 4096"},
      {R"("CL_DEVICE_MAX_WORK_ITEM_SIZES": [64, 0, 1])", CL_DEVICE_MAX_WORK_ITEM_SIZES,
       answer_of_list(std::vector<std::size_t>{64, 4096, 1}), "is 0, not at least 1 like"},
      {R"("CL_DEVICE_GLOBAL_MEM_SIZE": 1000, "CL_DEVICE_MAX_MEM_ALLOC_SIZE": 2000)",
       CL_DEVICE_MAX_MEM_ALLOC_SIZE, answer_of(std::uint64_t{1000}), "above CL_DEVICE_GLOBAL_MEM_SIZE, 1000"},
      {R"("CL_DEVICE_MEM_BASE_ADDR_ALIGN": 512)", CL_DEVICE_MEM_BASE_ADDR_ALIGN, answer_of(cl_uint{1024}),
       "is 512, below the host's 1024"},
      {R"("CL_DEVICE_SVM_CAPABILITIES": 3)", CL_DEVICE_SVM_CAPABILITIES, answer_of(cl_bitfield{1}),
       "is used without the bits that the host lacks: CL_DEVICE_SVM_FINE_GRAIN_BUFFER"},
      {R"("CL_DEVICE_ADDRESS_BITS": 0)", CL_DEVICE_ADDRESS_BITS, answer_of(cl_uint{64}),
       "CL_DEVICE_ADDRESS_BITS is 0, not 32 or 64 like the host's 64, which holds"},
      {R"("CL_DEVICE_PARTITION_PROPERTIES": ["CL_DEVICE_PARTITION_BY_COUNTS", "CL_DEVICE_PARTITION_EQUALLY"])",
       CL_DEVICE_PARTITION_PROPERTIES,
       answer_of_list(std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_EQUALLY}),
       "is used without the types that the host lacks: CL_DEVICE_PARTITION_BY_COUNTS"},
      {R"("CL_DEVICE_EXTENSIONS": "cl_khr_fp16 cl_nv_magic cl_khr_icd")", CL_DEVICE_EXTENSIONS,
       answer_of_text("cl_khr_fp16 cl_khr_icd"),
       "CL_DEVICE_EXTENSIONS is used without the entries that the host lacks: cl_nv_magic"},
      {R"("CL_DEVICE_VERSION": "OpenCL 4.0 new")", CL_DEVICE_VERSION, answer_of_text("OpenCL 3.0 host"),
       "above the host's OpenCL 3.0"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> warnings;
    const DescribedDevice device = described(one.text, warnings);
    INFO(one.text << " says " << all(warnings));
    CHECK(device.answers.at(one.query) == one.holds);
    CHECK(warnings.size() == 1);
    CHECK(contains(all(warnings), one.warning));
  }
}

TEST_CASE("Described devices: what a device lacks is 0 in all queries and missing in the language",
          "[description]") {
  const DescribedDevice device =
      described(R"("CL_DEVICE_EXTENSIONS": [], "CL_DEVICE_OPENCL_C_FEATURES": [])");
  CHECK(device.number(CL_DEVICE_DOUBLE_FP_CONFIG) == 0);
  CHECK(device.number(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE) == 0);
  CHECK(device.number(CL_DEVICE_PIPE_SUPPORT) == 0);
  CHECK(device.number(CL_DEVICE_MAX_PIPE_ARGS) == 0);
  CHECK_FALSE(device.limits.has_pipes);
  for (const char* name : {"cl_khr_fp64", "cl_khr_fp16", "__opencl_c_fp64", "__opencl_c_pipes"})
    CHECK(std::ranges::count(device.language.lacks, name) == 1);
  CHECK(std::ranges::is_sorted(device.language.lacks));

  // The host has the extension, but no room for it in its list.
  const auto lacks_matrices = [](const DescribedDevice& one) {
    return std::ranges::count(one.language.lacks, "cl_intel_subgroup_matrix_multiply_accumulate") == 1;
  };
  CHECK(lacks_matrices(device));
  CHECK_FALSE(lacks_matrices(described(R"("CL_DEVICE_NAME": "n")")));
  CHECK_FALSE(lacks_matrices(described(
      R"("CL_DEVICE_EXTENSIONS": "cl_intel_subgroups cl_intel_subgroup_matrix_multiply_accumulate")")));

  // The other way round: if the query reports no part, the feature and the extension are missing.
  const DescribedDevice by_query =
      described(R"("CL_DEVICE_DOUBLE_FP_CONFIG": [], "CL_DEVICE_PIPE_SUPPORT": false)");
  CHECK_FALSE(by_query.has_extension("cl_khr_fp64"));
  CHECK(by_query.has_extension("cl_khr_fp16"));
  CHECK(std::ranges::count(by_query.language.lacks, "__opencl_c_pipes") == 1);
}

TEST_CASE("Described devices: a patch may be newer than the host's", "[description]") {
  std::vector<std::string> warnings;
  const DescribedDevice device = described(
      R"("CL_DEVICE_VERSION": "OpenCL 3.0 patched", "CL_DEVICE_NUMERIC_VERSION": "3.0.7")", warnings);
  CHECK(all(warnings).empty());
  CHECK(device.version == CL_MAKE_VERSION(3, 0, 7));
}

TEST_CASE("Described devices: an older version has no newer queries and no newer language", "[description]") {
  const DescribedDevice device = described(R"("CL_DEVICE_VERSION": "OpenCL 1.2 old")");
  CHECK(device.version == CL_MAKE_VERSION(1, 2, 0));
  CHECK(device.answers.at(CL_DEVICE_SVM_CAPABILITIES) == std::nullopt);
  CHECK(device.answers.at(CL_DEVICE_OPENCL_C_FEATURES) == std::nullopt);
  CHECK(device.answers.at(CL_DEVICE_IL_VERSION) == std::nullopt);
  CHECK(device.limits.svm == 0);
  CHECK_FALSE(device.limits.has_pipes);
  CHECK_FALSE(device.limits.has_non_uniform_groups);
  CHECK(text_in(known(device.answers.at(CL_DEVICE_OPENCL_C_VERSION))) == "OpenCL C 1.2 d");
  CHECK(device.language.newest_c == CL_MAKE_VERSION(1, 2, 0));
  CHECK(device.language.newest_spirv == hostcl::compiler::Language::no_spirv);
  CHECK(device.language.device_version == CL_MAKE_VERSION(1, 2, 0));
}

TEST_CASE("Described devices: atomics of a type are those that the query and the features have",
          "[description]") {
  const auto single = CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT,
             twice = CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT;
  const DescribedDevice by_features =
      described(R"("CL_DEVICE_OPENCL_C_FEATURES": ["__opencl_c_ext_fp32_global_atomic_add"])");
  CHECK(by_features.number(single) == global_float_atomics);
  CHECK(by_features.number(twice) == 0);
  const DescribedDevice by_query = described(
      R"("CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT": ["CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT",
                                                         "CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT"])");
  CHECK(std::ranges::count(by_query.language.lacks, "__opencl_c_ext_fp32_local_atomic_add") == 1);
  CHECK(std::ranges::count(by_query.language.lacks, "__opencl_c_ext_fp32_global_atomic_add") == 0);
  CHECK(by_query.number(twice) == all_float_atomics);
  const DescribedDevice without_double = described(R"("CL_DEVICE_DOUBLE_FP_CONFIG": [])");
  CHECK(without_double.number(twice) == 0);
  CHECK(hostcl::compiler::is_missing(without_double.language, "__opencl_c_ext_fp64_local_atomic_add"));
  const auto features = names_of(known(without_double.answers.at(CL_DEVICE_OPENCL_C_FEATURES)));
  CHECK(std::ranges::count(features, "__opencl_c_ext_fp64_local_atomic_add") == 0);
  CHECK(std::ranges::count(features, "__opencl_c_ext_fp32_local_atomic_add") == 1);
}

TEST_CASE("Descriptions: versions have the space before the information of the vendor", "[description]") {
  const std::string own =
      R"({"device": {"CL_DEVICE_VERSION": "OpenCL 1.2", "CL_DEVICE_OPENCL_C_VERSION": "OpenCL C 1.2"}})";
  const std::string viewer = R"({"info": [{"name": "CL_DEVICE_VERSION", "value": "OpenCL 1.2"},
                                          {"name": "CL_DEVICE_OPENCL_C_VERSION", "value": "OpenCL C 1.2"}]})";
  const std::string of_clinfo = R"({"devices": [{"online": [{"CL_DEVICE_VERSION": "OpenCL 1.2",
                                                             "CL_DEVICE_OPENCL_C_VERSION": "OpenCL C 1.2"}]}]})";
  for (const std::string& text : {own, viewer, of_clinfo}) {
    INFO(text);
    std::vector<std::string> warnings;
    const DescribedDevice device = described_device(parsed(text), host, warnings);
    CHECK(text_in(known(device.answers.at(CL_DEVICE_VERSION))) == "OpenCL 1.2 ");
    CHECK(text_in(known(device.answers.at(CL_DEVICE_OPENCL_C_VERSION))) == "OpenCL C 1.2 ");
    CHECK(device.version == CL_MAKE_VERSION(1, 2, 0));
  }
  const DescribedDevice complete = described(R"("CL_DEVICE_VERSION": "OpenCL 1.2 3.0")");
  CHECK(text_in(known(complete.answers.at(CL_DEVICE_VERSION))) == "OpenCL 1.2 3.0");
}

TEST_CASE("Described devices: image formats need the version or the extension that has them",
          "[description]") {
  const auto has = [](const std::string& device, cl_channel_order order, cl_channel_type type) {
    return described(device).has_image_format({order, type}, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY);
  };
  const std::string old = R"("CL_DEVICE_VERSION": "OpenCL 1.2 old")";
  CHECK(has(old, CL_RGBA, CL_UNORM_INT8));
  CHECK_FALSE(has(old, CL_sRGBA, CL_UNORM_INT8));
  CHECK_FALSE(has(old, CL_DEPTH, CL_FLOAT));
  CHECK_FALSE(has(old, CL_RGBA, CL_UNORM_INT_101010_2));
  CHECK(has(R"("CL_DEVICE_VERSION": "OpenCL 2.0 new")", CL_sRGBA, CL_UNORM_INT8));
  CHECK_FALSE(has(R"("CL_DEVICE_VERSION": "OpenCL 2.0 new")", CL_RGBA, CL_UNORM_INT_2_101010_EXT));
}

TEST_CASE("Described devices: sub-group sizes are listed, or the preferred multiple", "[description]") {
  using Sizes = std::vector<unsigned>;
  CHECK(described(R"("CL_DEVICE_SUB_GROUP_SIZES_INTEL": [16, 8])").language.sub_group_sizes == Sizes{16, 8});
  CHECK(described(R"("CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE": 64)").language.sub_group_sizes ==
        Sizes{64});
  CHECK(described(R"("CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE": 24)").language.sub_group_sizes.empty());
  CHECK(described(R"("CL_DEVICE_NAME": "n")").language.sub_group_sizes.empty());
}

TEST_CASE("Described devices: a list that is too short is completed by the host's", "[description]") {
  const DescribedDevice device = described(R"("CL_DEVICE_MAX_WORK_ITEM_SIZES": [64])");
  CHECK(device.limits.work_item_sizes == std::array<std::size_t, 3>{64, 4096, 4096});
}

TEST_CASE("Described devices: unlisted queries are the host's, or absent", "[description]") {
  CHECK_FALSE(described("").answers.contains(CL_DEVICE_PRINTF_BUFFER_SIZE));
  std::vector<std::string> warnings;
  const DescribedDevice device =
      described_device(parsed(R"({"unlisted": "absent", "device": {}})"), host, warnings);
  CHECK(device.answers.at(CL_DEVICE_PRINTF_BUFFER_SIZE) == std::nullopt);
  CHECK_FALSE(device.answers.contains(CL_DEVICE_MAX_WORK_GROUP_SIZE)); // a query of OpenCL 1.0
}

TEST_CASE("Described devices: image formats by type and access", "[description]") {
  std::vector<std::string> warnings;
  const DescribedDevice device = described_device(
      parsed(
          R"({"device": {}, "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE3D", "flags": "CL_MEM_READ_ONLY",
                 "formats": ["CL_RGBA CL_UNORM_INT8"]}]})"),
      host, warnings);
  constexpr cl_image_format format = {CL_RGBA, CL_UNORM_INT8}, other = {CL_R, CL_UNORM_INT8};
  CHECK(device.has_image_format(format, CL_MEM_OBJECT_IMAGE3D, CL_MEM_READ_ONLY));
  CHECK_FALSE(device.has_image_format(format, CL_MEM_OBJECT_IMAGE3D, CL_MEM_WRITE_ONLY));
  CHECK_FALSE(device.has_image_format(format, CL_MEM_OBJECT_IMAGE3D, 0));
  CHECK_FALSE(device.has_image_format(format, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY));
  CHECK_FALSE(device.has_image_format(other, CL_MEM_OBJECT_IMAGE3D, CL_MEM_READ_ONLY));
}

TEST_CASE("Descriptions: shipped descriptions cause no warning", "[description]") {
  REQUIRE_FALSE(shipped_descriptions().empty());
  for (const std::string_view name : shipped_descriptions()) {
    INFO(name);
    const DeviceDescription description = parsed(std::string(shipped_description(name)));
    CHECK(all(description.warnings).empty());
    CHECK(description.name == name);
  }
  CHECK(shipped_description("no such device").empty());
}

TEST_CASE("Descriptions: the schema has the queries that a description may answer", "[description]") {
  std::ifstream file(HOSTCL_SOURCE_DIR "/devices/device.schema.json");
  const std::string schema{std::istreambuf_iterator<char>(file), {}};
  const std::regex key("\"(CL_(DEVICE|DRIVER)_[A-Za-z0-9_]+)\":");
  std::set<std::string> written, known;
  for (std::sregex_iterator match(schema.begin(), schema.end(), key), end; match != end; ++match)
    written.insert((*match)[1]);
  for (const DeviceQuery& query : device_queries())
    if (query.rule != AnswerRule::host) known.emplace(query.name);
  CHECK(written == known);
}
