#pragma once

// The machine that the driver is built for, which is the one that kernels run on.

namespace hostcl::compiler {

#if defined(__x86_64__)
inline constexpr bool host_is_x86 = true;
#else
inline constexpr bool host_is_x86 = false;
#endif

} // namespace hostcl::compiler
