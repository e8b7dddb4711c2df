#include "runtime/checks/findings.hpp"

#include "compiler/isolation/write_signals.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/json.hpp"
#include "runtime/support/message.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/result.hpp"

#include <cstdlib>
#include <mutex>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace hostcl::runtime::checks {

namespace {

using Id = std::array<std::uint64_t, 3>;

/// For example "1 finding" or "2 findings".
std::string number_of(std::uint64_t count, const char* noun) {
  return text(count, " ", noun, count == 1 ? "" : "s");
}

std::string text_of(const Id& id) {
  return text("(", id[0], ", ", id[1], ", ", id[2], ")");
}

/// For example "4 bytes"; "several bytes" if the number is not constant, for which 0 stands.
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
  std::string creation; ///< the call that made it, or nothing
};

std::string creation_of(const LiveObject& object) {
  return text("allocation ", object.number, ", ", object.bytes, " bytes at 0x", std::hex, object.first,
              " from ", object.call, object.is_released ? ", which has been released" : "");
}

/// Describes an address by the allocation that contains it, or by the one before it. Memory of
/// CL_MEM_USE_HOST_PTR is in no allocation.
Target target_at(std::uint64_t address) {
  Target target{"unknown memory", text("at address 0x", std::hex, address), {}};
  if (address < null_bytes) target.name = "a null pointer";
  const LiveObject object = LiveObjects::instance().find_nearest(address);
  if (!object.number) return target;
  target.creation = creation_of(object);
  const std::uint64_t place = address - object.first;
  constexpr std::uint64_t near = 1 << 20;
  if (place < object.bytes)
    target.name = text("allocation ", object.number, " of ", count_of(object.bytes), " (byte ", place, ")");
  else if (place - object.bytes < near)
    target.name = text("memory ", count_of(place - object.bytes), " after allocation ", object.number);
  else
    target.creation.clear();
  return target;
}

Target target_of(const Finding& finding) {
  const abi::CheckSite& site = finding.site;
  if (*site.sentence) return {};
  const auto position = static_cast<std::int64_t>(finding.what);
  if (!site.tells_position) {
    Target target = target_at(finding.what);
    if (site.argument >= 0) target.name = text("argument ", site.argument, ", '", site.object, "', an image");
    return target;
  }
  const std::string where = text("at byte ", position);
  if (site.argument < 0 && !*site.object) {
    const bool is_known = site.object_bytes != 0;
    return {is_known ? text("a variable of ", count_of(site.object_bytes)) : "unknown memory", where, {}};
  }
  if (site.argument < 0)
    return {text("variable '", site.object, "' of ", count_of(site.object_bytes)), where, {}};
  const std::string name = text("argument ", site.argument, ", '", site.object, "', ");
  if (finding.argument.object.size == 0) return {name + "which is null", where, {}};
  if (finding.argument.is_released()) return {name + "which has been released", where, {}};
  const auto [object, is_readable, is_writable] = finding.argument;
  const bool reads = site.access != abi::Access::write, writes = site.access != abi::Access::read;
  return {text(name, "of ", count_of(finding.argument.object.size),
               writes && !is_writable  ? ", which is CL_MEM_READ_ONLY"
               : reads && !is_readable ? ", which is CL_MEM_WRITE_ONLY"
                                       : ""),
          where,
          {}};
}

using runtime::json_of; // the declarations below are overloads of it

std::string json_of(const Id& id) {
  return text("[", id[0], ",", id[1], ",", id[2], "]");
}

std::string json_of_site(const abi::CheckSite& site) {
  return text(R"("check":)", json_of(site.check), R"(,"kernel":)", json_of(site.kernel), R"(,"file":)",
              json_of(site.file), R"(,"line":)", site.line, R"(,"column":)", site.column);
}

/// The finding as a sentence, and as members of a JSON object.
struct Description {
  std::string sentence, json;
};

Description description_of_access(const Finding& finding) {
  const abi::CheckSite& site = finding.site;
  const Target target = target_of(finding);
  if (*site.sentence)
    return {site.sentence,
            text(R"(,"finding":)", json_of(site.sentence), R"(,"creation":)", json_of(target.creation))};
  Description description{
      text(name_of(site.access), " of ", count_of(site.bytes), " ", target.where, " of ", target.name),
      text(R"(,"access":)", json_of(name_of(site.access)), R"(,"bytes":)", site.bytes, R"(,"object":)",
           json_of(target.name), R"(,"place":)", json_of(target.where), R"(,"creation":)",
           json_of(target.creation))};
  if (!target.creation.empty()) description.sentence += text("\n  ", target.creation);
  return description;
}

