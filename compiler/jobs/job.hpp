#pragma once

// The care for the compiler's jobs, which surrounds the work itself. Each kind of care is one function:
//
//   find_cached   takes the reply from the disk cache
//   stored        stores the reply in the disk cache
//   contained     turns a crash, a fatal error of LLVM or a lack of memory into an error of the job
//   served        has a compile server do the job, if use_compiler_processes() says so or work of this process was left
//
// done() composes all of them, and made() all but find_cached(). Fallback levels, which only kernels have, are in
// fallback.hpp.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/jobs/packing.hpp"
#include "compiler/jobs/requests.hpp"
#include "compiler/server/server.hpp"

#include "llvm/Support/Error.h"

#include <chrono>
#include <optional>
#include <string>

namespace hostcl::compiler {

/// What a server sends for a request.
template <class Reply>
struct Answer {
  std::optional<std::string> error; ///< message
  bool gave_up = false;             ///< whether the error is a GaveUp, or a list of errors that contains one
  StepRecord step;                  ///< last step of the pipeline that has begun
  Reply reply;
};

/// The key of the reply to a request. Equal keys mean equal replies.
template <class Request>
CacheKey key_of(const Request& request) {
  return {"job", packed(Request::task, request)};
}

/// Whether the disk cache may have the reply.
template <class Request>
bool is_cached(const Request& request) {
  if constexpr (requires { request.is_worth_storing(); })
    if (!request.is_worth_storing()) return false;
  return cache_is_on();
}

/// The reply that the disk cache has for the request, or nothing.
template <class Request>
std::optional<typename Request::Reply> find_cached(const Request& request) {
  if (!is_cached(request)) return std::nullopt;
  typename Request::Reply reply;
  const auto bytes = cache_load(key_of(request));
  return bytes && unpack(*bytes, reply) ? std::optional(std::move(reply)) : std::nullopt;
}

/// Whether a reply may be stored. A failure may not, and neither may the reply for a source that depends on more than
/// the request, such as files.
inline bool is_lasting(const ModuleReply& reply) {
  return reply.is_reproducible && reply.status == Status::success;
}
template <class Reply>
bool is_lasting(const Reply&) {
  return true;
}

/// Returns the reply that `make` returns, and stores the reply in the disk cache.
template <class Request, class Make>
llvm::Expected<typename Request::Reply> stored(const Request& request, Make make) {
  llvm::Expected<typename Request::Reply> reply = make();
  if (is_cached(request) && reply && is_lasting(*reply)) cache_store(key_of(request), packed(*reply));
  return reply;
}

/// Calls `make` as isolated work (isolate.hpp). @returns its result; a GaveUp if it crashed or was ended
template <class Make>
auto contained(Make make) -> decltype(make()) {
  typename decltype(make())::value_type value;
  llvm::Error error = isolate([&] { return make().moveInto(value); });
  if (error) return error;
  return value;
}

/// The limit of the CPU time that a server may spend on this job, in addition to the budget of the isolated work; 0:
/// none. A kernel's job has such a limit at each fallback level but the last, so that there is time for the next level.
template <class Request>
std::chrono::nanoseconds own_time(const Request& request) {
  if constexpr (requires { request.level; })
    if (request.level != FallbackLevel::bare) return time_of_level();
  return {};
}

/// Has a compile server do the job. If there are no servers, calls `here`, which does the job in this process.
template <class Request, class Here>
llvm::Expected<typename Request::Reply> served(const Request& request, Here here) {
  if (!uses_servers()) return here();
  StepRecord step;
  auto bytes = ask(Request::task, packed(working_folder(), request), own_time(request), step);
  if (!bytes) return here();
  Answer<typename Request::Reply> answer;
  if (!*bytes) {
    Trying::note_step(step);
    return bytes->takeError();
  }
  if (!unpack(**bytes, answer)) return llvm::make_error<GaveUp>("its process has written no reply");
  Trying::note_step(answer.step);
  if (answer.error && answer.gave_up) return llvm::make_error<GaveUp>(*answer.error);
  if (answer.error) return llvm::createStringError(*answer.error);
  return std::move(answer.reply);
}

/// Does a job with all care except for the search in the cache. @param here does the job in this process
template <class Request, class Here>
llvm::Expected<typename Request::Reply> made(const Request& request, Here here) {
  auto once = [&] {
    return contained([&] { return stored(request, [&] { return served(request, here); }); });
  };
  llvm::Expected<typename Request::Reply> reply = once();
  if (reply) return reply;
  llvm::Error error = reply.takeError();
  if (reason_of(error) != stuck) return error;
  llvm::consumeError(std::move(error));
  return once(); // in a server, as all jobs since other work was left
}

/// Does a job with all care. @param here does the job in this process
template <class Request, class Here>
llvm::Expected<typename Request::Reply> done(const Request& request, Here here) {
  if (auto known = find_cached(request)) return std::move(*known);
  return made(request, here);
}

} // namespace hostcl::compiler
