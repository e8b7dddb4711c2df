#include "runtime/services/services.hpp"

#include "runtime/checks/services.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/services/enqueueing.hpp"
#include "runtime/services/printing.hpp"

namespace hostcl::runtime {

const abi::Services& services() {
  static const abi::Services all = [] {
    abi::Services made{};
    add_print_service(made);
    add_enqueue_services(made);
    add_trap_service(made);
    checks::add_services(made);
    return made;
  }();
  return all;
}

} // namespace hostcl::runtime