Description description_of_divergence(const Finding& finding) {
  const auto& [reaching, others] = finding.ways;
  return {text(reaching, " work-items of the group go on to a barrier, ", others, " go another way"),
          text(R"(,"reaching":)", reaching, R"(,"others":)", others)};
}

Description description_of_order(const Finding& finding) {
  const Target target = target_of(finding);
  return {text(target.name, " has different contents, first ", target.where, ", when work-groups run in ",
               finding.order, " order"),
          text(R"(,"object":)", json_of(target.name), R"(,"place":)", json_of(target.where), R"(,"order":)",
               json_of(finding.order))};
}

/// ", FILE:LINE:COLUMN", or nothing if the line is not known.
std::string place_in_source(const abi::CheckSite& site) {
  if (!site.line) return {};
  return text(", ", *site.file ? site.file : "source", ":", site.line, ":", site.column);
}

std::string source_line(const abi::CheckSite& site) {
  return *site.source ? text("\n  > ", site.source) : std::string();
}

/// The other access of a race.
Description description_of_other(const Finding& finding) {
  const std::string ids =
      text("work-item ", text_of(finding.other_global_id), ", local ", text_of(finding.other_local_id),
           " of group ", text_of(finding.other_group_id));
  const std::string json =
      text(R"("global_id":)", json_of(finding.other_global_id), R"(,"local_id":)",
           json_of(finding.other_local_id), R"(,"group_id":)", json_of(finding.other_group_id), "}");
  if (!finding.other) return {text("\n  and an access by ", ids), R"(,"other":{)" + json};
  const abi::CheckSite& site = *finding.other;
  return {
      text("\n  and ", name_of(site.access), " of ", count_of(site.bytes), place_in_source(site), ", ", ids,
           source_line(site)),
      text(R"(,"other":{)", json_of_site(site), R"(,"access":)", json_of(name_of(site.access)), ",", json)};
}

bool is_of(const Finding& finding, compiler::Check check) {
  return finding.site.check == compiler::name_of(check);
}

Description description_of(const Finding& finding) {
  if (is_of(finding, compiler::Check::order)) return description_of_order(finding);
  const bool is_divergence = is_of(finding, compiler::Check::divergence) && !*finding.site.sentence;
  return is_divergence ? description_of_divergence(finding) : description_of_access(finding);
}

/// The other place that the finding refers to: the other access of a race, or a barrier.
Description other_description_of(const Finding& finding) {
  if (is_of(finding, compiler::Check::races)) return description_of_other(finding);
  if (const abi::CheckSite* barrier = finding.site.other)
    return {text("\n  the barrier", place_in_source(*barrier), source_line(*barrier)),
            text(R"(,"barrier":{)", json_of_site(*barrier), "}")};
  return {};
}

/// The ids of the work-item. A finding of the check `order` has none.
std::string json_of_ids(const Finding& finding) {
  if (is_of(finding, compiler::Check::order)) return R"(,"global_id":[],"local_id":[],"group_id":[])";
  return text(R"(,"global_id":)", json_of(finding.global_id), R"(,"local_id":)", json_of(finding.local_id),
              R"(,"group_id":)", json_of(finding.group_id));
}

std::string json_of(const Finding& finding, const Description& description) {
  const abi::CheckSite& site = finding.site;
  return text("{", json_of_site(site), R"(,"source":)", json_of(site.source), R"(,"message":)",
              json_of(description.sentence.substr(0, description.sentence.find('\n'))), description.json,
              json_of_ids(finding), other_description_of(finding).json, "}\n");
}

std::string message_of(const Finding& finding, const Description& description) {
  const abi::CheckSite& site = finding.site;
  if (is_of(finding, compiler::Check::order))
    return text(site.check, ": ", description.sentence, "\n  in kernel '", site.kernel, "'",
                place_in_source(site), ", the last write to it", source_line(site),
                "\n  sums of floating-point numbers, and lists that work-items append to, may differ in this "
                "way although the kernel is right");
  return text(site.check, ": ", description.sentence, "\n  in kernel '", site.kernel, "'",
              place_in_source(site), ", work-item ", text_of(finding.global_id), ", local ",
              text_of(finding.local_id), " of group ", text_of(finding.group_id), source_line(site),
              other_description_of(finding).sentence);
}

} // namespace

