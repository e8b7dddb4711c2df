#include "compiler/front/clang/options.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Splits the text at white space. Quotes group words, and a backslash makes the next character literal.
Expected<std::vector<std::string>> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote) return createStringError("the build options have a quote without its closing " + Twine(quote));
  if (in_word) words.push_back(std::move(word));
  return words;
}

using Effect = void (*)(Options&);
struct Flag {
  std::string_view name;
  bool to_frontend; ///< clang has an option with the same name
  Effect effect;    ///< what else the option does, or null
};

/// Options without an argument.
constexpr Flag flags[] = {
    {"-w", true, nullptr},
    {"-Werror", true, nullptr},
    {"-g", false, [](Options& o) { o.debug_info = true; }},
    {"-O0", false, [](Options& o) { o.unoptimised = true; }},
    {"-O1", false, [](Options& o) { o.unoptimised = false; }},
    {"-O2", false, [](Options& o) { o.unoptimised = false; }},
    {"-O3", false, [](Options& o) { o.unoptimised = false; }},
    {"-cl-single-precision-constant", true, nullptr},
    {"-cl-denorms-are-zero", false, [](Options& o) { o.flush_denormals = true; }},
    // Division and square root are correctly rounded on all hosts.
    {"-cl-fp32-correctly-rounded-divide-sqrt", false, nullptr},
    {"-cl-opt-disable", false, [](Options& o) { o.unoptimised = true; }},
    {"-cl-strict-aliasing", false, nullptr},
    {"-cl-uniform-work-group-size", false, [](Options& o) { o.uniform_groups = true; }},
    {"-cl-no-subgroup-ifp", false, nullptr},
    // Also contracts across statements, which the language itself does not allow.
    {"-cl-mad-enable", true, [](Options& o) { o.frontend.push_back("-ffp-contract=fast"); }},
    {"-cl-no-signed-zeros", true, nullptr},
    // clang accepts the option, but still honours NaN and infinity.
    {"-cl-finite-math-only", true,
     [](Options& o) {
       o.finite_math = true;
       o.frontend.insert(o.frontend.end(), {"-menable-no-nans", "-menable-no-infs"});
     }},
    {"-cl-unsafe-math-optimizations", true, [](Options& o) { o.relaxed_math = true; }},
    {"-cl-fast-relaxed-math", true, [](Options& o) { o.relaxed_math = o.finite_math = true; }},
    {"-cl-kernel-arg-info", true, [](Options& o) { o.argument_info = true; }},
    {"-cl-hostcl-no-include", false, [](Options& o) { o.reads_files = false; }},
    {"-create-library", false, [](Options& o) { o.create_library = true; }},
    {"-enable-link-options", false, [](Options& o) { o.enable_link_options = true; }},
};

/// A version of the language that -cl-std may name.
struct Standard {
  std::string_view name;
  std::string_view clangs; ///< the version as which clang compiles it
  std::uint32_t version;   ///< of OpenCL C, as CL_MAKE_VERSION packs it; 0: C++ for OpenCL
};
constexpr std::uint32_t c_version(unsigned major, unsigned minor) {
  return major << 22 | minor << 12;
}
/// 1.0 is compiled as 1.1, as all vendors do. CL3.0 is the newest version of OpenCL C that clang knows.
constexpr Standard standards[] = {{"CL1.0", "CL1.1", c_version(1, 0)},
                                  {"CL1.1", "CL1.1", c_version(1, 1)},
                                  {"CL1.2", "CL1.2", c_version(1, 2)},
                                  {"CL2.0", "CL2.0", c_version(2, 0)},
                                  {"CL3.0", "CL3.0", c_version(3, 0)},
                                  {"CL3.1", "CL3.0", c_version(3, 1)},
                                  {"CLC++", "CLC++1.0", 0},
                                  {"CLC++1.0", "CLC++1.0", 0},
                                  {"CLC++2021", "CLC++2021", 0}};

/// Features that are mandatory in OpenCL C 2.0, and so in C++ for OpenCL 1.0, which is based on OpenCL C 2.0. The list
/// lacks __opencl_c_read_write_images, which is mandatory only on devices with images. A feature comes before the
/// features that depend on it, so that messages name the first.
constexpr std::string_view features_of_2_0[] = {"__opencl_c_generic_address_space",
                                                "__opencl_c_program_scope_global_variables",
                                                "__opencl_c_pipes",
                                                "__opencl_c_device_enqueue",
                                                "__opencl_c_atomic_order_acq_rel",
                                                "__opencl_c_atomic_order_seq_cst",
                                                "__opencl_c_atomic_scope_all_devices",
                                                "__opencl_c_atomic_scope_device",
                                                "__opencl_c_work_group_collective_functions"};

bool take_flag(Options& options, const std::string& word) {
  for (const Flag& flag : flags) {
    if (flag.name != word) continue;
    if (flag.to_frontend) options.frontend.push_back(word);
    if (flag.effect) flag.effect(options);
    return true;
  }
  return false;
}

