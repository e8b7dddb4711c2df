#include "runtime/checks/findings.hpp"

#include "compiler/checks.hpp"
#include "compiler/write_signals.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/object/result.hpp"
#include "runtime/support/message.hpp"
#include "runtime/support/options.hpp"

#include <cstdlib>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;

std::string text_of(const Id& id) {
  return text("(", id[0], ", ", id[1], ", ", id[2], ")");
}

/// "4 bytes", or "several bytes" if the number differs.
std::string count_of(std::uint64_t bytes) {
  return bytes == 0 ? "several bytes" : bytes == 1 ? "1 byte" : text(bytes, " bytes");
}

std::string_view name_of(abi::Access access) {
  constexpr std::string_view names[] = {"read", "write", "update"};
  return names[static_cast<std::size_t>(access)];
}

/// The object that was accessed, as far as it is known.
struct Target {
  std::string name;     ///< "argument 0, 'a', of 64 bytes"
  std::string where;    ///< "at byte 64"
  std::string creation; ///< which call made it, or nothing
};

std::string creation_of(const LiveObject& object) {
  return text("allocation ", object.number, ", ", object.bytes, " bytes at 0x", std::hex, object.first,
              " from ", object.call);
}

Target target_of(const Finding& finding) {
  const abi::CheckSite& site = finding.site;
  if (*site.sentence) return {};
  const auto position = static_cast<std::int64_t>(finding.what);
  if (!site.tells_position) {
    const LiveObject object = LiveObjects::instance().find(finding.what);
    Target target{"memory that is no argument's", text("at address 0x", std::hex, finding.what), {}};
    if (finding.what < null_bytes) target.name = "a null pointer";
    if (object.number) target.creation = creation_of(object);
    return target;
  }
  const std::string where = text("at byte ", position);
  if (site.argument < 0)
    return {text("variable '", site.object, "' of ", count_of(site.object_bytes)), where, {}};
  const std::string name = text("argument ", site.argument, ", '", site.object, "', ");
  if (finding.argument.size == 0) return {name + "which is null", where, {}};
  return {text(name, "of ", count_of(finding.argument.size)), where, {}};
}

std::string json_of(std::string_view string) {
  std::string quoted = "\"";
  for (const char c : string) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= ' ') quoted += c;
  }
  return quoted + "\"";
}

std::string json_of(const Id& id) {
  return text("[", id[0], ",", id[1], ",", id[2], "]");
}

std::string json_of_site(const abi::CheckSite& site) {
  return text(R"("check":)", json_of(site.check), R"(,"kernel":)", json_of(site.kernel), R"(,"file":)",
              json_of(site.file), R"(,"line":)", site.line, R"(,"column":)", site.column);
}

std::string json_of_item(const Finding& finding) {
  return text(R"(,"global_id":)", json_of(finding.global_id), R"(,"local_id":)", json_of(finding.local_id),
              R"(,"group_id":)", json_of(finding.group_id));
}

std::string json_of(const Finding& finding, const Target& target) {
  const abi::CheckSite& site = finding.site;
  if (*site.sentence)
    return text("{", json_of_site(site), R"(,"source":)", json_of(site.source), R"(,"finding":)",
                json_of(site.sentence), R"(,"creation":)", json_of(target.creation), json_of_item(finding),
                "}\n");
  return text("{", json_of_site(site), R"(,"source":)", json_of(site.source), R"(,"access":)",
              json_of(name_of(site.access)), R"(,"bytes":)", site.bytes, R"(,"object":)",
              json_of(target.name), R"(,"place":)", json_of(target.where), R"(,"creation":)",
              json_of(target.creation), json_of_item(finding), "}\n");
}

std::string message_of(const Finding& finding, const Target& target) {
  const abi::CheckSite& site = finding.site;
  std::string message = text(site.check, ": ");
  message += *site.sentence ? site.sentence
                            : text(name_of(site.access), " of ", count_of(site.bytes), " ", target.where,
                                   " of ", target.name);
  message += text("\n  in kernel '", site.kernel, "'");
  if (site.line) message += text(", ", *site.file ? site.file : "source", ":", site.line, ":", site.column);
  message += text(", work-item ", text_of(finding.global_id), ", local ", text_of(finding.local_id),
                  " of group ", text_of(finding.group_id));
  if (*site.source) message += text("\n  > ", site.source);
  if (!target.creation.empty()) message += text("\n  ", target.creation);
  return message;
}

} // namespace

Findings& Findings::instance() {
  static auto* instance = new Findings;
  return *instance;
}

const bool Findings::is_held_over_fork_ = held_over_fork<process_lock>();

Findings::Place Findings::place_of(const abi::CheckSite& site) {
  return {site.check,
          site.kernel,
          site.file,
          site.line,
          site.column,
          *site.sentence ? std::string(site.sentence) : text(site.object, "/", name_of(site.access))};
}

void Findings::begin() {
  write_line(text(R"({"process":)", getpid(), R"(,"checks":)", json_of(compiler::checks_on()), "}\n"));
}

void Findings::add(const Finding& finding) {
  std::scoped_lock guard(lock_);
  if (counts_[place_of(finding.site)]++ > 0) return;
  if (counts_.size() == 1)
    on_exit([](int, void*) { instance().summarise(); },
            nullptr); // not std::atexit(), see icd/static_objects.cpp
  const Target target = target_of(finding);
  write_message("check ", message_of(finding, target));
  write_line(json_of(finding, target));
}

void Findings::summarise() {
  std::scoped_lock guard(lock_);
  std::uint64_t total = 0;
  std::string lines;
  for (const auto& [place, count] : counts_) {
    total += count;
    const auto& [check, kernel, file, line, column, object] = place;
    lines += text("\n  ", count, " × ", check, " in kernel '", kernel, "', ", file.empty() ? "source" : file,
                  ":", line, ":", column, ", ", object);
  }
  write_message("check ", text(total, " findings at ", counts_.size(), " places", lines));
  write_line(text(R"({"findings":)", total, R"(,"places":)", counts_.size(), "}\n"));
}

void Findings::write_line(const std::string& line) {
  const std::string& name = options().check_report;
  if (name.empty()) return;
  WriteSignalsBlocked no_signals;
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    write_message("warning: ", text("HOSTCL_CHECK_REPORT=", name, " cannot be written"));
  if (file >= 0) close(file);
}

} // namespace hostcl::runtime::checks