Finding finding_at(const abi::Launch& launch, const abi::CheckSite& site, const Id& local_id,
                   const Id& group_id) {
  Finding finding{site, 0, {}, local_id, group_id, {anywhere}};
  const abi::NDRange& range = launch.range;
  for (unsigned d = 0; d < 3; ++d)
    finding.global_id[d] = range.global_offset[d] + group_id[d] * range.local_size[d] + local_id[d];
  if (site.argument >= 0 && launch.objects)
    finding.argument = object_in(launch.objects, site.arguments, static_cast<std::size_t>(site.argument));
  return finding;
}

void note(const Finding& finding) {
  try {
    Findings::instance().add(finding);
  } catch (const std::bad_alloc&) {
    return; // there may be memory for the next finding
  }
}

Findings& Findings::instance() {
  static auto* instance = new Findings;
  return *instance;
}

const bool Findings::is_held_over_fork_ = held_over_fork<process_lock>();

Findings::Place Findings::place_of(const Finding& finding) {
  const abi::CheckSite& site = finding.site;
  std::string what = *site.sentence ? site.sentence
                                    : text(*site.object ? text("'", site.object, "' ") : std::string(),
                                           name_of(site.access));
  if (finding.other) what += text(place_in_source(*finding.other), " ", name_of(finding.other->access));
  return {site.check, site.kernel, site.file, site.line, site.column, what};
}

void Findings::begin() {
  write_line(text(R"({"process":)", getpid(), R"(,"checks":)", json_of(compiler::names_of(enabled)), "}\n"));
}

void Findings::add(const Finding& finding) {
  add(place_of(finding), [&](std::string& message, std::string& json) {
    const Description description = description_of(finding);
    message = message_of(finding, description);
    json = json_of(finding, description);
  });
}

void Findings::add(const Place& place, const std::function<void(std::string&, std::string&)>& tell) {
  {
    std::scoped_lock guard(lock_);
    if (counts_[place]++ > 0) return;
    if (counts_.size() == 1)
      // Not std::atexit(): see icd/static_objects.cpp.
      on_exit([](int, void*) { instance().summarise(); }, nullptr);
  }
  std::string message, json;
  // Called without lock_, because it acquires the lock of the live objects, and fork() may acquire that lock before
  // this one.
  tell(message, json);
  write_message("check ", message);
  write_line(json);
}

void Findings::say_once(const std::string& sentence) {
  std::scoped_lock guard(lock_);
  if (said_.insert(sentence).second) write_message("check ", sentence);
}

void Findings::summarise() {
  std::scoped_lock guard(lock_);
  std::uint64_t total = 0;
  std::string lines, json;
  for (const auto& [place, count] : counts_) {
    total += count;
    const auto& [check, kernel, file, line, column, object] = place;
    lines += text("\n  ", count, " × ", check);
    if (!kernel.empty())
      lines += text(" in kernel '", kernel, "', ", file.empty() ? "source" : file, ":", line, ":", column);
    lines += text(", ", object);
    json += text(json.empty() ? "" : ",", R"({"count":)", count, R"(,"check":)", json_of(check),
                 R"(,"kernel":)", json_of(kernel), R"(,"file":)", json_of(file), R"(,"line":)", line,
                 R"(,"column":)", column, R"(,"what":)", json_of(object), "}");
  }
  write_message("check ",
                text(number_of(total, "finding"), " at ", number_of(counts_.size(), "place"), lines));
  write_line(text(R"({"findings":)", total, R"(,"places":)", counts_.size(), R"(,"counts":[)", json, "]}\n"));
}

void Findings::write_line(const std::string& line) {
  const std::string& name = options().check_report;
  if (name.empty()) return;
  WriteSignalsBlocked no_signals;
  // Without O_NONBLOCK, opening a FIFO that has no reader would block threads of the application for ever.
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0 || write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    write_message("warning: ", text("HOSTCL_CHECK_REPORT=", name, " cannot be written"));
  if (file >= 0) close(file);
}

} // namespace hostcl::runtime::checks