constexpr std::string_view standard_prefix = "-cl-std=";

Error check_has(StringRef word, std::string_view name, const Language& language) {
  if (!is_missing(language, name)) return Error::success();
  return createStringError(word + ": this language needs " + StringRef(name) + ", which " +
                           described_device(language) + " lacks");
}

/// Returns an error if the device does not have this version of the language.
Error check_standard(StringRef word, const Standard& standard, const Language& language) {
  if (language.newest_c != 0 && standard.version > language.newest_c)
    return createStringError(word + ": the newest OpenCL C of " + described_device(language) + " is " +
                             version_text(language.newest_c));
  if (standard.version == 0)
    if (Error error = check_has(word, "cl_ext_cxx_for_opencl", language)) return error;
  if (standard.version != c_version(2, 0) && standard.clangs != "CLC++1.0") return Error::success();
  for (const std::string_view feature : features_of_2_0)
    if (Error error = check_has(word, feature, language)) return error;
  if (is_missing(language, "__opencl_c_images")) return Error::success();
  return check_has(word, "__opencl_c_read_write_images", language);
}

Error take_standard(Options& options, StringRef word, const Language& language) {
  const std::string_view name = word.substr(standard_prefix.size());
  const auto* standard = find_if(standards, [&](const auto& row) { return row.name == name; });
  if (standard == std::end(standards))
    return createStringError(word +
                             " is not a version of OpenCL C; known are CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, "
                             "CL3.1, CLC++1.0 and CLC++2021");
  if (Error error = check_standard(word, *standard, language)) return error;
  options.has_standard = true;
  options.opencl_c_1 = name.starts_with("CL1.");
  options.opencl_c_3_1 = name == "CL3.1";
  options.frontend.push_back(std::string(standard_prefix).append(standard->clangs));
  // OpenCL C 2.0 has blocks.
  if (standard->clangs == "CLC++1.0") options.frontend.push_back("-fblocks");
  return Error::success();
}

/// The language of programs that are built without -cl-std. clang's own default is OpenCL C 1.2.
Error take_default_standard(Options& options, const Language& language) {
  std::uint32_t version = language.default_c;
  if (version == 0 && language.newest_c != 0) version = std::min(language.newest_c, c_version(1, 2));
  if (version == 0) return Error::success();
  return take_standard(options, (StringRef(standard_prefix) + "CL" + version_text(version)).str(), language);
}

constexpr std::string_view debug_prefix = "-cl-hostcl-debug=";

/// Takes the names of kernels, separated by commas.
Error take_debugged_kernels(Options& options, StringRef names) {
  SmallVector<StringRef, 4> split_names;
  names.split(split_names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (split_names.empty())
    return createStringError("-cl-hostcl-debug= needs the names of kernels, separated by commas");
  for (const StringRef name : split_names)
    options.debugged_kernels.push_back(name.str());
  options.debug_info = true;
  return Error::success();
}

/// Takes -D, -U or -I, whose argument is attached or the next word.
Error take_with_argument(Options& options, const std::vector<std::string>& words, std::size_t& i) {
  const std::string& word = words[i];
  std::string argument = word.substr(2);
  if (argument.empty()) {
    if (i + 1 == words.size()) return createStringError("build option " + word + " needs an argument");
    argument = words[++i];
  }
  options.frontend.push_back(word.substr(0, 2));
  options.frontend.push_back(std::move(argument));
  return Error::success();
}

/// Takes words[i] and its argument.
Error take(Options& options, const std::vector<std::string>& words, std::size_t& i,
           const Language& language) {
  const std::string& word = words[i];
  if (take_flag(options, word)) return Error::success();
  if (word.starts_with(standard_prefix)) return take_standard(options, word, language);
  if (word.starts_with(debug_prefix))
    return take_debugged_kernels(options, std::string_view(word).substr(debug_prefix.size()));
  if (word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-U"))
    return take_with_argument(options, words, i);
  if (!word.starts_with("-W") || word.size() == 2)
    return createStringError("unknown build option '" + word + "'");
  options.frontend.push_back(word);
  return Error::success();
}

} // namespace

bool Options::has_debug_form(std::string_view kernel) const {
  return (debug_info && unoptimised) || is_contained(debugged_kernels, kernel);
}

Expected<Options> parse_options(std::string_view text, const Language& language) {
  Options options;
  auto words = split(text);
  if (!words) return words.takeError();
  for (std::size_t i = 0; i < words->size(); ++i)
    if (Error error = take(options, *words, i, language)) return std::move(error);
  if (!options.has_standard)
    if (Error error = take_default_standard(options, language)) return std::move(error);
  if (options.opencl_c_3_1)
    options.frontend.insert(options.frontend.end(),
                            {"-U", "__OPENCL_C_VERSION__", "-D", "__OPENCL_C_VERSION__=310"});
  return options;
}

} // namespace hostcl::compiler
