#pragma once

// Memory whose parts are arguments of a kernel, in the ways that OpenCL has, and kernels that tell if an access to one
// argument is taken to leave another one alone.

#include "support/session.hpp"
#include "support/unified_memory.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace test::overlap {

/// Numbers that a kernel reads, and in all memory.
inline constexpr size_t count = 320, words = 2048;

/// Where the arguments begin, in words; parts of buffers begin at multiples of 128 bytes.
struct Places {
  size_t in, out;
};
inline constexpr Places all_places[] = {{0, 1024}, {1024, 0}, {0, 0},   {0, 32},  {32, 0},
                                        {0, 288},  {288, 0},  {32, 32}, {0, 320}, {1024, 0}};

inline constexpr const char* source = R"(
  kernel void sum(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) == 0) for (uint i = 0; i < n; ++i) out[2] += in[i] * 3 + 1;
  }
  kernel void move(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) == 0) for (uint i = 0; i < n; ++i) out[i] = in[i] + 5;
  }
  kernel void count(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) == 0) for (uint i = 0; i < n; ++i) atomic_add(&out[in[i] & 63], in[i] + 1);
  }
  kernel void most(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) == 0) for (uint i = 0; i < n; ++i) atomic_max(&out[1], in[i] ^ 85);
  }
  kernel void chosen(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) != 0) return;
    for (uint i = 0; i < n; ++i) {
      global uint* p = in[i] & 1 ? out : (global uint*)in;
      *p += in[i] + out[3];
    }
  }
  kernel void walked(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) != 0) return;
    global const uint *p = in, *q = out;
    for (uint i = 0; i < n; ++i) {
      global const uint* next = q + 1;
      out[4] += *p;
      q = p;
      p = next;
    }
  }
  kernel void kept(global const uint* in, global uint* out, uint n) {
    if (get_global_id(0) != 0) return;
    global const uint* places[2];
    places[n & 1] = in;
    places[~n & 1] = out;
    for (uint i = 0; i < n; ++i) out[5] += *places[in[i] & 1]++;
  }
)";
inline constexpr const char* kernel_names[] = {"sum", "move", "count", "most", "chosen", "walked", "kept"};

/// What a kernel does, statement by statement.
inline void run_on_host(std::string_view kernel, volatile cl_uint* in, volatile cl_uint* out) {
  volatile cl_uint *p = in, *q = out;
  volatile cl_uint* places[2] = {in, out}; // count is even
  for (cl_uint i = 0; i < count; ++i) {
    if (kernel == "sum") out[2] = out[2] + (in[i] * 3 + 1);
    if (kernel == "move") out[i] = in[i] + 5;
    if (kernel == "count") {
      const cl_uint more = in[i] + 1, place = in[i] & 63;
      out[place] = out[place] + more;
    }
    if (kernel == "most") {
      const cl_uint before = out[1], other = in[i] ^ 85;
      out[1] = std::max(before, other);
    }
    if (kernel == "chosen") {
      volatile cl_uint* to = in[i] & 1 ? out : in;
      const cl_uint more = in[i] + out[3];
      *to = *to + more;
    }
    if (kernel == "walked") {
      volatile cl_uint* next = q + 1;
      out[4] = out[4] + *p;
      q = p;
      p = next;
    }
    if (kernel == "kept") {
      volatile cl_uint*& from = places[in[i] & 1];
      out[5] = out[5] + *from;
      ++from;
    }
  }
}
static_assert(count % 2 == 0);

/// Memory of so many words.
class Memory {
public:
  virtual ~Memory() = default;
  /// Makes the memory from a word on an argument.
  virtual void set(cl_kernel kernel, cl_uint index, size_t word) = 0;
  virtual void write(const std::vector<cl_uint>& values) = 0;
  virtual std::vector<cl_uint> read() = 0;

  /// Writes numbers that depend on the seed. @returns them
  std::vector<cl_uint> fill(size_t seed) {
    std::vector<cl_uint> values(words);
    auto state = static_cast<cl_uint>(seed);
    for (cl_uint& value : values)
      value = (state = state * 1664525 + 1013904223) >> 12;
    write(values);
    return values;
  }
};

inline void check_run(const Session& session, Memory& memory, cl_kernel kernel, std::string_view name,
                      const Places& places, size_t global) {
  std::vector<cl_uint> expected = memory.fill(places.in + 3 * places.out);
  run_on_host(name, expected.data() + places.in, expected.data() + places.out);
  memory.set(kernel, 0, places.in);
  memory.set(kernel, 1, places.out);
  REQUIRE_CL(set_argument(kernel, 2, cl_uint(count)));
  session.run(kernel, global);
  CHECK(memory.read() == expected);
}

