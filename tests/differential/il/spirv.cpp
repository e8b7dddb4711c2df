#include "differential/il/spirv.hpp"

#include "differential/host_program.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace differential {

namespace {

constexpr const char* to_llvm = "clang-22 --target=spirv64 -x cl -cl-std=CL3.0 -w -Xclang -cl-ext=+all "
                                "-Xclang -finclude-default-header -fno-crash-diagnostics -S -emit-llvm ";
constexpr const char* to_spirv =
    "clang-22 --target=spirv64 -O0 -x ir -w -Xclang -disable-llvm-passes -fno-crash-diagnostics -c -mllvm "
    "--spirv-ext="
    "+SPV_EXT_relaxed_printf_string_address_space,+SPV_EXT_shader_atomic_float_add,"
    "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,+SPV_KHR_bit_instructions,"
    "+SPV_KHR_integer_dot_product,+SPV_KHR_no_integer_wrap_decoration,+SPV_KHR_subgroup_rotate,"
    "+SPV_KHR_uniform_group_instructions ";

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Macros in place of the functions convert_*. The back end of LLVM 22 chooses the instruction by the result's type alone:
/// it translates convert_long(int) to OpUConvert, and convert_ulong(uint) to OpSConvert.
std::string conversions() {
  std::string text;
  for (const std::string type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}) {
    text += "#define convert_" + type + "(x) ((" + type + ")(x))\n";
    for (const char* width : {"2", "3", "4", "8", "16"})
      text += "#define convert_" + type + width + "(x) __builtin_convertvector(x, " + type + width + ")\n";
  }
  return text;
}

/// Conversions that saturate have the same fault, and no other form.
bool saturates(const std::string& source) {
  return source.find("_sat(") != std::string::npos;
}

/// Two faults of LLVM 22's back end. Induction variables of 2 bits, which the optimiser makes for `k & 3`, become
/// variables of 8 bits and no longer wrap; and a private array of pointers may become a variable of one pointer.
bool is_translated_wrongly(const std::string& llvm_ir) {
  static const std::regex faults("\\bi(?!(?:1|8|16|32|64)\\b)[0-9]+\\b|alloca \\[[0-9]+ x ptr");
  return std::regex_search(llvm_ir, faults);
}

bool succeeds(const std::string& command) {
  int status = 0;
  output_of(command, status);
  return status == 0;
}

} // namespace

std::string spirv_of(const std::string& source, const std::string& options) {
  if (saturates(source)) return {};
  const std::string file =
      (std::filesystem::temp_directory_path() / ("differential_" + std::to_string(getpid()))).string();
  const std::string code = file + ".cl", ir = file + ".ll", module = file + ".spv";
  std::ofstream(code) << conversions() << source;
  std::string words;
  if (succeeds(to_llvm + options + " " + code + " -o " + ir) && !is_translated_wrongly(text_of(ir)) &&
      succeeds(to_spirv + ir + " -o " + module) && succeeds("spirv-val --target-env spv1.4 " + module))
    words = text_of(module);
  for (const std::string& made : {code, ir, module})
    std::filesystem::remove(made);
  return words;
}

} // namespace differential
