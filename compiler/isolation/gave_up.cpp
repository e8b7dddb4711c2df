// Part of isolate.hpp: why isolated work has failed.

#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace hostcl::compiler {

char GaveUp::ID = 0;

void GaveUp::log(llvm::raw_ostream& stream) const {
  stream << reason_;
}

std::string_view reason_of(const llvm::Error& error) {
  std::string_view reason;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase& info) {
    if (info.isA<GaveUp>()) reason = static_cast<const GaveUp&>(info).reason();
  });
  return reason;
}

bool ends_all_levels(std::string_view reason) {
  return reason == out_of_memory || reason == over_time || reason == over_memory || reason == unwanted ||
         reason == servers_killed || reason == servers_closed;
}

Failed failed(llvm::Error error, Status status, std::string log) {
  if (reason_of(error) == out_of_memory) {
    llvm::consumeError(std::move(error));
    return {Status::out_of_memory, {}};
  }
  if (reason_of(error) == servers_killed) status = Status::out_of_memory;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase& info) {
    log += (info.isA<GaveUp>() ? "error: the compiler gave up: " : "error: ") + info.message() + "\n";
  });
  return {status, std::move(log)};
}

} // namespace hostcl::compiler
