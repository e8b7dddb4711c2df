#pragma once

// The care that the compiler's jobs get, each kind by one function:
//
//   find_cached takes the reply from the disk cache
//   stored      stores it there
//   contained   a crash, a fatal error of LLVM or a lack of memory is an error of the job
//   served      a compile server does the job, if compilers have processes of their own
//
// made() and done() put them together. Fallback levels, which belong to kernels alone, are in fallback.hpp.

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
#include <tuple>

namespace hostcl::compiler {

/// What a server sends for a request.
template <class Reply>
struct Answer {
  std::optional<std::string> error; ///< message
  bool gave_up = false;             ///< whether the error is a GaveUp, or a list of errors that contains one
  StepRecord step;                  ///< last step that has begun
  Reply reply;

  auto fields() { return std::tie(error, gave_up, step, reply); }
};

/// The key of the reply to a request. Equal keys mean equal replies.
template <class Request>
CacheKey key_of(const Request& request) {
  return {"job", packed(Request::task, request)};
}

/// The reply of the cache, or nothing.
template <class Request>
std::optional<typename Request::Reply> find_cached(const Request& request) {
  if (!Request::is_cached || !cache_is_on()) return std::nullopt;
  typename Request::Reply reply;
  const auto bytes = cache_load(key_of(request));
  return bytes && unpack(*bytes, reply) ? std::optional(std::move(reply)) : std::nullopt;
}

/// Whether a reply may be stored: not that of a source which depends on more than the request, and no failure.
inline bool is_lasting(const ModuleReply& reply) {
  return reply.is_reproducible && reply.status == Status::success;
}
template <class Reply>
bool is_lasting(const Reply&) {
  return true;
}

/// The reply that `make` returns, which is stored in the cache.
template <class Request, class Make>
llvm::Expected<typename Request::Reply> stored(const Request& request, Make make) {
  llvm::Expected<typename Request::Reply> reply = make();
  if (Request::is_cached && cache_is_on() && reply && is_lasting(*reply))
    cache_store(key_of(request), packed(*reply));
  return reply;
}

template <class Make>
auto contained(Make make) -> decltype(make()) {
  typename decltype(make())::value_type value;
  llvm::Error error = isolate([&] { return make().moveInto(value); });
  if (error) return error;
  return value;
}

/// The CPU time that a server may spend on a job, in addition to the budget of the isolated work; 0: no limit. Only the
/// last fallback level, after which there is no other one, has no limit of its own.
template <class Request>
std::chrono::nanoseconds own_time(const Request& request) {
  if constexpr (requires { request.level; })
    if (request.level != FallbackLevel::bare) return time_of_level();
  return {};
}

/// @param here does the job in this process
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

/// Does a job with all care, but for the search in the cache. @param here does the job in this process
template <class Request, class Here>
llvm::Expected<typename Request::Reply> made(const Request& request, Here here) {
  return contained([&] { return stored(request, [&] { return served(request, here); }); });
}

/// Does a job with all care.
template <class Request, class Here>
llvm::Expected<typename Request::Reply> done(const Request& request, Here here) {
  if (auto known = find_cached(request)) return std::move(*known);
  return made(request, here);
}

} // namespace hostcl::compiler
