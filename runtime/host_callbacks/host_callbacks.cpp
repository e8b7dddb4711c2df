#include "runtime/host_callbacks/host_callbacks.hpp"

#include "compiler/abi/pipe_ring.hpp"
#include "runtime/checks/check_callbacks.hpp"
#include "runtime/coverage/coverage.hpp"
#include "runtime/host_callbacks/enqueueing.hpp"
#include "runtime/host_callbacks/printing.hpp"
#include "runtime/launch/fibers.hpp"
#include "runtime/launch/traps.hpp"

namespace hostcl::runtime {

namespace {

// Host callbacks that call the functions of pipes.

template <auto function>
std::uint64_t reserve(void*, abi::Pipe* pipe, std::uint32_t packets) {
  return function(*pipe, packets);
}

template <auto function>
void commit(void*, abi::Pipe* pipe, std::uint64_t reservation) {
  function(*pipe, reservation);
}

template <auto function>
void reserve_lanes(void*, const std::uint32_t* packets, std::uint64_t* results, std::uint32_t lanes,
                   abi::Pipe* pipe) {
  function(packets, results, lanes, *pipe);
}

template <auto function>
void commit_lanes(void*, const std::uint64_t* reservations, std::uint32_t lanes, abi::Pipe* pipe) {
  function(reservations, lanes, *pipe);
}

void add_pipe_callbacks(abi::HostCallbacks& host_callbacks) {
  using compiler::PipeEnd;
  host_callbacks.pipe_reserve_write = reserve<compiler::reserve<PipeEnd::write>>;
  host_callbacks.pipe_reserve_read = reserve<compiler::reserve<PipeEnd::read>>;
  host_callbacks.pipe_commit_write = commit<compiler::commit<PipeEnd::write>>;
  host_callbacks.pipe_commit_read = commit<compiler::commit<PipeEnd::read>>;
  host_callbacks.pipe_packets = [](void*, abi::Pipe* pipe) { return compiler::packets_in(*pipe); };
  host_callbacks.pipe_reserve_write_lanes = reserve_lanes<compiler::reserve_lanes<PipeEnd::write>>;
  host_callbacks.pipe_reserve_read_lanes = reserve_lanes<compiler::reserve_lanes<PipeEnd::read>>;
  host_callbacks.pipe_commit_write_lanes = commit_lanes<compiler::commit_lanes<PipeEnd::write>>;
  host_callbacks.pipe_commit_read_lanes = commit_lanes<compiler::commit_lanes<PipeEnd::read>>;
}

} // namespace

const abi::HostCallbacks& host_callbacks() {
  static const abi::HostCallbacks all = [] {
    abi::HostCallbacks made{};
    add_print_callback(made);
    add_enqueue_callbacks(made);
    add_trap_callback(made);
    add_pipe_callbacks(made);
    add_wait_callback(made);
    checks::add_check_callbacks(made);
    made.coverage_counters = [](void*, const abi::CoverageProfile* kernel) {
      return coverage::counters_of_thread(*kernel);
    };
    return made;
  }();
  return all;
}

} // namespace hostcl::runtime
