#include "runtime/services/services.hpp"

#include "compiler/abi/pipe_ring.hpp"
#include "runtime/checks/services.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/services/enqueueing.hpp"
#include "runtime/services/printing.hpp"

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

void add_pipe_services(abi::Services& services) {
  services.pipe_reserve_write = reserve<compiler::reserve_write>;
  services.pipe_reserve_read = reserve<compiler::reserve_read>;
  services.pipe_commit_write = commit<compiler::commit_write>;
  services.pipe_commit_read = commit<compiler::commit_read>;
  services.pipe_packets = [](void*, abi::Pipe* pipe) { return compiler::packets_in(*pipe); };
  services.pipe_reserve_write_lanes = reserve_lanes<compiler::reserve_write_lanes>;
  services.pipe_reserve_read_lanes = reserve_lanes<compiler::reserve_read_lanes>;
  services.pipe_commit_write_lanes = commit_lanes<compiler::commit_write_lanes>;
  services.pipe_commit_read_lanes = commit_lanes<compiler::commit_read_lanes>;
}

} // namespace

const abi::Services& services() {
  static const abi::Services all = [] {
    abi::Services made{};
    add_print_service(made);
    add_enqueue_services(made);
    add_trap_service(made);
    add_pipe_services(made);
    checks::add_services(made);
    return made;
  }();
  return all;
}

} // namespace hostcl::runtime
