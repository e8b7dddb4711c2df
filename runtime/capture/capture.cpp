#include "runtime/capture/capture.hpp"

#include "runtime/capture/files.hpp"
#include "runtime/capture/launch_json.hpp"
#include "runtime/capture/rule.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>

extern "C" const char hostcl_replay_c[], hostcl_replay_c_end[], hostcl_run_py[], hostcl_run_py_end[];

namespace hostcl::runtime::capture {

const Rule* rule = nullptr;

namespace {

/// Set when a capture fails, for example because the disk is full or the folder is not writable. No further launch is
/// captured then.
std::atomic<bool> has_failed = false;

// Runs before main(), or when the ICD loader opens the driver.
[[gnu::constructor]] void begin_when_loaded() noexcept {
  const std::string& value = options().capture;
  if (value.empty()) return;
  try {
    if (auto parsed = parsed_rule(value))
      rule = new Rule(std::move(*parsed));
    else
      log(LogLevel::warn, "HOSTCL_CAPTURE=", value,
          " cannot be used; it must be FOLDER[:KERNEL[:N]], where KERNEL is a name or a pattern such as "
          "add*, and N a number from 1 or a range such as 2-5");
  } catch (const std::bad_alloc&) {
    return; // nothing is captured
  }
}

void warn(const std::exception& error) noexcept {
  if (!has_failed.exchange(true))
    log(LogLevel::warn, "HOSTCL_CAPTURE: ", error.what(), "; no further launch is captured");
}

/// The kernel's name as a part of a file's name. SPIR-V allows any characters in it.
std::string folder_name(const std::string& kernel, std::uint64_t number) {
  constexpr std::size_t longest = 200;
  std::string name = kernel.substr(0, longest);
  std::ranges::replace_if(
      name, [](unsigned char c) { return c >= 0x80 || (!std::isalnum(c) && c != '_'); }, '_');
  return text(name, "-", number);
}

bool has_binary(const BuildInputs& inputs) {
  return inputs.kind == BuildInputs::Kind::binary ||
         std::ranges::any_of(inputs.parts, [](const auto& part) { return has_binary(*part); });
}

/// Adds a sentence for each property of the program because of which a repeated launch may fail or differ.
void note_limits(const LoadedProgram& program, std::vector<std::string>& unsupported) {
  if (!program.inputs() || has_binary(*program.inputs()))
    unsupported.emplace_back("the program has neither source nor SPIR-V; only hostcl can load its binary");
  if (program.global_variable_bytes() > 0)
    unsupported.emplace_back("the program has variables in program scope, whose values are not captured");
}

std::string_view text_between(const char* first, const char* end) {
  return {first, static_cast<std::size_t>(end - first)};
}

} // namespace

class Capture {
public:
  Capture(const LaunchRecord& record, Contents contents)
      : contents_(std::move(contents)), name_(record.signature().name) {}

  void begin(const LaunchRecord& record, Device& device, std::uint64_t number) {
    folder_ = make_folder(rule->folder, folder_name(name_, number));
    for (std::size_t i = 0; i < contents_.parts.size(); ++i)
      write_compressed(path(file_of_part(i, "before")), contents_.parts[i].before);
    write_file(path("replay.c"), text_between(hostcl_replay_c, hostcl_replay_c_end));
    write_file(path("run.py"), text_between(hostcl_run_py, hostcl_run_py_end));
    description_ = description_of(record, device, contents_, number, folder_);
    write_file(path("launch.json"), description_);
    is_described_ = true;
  }
  /// Removes the folder if it is not complete.
  ~Capture() {
    std::error_code ignored;
    if (!folder_.empty() && !is_described_) std::filesystem::remove_all(folder_, ignored);
  }

  /// Adds the members "status" and "after" to launch.json.
  void end(cl_int status) {
    std::string after;
    for (std::size_t i = 0; i < contents_.parts.size(); ++i) {
      MemoryPart& part = contents_.parts[i];
      const std::vector<std::byte> now = part.contents();
      const bool is_same = now == part.before;
      part.before = {};
      if (!is_same) write_compressed(path(file_of_part(i, "after")), now);
      after += text(i ? "," : "", '"', file_of_part(i, is_same ? "before" : "after"), '"');
    }
    description_.pop_back(); // the brace at the end of the object
    write_file(path("launch.json"),
               text(description_, ",\"status\":", status, ",\"after\":[", after, "]}\n"));
    log(LogLevel::info, "HOSTCL_CAPTURE: a launch of kernel '", name_, "' is in ", folder_);
  }

private:
  std::string path(std::string_view file) const { return text(folder_, "/", file); }

  Contents contents_;
  const std::string& name_;
  std::string folder_, description_;
  bool is_described_ = false; ///< whether launch.json has been written
};

void EndCapture::operator()(Capture* capture) const {
  delete capture;
}

std::unique_ptr<Capture, EndCapture> begin(const LaunchRecord& record, Device& device) noexcept {
  const CancellationDelay uncancelled;
  try {
    if (has_failed.load(std::memory_order_relaxed)) return nullptr;
    const std::string& name = record.signature().name;
    const std::uint64_t number = rule->count(name);
    if (number == 0) return nullptr;
    Contents contents(record);
    if (!contents.read(record, options().capture_size)) {
      log(LogLevel::warn, "HOSTCL_CAPTURE: launch ", number, " of kernel '", name,
          "' is not captured: its memory has ", contents.bytes(),
          " bytes or more, and HOSTCL_CAPTURE_SIZE is ", options().capture_size);
      return nullptr;
    }
    note_limits(record.program(), contents.unsupported);
    for (const std::string& sentence : contents.unsupported)
      log(LogLevel::warn, "HOSTCL_CAPTURE: launch ", number, " of kernel '", name,
          "' may not be repeatable: ", sentence);
    std::unique_ptr<Capture, EndCapture> capture(new Capture(record, std::move(contents)));
    capture->begin(record, device, number);
    return capture;
  } catch (const std::exception& error) {
    warn(error);
    return nullptr;
  }
}

void end(Capture& capture, cl_int status) noexcept {
  const CancellationDelay uncancelled;
  try {
    capture.end(status);
  } catch (const std::exception& error) {
    warn(error);
  }
}

} // namespace hostcl::runtime::capture