/// Runs a kernel with a buffer for each argument, for which tier 1 code may be made.
inline void check_disjoint(const Session& session, cl_kernel kernel, std::string_view name, size_t global) {
  std::vector<cl_uint> in(count + 40), out(count + 40);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = cl_uint(i * i * 7);
    out[i] = cl_uint(i);
  }
  const auto read = session.buffer(in), written = session.buffer(out);
  run_on_host(name, in.data(), out.data());
  set_arguments(kernel, read, written, cl_uint(count));
  session.run(kernel, global);
  CHECK(session.read<cl_uint>(read, in.size()) == in);
  CHECK(session.read<cl_uint>(written, out.size()) == out);
}

/// Parts of one buffer.
class Parts : public Memory {
public:
  explicit Parts(const Session& session)
      : session_(session), whole_(session.buffer(words * sizeof(cl_uint))) {}
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    const cl_buffer_region region{word * sizeof(cl_uint), (count + 40) * sizeof(cl_uint)};
    cl_int error = 1;
    parts_.emplace_back(clCreateSubBuffer(whole_, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    REQUIRE_CL(error);
    REQUIRE_CL(set_argument(kernel, index, parts_.back()));
  }
  void write(const std::vector<cl_uint>& values) override {
    REQUIRE_CL(clEnqueueWriteBuffer(session_.queue, whole_, CL_TRUE, 0, words * sizeof(cl_uint),
                                    values.data(), 0, nullptr, nullptr));
  }
  std::vector<cl_uint> read() override { return session_.read<cl_uint>(whole_, words); }

protected:
  const Session& session_;
  Buffer whole_;
  std::vector<Buffer> parts_;
};

/// A buffer, where an argument is its beginning, and parts of it.
class WholeAndPart : public Parts {
public:
  using Parts::Parts;
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    if (word != 0) return Parts::set(kernel, index, word);
    REQUIRE_CL(set_argument(kernel, index, whole_));
  }
};

/// What the host and kernels reach at one address.
class Addressed : public Memory {
public:
  explicit Addressed(cl_uint* data) : data_(data) { REQUIRE(data); }
  cl_uint* data() const { return data_; }
  void write(const std::vector<cl_uint>& values) override { std::ranges::copy(values, data_); }
  std::vector<cl_uint> read() override { return {data_, data_ + words}; }

private:
  cl_uint* data_;
};

/// Buffers that the application gives their memory.
class HostPointers : public Addressed {
public:
  explicit HostPointers(const Session& session) : HostPointers(session, std::make_unique<cl_uint[]>(words)) {}
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    buffers_.push_back(session_.buffer((words - word) * sizeof(cl_uint), CL_MEM_USE_HOST_PTR, data() + word));
    REQUIRE_CL(set_argument(kernel, index, buffers_.back()));
  }

private:
  HostPointers(const Session& session, std::unique_ptr<cl_uint[]> memory)
      : Addressed(memory.get()), session_(session), memory_(std::move(memory)) {}

  const Session& session_;
  std::unique_ptr<cl_uint[]> memory_;
  std::vector<Buffer> buffers_;
};

/// Pointers to shared virtual memory.
class SharedPointers : public Addressed {
public:
  explicit SharedPointers(const Session& session)
      : Addressed(static_cast<cl_uint*>(clSVMAlloc(
            session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_READ_WRITE, words * sizeof(cl_uint), 0))),
        session_(session) {}
  ~SharedPointers() override { clSVMFree(session_.context, data()); }
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    REQUIRE_CL(clSetKernelArgSVMPointer(kernel, index, data() + word));
  }

protected:
  const Session& session_;
};

/// A pointer to shared virtual memory as the first argument, and buffers in it.
class PointerAndBuffer : public SharedPointers {
public:
  using SharedPointers::SharedPointers;
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    if (index == 0) return SharedPointers::set(kernel, index, word);
    buffers_.push_back(session_.buffer((words - word) * sizeof(cl_uint), CL_MEM_USE_HOST_PTR, data() + word));
    REQUIRE_CL(set_argument(kernel, index, buffers_.back()));
  }

private:
  std::vector<Buffer> buffers_;
};

/// Pointers to unified memory.
class UnifiedPointers : public Addressed {
public:
  UnifiedPointers(const UnifiedMemory& world, Kind kind)
      : Addressed(static_cast<cl_uint*>(world.allocate(kind, words * sizeof(cl_uint)))), world_(world) {}
  ~UnifiedPointers() override { world_.f.clMemFreeINTEL(world_.session.context, data()); }
  void set(cl_kernel kernel, cl_uint index, size_t word) override {
    REQUIRE_CL(world_.f.clSetKernelArgMemPointerINTEL(kernel, index, data() + word));
  }

private:
  const UnifiedMemory& world_;
};

} // namespace test::overlap
