#include "runtime/faults/crash_place.hpp"

#include "compiler/isolation/code_place.hpp"
#include "runtime/faults/tally.hpp"

#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <unwind.h>

namespace hostcl::runtime::faults {

namespace {

/// Whether the address is in the C library. A crash there is the fault of the caller, which has passed a wrong pointer
/// or called abort().
bool is_in_c_library(std::uintptr_t address) {
  dl_find_object code{}, library{};
  return _dl_find_object(reinterpret_cast<void*>(address), &code) == 0 &&
         _dl_find_object(reinterpret_cast<void*>(&std::abort), &library) == 0 &&
         code.dlfo_map_start == library.dlfo_map_start;
}

/// The walk over the frames of the thread that got the signal, from the handler's frame outwards.
struct Walk {
  std::uintptr_t interrupted;     ///< address of the instruction that the signal interrupted
  bool is_beyond_handler = false; ///< the walk has reached the frame of that instruction
  std::uintptr_t found = 0;       ///< the innermost address outside of the C library
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t address = _Unwind_GetIP(frame);
  walk.is_beyond_handler |= address == walk.interrupted;
  if (!walk.is_beyond_handler || is_in_c_library(address)) return _URC_NO_REASON;
  walk.found = address;
  return _URC_END_OF_STACK;
}

} // namespace

void note_crash(std::string_view signal, const ucontext_t& context) noexcept {
  const std::uintptr_t interrupted = compiler::program_counter(context);
  Walk walk{.interrupted = interrupted};
  if (is_in_c_library(interrupted)) _Unwind_Backtrace(visit, &walk);
  const compiler::Place place = compiler::place_of(walk.found ? walk.found : interrupted);
  std::string_view owner = "application";
  if (place == compiler::Place::driver) owner = "hostcl";
  if (place == compiler::Place::generated) owner = "kernel";
  note({"crash", signal, owner});
}

} // namespace hostcl::runtime::faults
