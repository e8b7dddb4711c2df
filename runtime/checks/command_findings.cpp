#include "runtime/checks/command_findings.hpp"

#include "runtime/checks/findings.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/support/json.hpp"
#include "runtime/support/result.hpp"

#include <string>
#include <utility>

namespace hostcl::runtime::checks {

namespace {

/// The memory that both commands access.
struct Meeting {
  std::string object; ///< "allocation 1", or "host memory"
  std::string where;  ///< "bytes 0 to 4095 of allocation 1"
  /// "allocation 1, 4096 bytes at 0x55d5e3277000 from clCreateBuffer"; empty for host memory.
  std::string creation;
};

Meeting meeting_at(Range range) {
  const LiveObject object = LiveObjects::instance().find(range.first);
  if (!object.number)
    return {"host memory", text(range.end - range.first, " bytes at 0x", std::hex, range.first), {}};
  const std::uint64_t first = range.first - object.first, last = range.end - object.first - 1;
  const std::string name = text("allocation ", object.number);
  return {name, text("bytes ", first, " to ", last, " of ", name),
          text(name, ", ", object.bytes, " bytes at 0x", std::hex, object.first, " from ", object.call)};
}

const char* name_of(const CommandAccess& access) {
  if (!access.place) return access.writes ? "write" : "read";
  constexpr const char* names[] = {"read", "write", "update"};
  return names[static_cast<std::size_t>(access.place->access)];
}

/// ", FILE:LINE:COLUMN", or nothing if the line is not known.
std::string place_in_source(const AccessPlace& place) {
  if (!place.line) return {};
  return text(", ", place.file.empty() ? "source" : place.file, ":", place.line, ":", place.column);
}

std::string object_of(const AccessPlace& place) {
  if (place.object.empty()) return {};
  if (place.argument < 0) return text(", '", place.object, "'");
  return text(", argument ", place.argument, ", '", place.object, "'");
}

/// For example "write by kernel 'put', program.cl:1:2, argument 0, 'x', command 3, clEnqueueNDRangeKernel"
/// and, on a new line, the source line. For an access outside of kernels: "read, command 2,
/// clEnqueueReadBuffer".
std::string sentence_of(const CommandAccess& access) {
  const std::string command = text(", command ", access.number, ", ", access.call);
  if (!access.place) return text(name_of(access), command);
  const AccessPlace& place = *access.place;
  return text(name_of(access), " by kernel '", place.kernel, "'", place_in_source(place), object_of(place),
              command, place.source.empty() ? std::string() : text("\n  > ", place.source));
}

std::string members_of(const CommandAccess& access) {
  static const AccessPlace none;
  const AccessPlace& place = access.place ? *access.place : none;
  return text(R"("check":"commands","kernel":)", json_of(place.kernel), R"(,"file":)", json_of(place.file),
              R"(,"line":)", place.line, R"(,"column":)", place.column, R"(,"source":)",
              json_of(place.source), R"(,"access":")", name_of(access), R"(","call":)", json_of(access.call),
              R"(,"command":)", access.number, R"(,"argument":)", json_of(place.object));
}

std::string description_of(const CommandFinding& finding, const Meeting& meeting) {
  if (!finding.is_mapped)
    return text(meeting.where, " are accessed by two commands that no event, barrier or wait orders");
  return text(meeting.where, " are mapped for ", finding.first.writes ? "writing" : "reading",
              " while a command ", finding.second.writes ? "writes" : "reads", " them");
}

} // namespace

void note(const CommandFinding& found) {
  CommandFinding finding = found;
  // An access in a kernel comes first, because only kernels have a place in the source.
  if (!finding.is_mapped && !finding.first.place) std::swap(finding.first, finding.second);
  const bool is_mapped = finding.is_mapped;
  const CommandAccess& main = is_mapped ? finding.second : finding.first;
  const CommandAccess& other = is_mapped ? finding.first : finding.second;
  const Meeting meeting = meeting_at(finding.range);
  const std::string description = description_of(finding, meeting);
  const std::string by =
      is_mapped ? text("mapped by command ", other.number, ", ", other.call) : sentence_of(other);
  const AccessPlace place = main.place.value_or(AccessPlace());
  std::string what = text(name_of(main), " by ", main.call, " and ", name_of(other), " by ", other.call);
  if (other.place) what += place_in_source(*other.place);
  // Findings with equal texts are counted as one. Without a place in the source, the object's name tells them apart.
  if (!main.place) what += text(", ", meeting.object);
  Findings::instance().add(
      {"commands", place.kernel, place.file, place.line, place.column, what},
      [&](std::string& message, std::string& json) {
        message = text("commands: ", description, meeting.creation.empty() ? "" : "\n  ", meeting.creation,
                       "\n  ", sentence_of(main), "\n  and ", by);
        json =
            text("{", members_of(main), R"(,"message":)", json_of(description), R"(,"bytes":)",
                 finding.range.end - finding.range.first, R"(,"object":)", json_of(meeting.where),
                 R"(,"creation":)", json_of(meeting.creation), R"(,"mapped":)", is_mapped ? "true" : "false",
                 R"(,"global_id":[],"local_id":[],"group_id":[],"other":{)", members_of(other), "}}\n");
      });
}

} // namespace hostcl::runtime::checks
