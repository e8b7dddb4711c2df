// The worker's process: requests come in, answers go out.

#include "differential/device.hpp"
#include "differential/host_program.hpp"
#include "differential/worker.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>

#include <unistd.h>

namespace differential {

namespace {

bool read_exactly(int file, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    ssize_t done = ::read(file, at, bytes);
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

bool write_exactly(int file, const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    ssize_t done = ::write(file, at, bytes);
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A line for each buffer: its hash, or all of its bytes.
std::string describe(const Results& results, bool dumps) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const auto& [name, bytes] : results) {
    text += name + " ";
    if (dumps)
      for (unsigned char byte : bytes)
        text.append({digits[byte >> 4], digits[byte & 15]});
    else
      text += std::to_string(hash_of(bytes));
    text += '\n';
  }
  return text;
}

/// The results of all launches. All launches of one range must have the same results, so only results that differ from those
/// of the range's launch before are added.
std::string describe(const std::vector<Results>& all, const Launches& launches, bool dumps) {
  const std::size_t copies = all.size() / launches.ranges.size();
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % copies == 0 || all[i] != all[i - 1])
      text += "range " + std::to_string(i / copies + 1) +
              (i % copies == 0 ? "" : ", launch " + std::to_string(i % copies + 1)) + "\n" +
              describe(all[i], dumps);
  return text;
}

/// The device of an OpenCL driver; or C++ of the host where there is none.
std::vector<Results> run_on(Device* device, const Request& request, const Launches& launches, double& built) {
  if (!device) {
    if (!is_for_host(request.source)) throw Unsupported();
    HostProgram program(request.source, std::getenv("HOSTCL_DIFFERENTIAL_FOLDER"));
    built = processor_seconds();
    return program.run(request.source, launches);
  }
  const ProgramOwner program = device->build(request.source, request.build_options);
  built = processor_seconds();
  return device->run(program.get(), request.source, launches, request.launches);
}

Answer answer_to(Device* device, const Request& request) {
  const double begin = processor_seconds();
  double built = begin;
  auto answer = [&](Answer::Kind kind, std::string text) {
    return Answer{kind, std::move(text), built - begin, processor_seconds() - built};
  };
  try {
    std::optional<Launches> launches = launches_of(request.source);
    if (!launches) throw Failure("the first lines do not give a range");
    if (request.one_by_one) launches->queues = 0;
    const std::vector<Results> results = run_on(device, request, *launches, built);
    return answer(Answer::Kind::results, describe(results, *launches, request.dumps));
  } catch (const Unsupported&) {
    return answer(Answer::Kind::unsupported, "");
  } catch (const std::exception& error) {
    return answer(Answer::Kind::failed, error.what());
  }
}

} // namespace

int serve(const std::string& name) {
  // Drivers print to the standard output, which is the way to the parent.
  int out = dup(1);
  dup2(2, 1);
  std::optional<Device> device;
  try {
    if (name != host_platform) device.emplace(name);
  } catch (const Failure& failure) {
    std::fprintf(stderr, "differential: %s\n", failure.what());
    _exit(no_platform);
  }
  for (std::uint32_t length = 0; read_exactly(0, &length, sizeof length);) {
    std::string request(length, '\0');
    if (!read_exactly(0, request.data(), length)) break;
    const Answer answer = answer_to(device ? &*device : nullptr, Request::of_text(request));
    const std::string text = static_cast<char>(answer.kind) + answer.text;
    const AnswerHeader header{static_cast<std::uint32_t>(text.size()),
                              static_cast<float>(answer.build_seconds),
                              static_cast<float>(answer.run_seconds)};
    if (!write_exactly(out, &header, sizeof header) || !write_exactly(out, text.data(), text.size())) break;
  }
  _exit(0);
}

} // namespace differential
