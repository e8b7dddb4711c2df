#pragma once

// What cases of HOSTCL_CHECK=commands are made of: queues, memory, and short ways to enqueue. Places are reported once in
// a process, so each world has kernels with names of their own, and buffers of a size of their own.

#include "support/catch.hpp"
#include "support/findings.hpp"
#include "support/session.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace test {

using Waits = std::vector<cl_event>;

class CommandWorld {
public:
  static constexpr size_t items = 64, bytes = items * sizeof(int);

  CommandWorld();
  ~CommandWorld() { finish(); }

  const Session session;
  const cl_command_queue first; ///< in order, as the next
  const Queue second, unordered;
  const Buffer a, b, other; ///< of `bytes` and some more
  std::vector<int> host = std::vector<int>(items), more = std::vector<int>(items);

  // All enqueue something without waiting for it, and give its event.

  Event put(cl_command_queue queue, const Waits& waits = {}, size_t begin = 0, size_t end = items);
  Event get(cl_command_queue queue, const Waits& waits = {}, size_t begin = 0, size_t end = items);
  Event count(cl_command_queue queue, const Waits& waits = {});
  Event put(cl_command_queue queue, cl_mem memory);
  Event get(cl_command_queue queue, cl_mem memory);
  /// By an argument in constant memory.
  Event look(cl_command_queue queue);
  Event write(cl_command_queue queue, cl_mem to, size_t begin, size_t end, const Waits& waits = {});
  Event write(cl_command_queue queue, const Waits& waits = {}) { return write(queue, a, 0, bytes, waits); }
  Event read(cl_command_queue queue, cl_mem from, size_t begin, size_t end, const Waits& waits = {});
  Event read(cl_command_queue queue, const Waits& waits = {}) { return read(queue, a, 0, bytes, waits); }
  Event copy(cl_command_queue queue, const Waits& waits = {});
  Event fill(cl_command_queue queue, cl_mem to, const Waits& waits = {});

  void finish() const;
  Buffer part(cl_mem of, size_t begin, size_t size) const;
  cl_kernel kernel(const char* name);

private:
  Event launch(cl_command_queue queue, cl_kernel kernel, const Waits& waits, size_t begin, size_t end) const;

  std::string suffix_;
  Program program_;
  std::vector<Kernel> kernels_;
};

/// The findings since the last call.
std::vector<std::string> command_findings();

} // namespace test
