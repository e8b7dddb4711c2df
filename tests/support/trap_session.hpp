#pragma once

// A session whose context keeps what it is told of errors.

#include "support/session.hpp"

#include <algorithm>
#include <mutex>

namespace test {

/// The sentences of a context's callback, which any thread may call.
class Sentences {
public:
  static void CL_CALLBACK add(const char* sentence, const void*, size_t, void* list) {
    auto& sentences = *static_cast<Sentences*>(list);
    const std::scoped_lock guard(sentences.mutex_);
    sentences.all_.emplace_back(sentence);
  }
  void clear() {
    const std::scoped_lock guard(mutex_);
    all_.clear();
  }
  /// Whether one of them has all these parts.
  bool have(const std::vector<std::string>& parts) const {
    const std::scoped_lock guard(mutex_);
    return std::ranges::any_of(all_, [&](const std::string& sentence) {
      return std::ranges::all_of(
          parts, [&](const std::string& part) { return sentence.find(part) != std::string::npos; });
    });
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::string> all_;
};

struct TrapSession : Session {
  explicit TrapSession(cl_command_queue_properties properties = 0) {
    const cl_device_id id = device();
    cl_int error = 1;
    context = Context(clCreateContext(nullptr, 1, &id, Sentences::add, &sentences, &error));
    REQUIRE_CL(error);
    queue = make_queue(context, properties);
  }

  Sentences sentences;
};

/// What a launch ends with in which a work-item traps.
inline constexpr cl_int trapped = CL_OUT_OF_RESOURCES;

} // namespace test
