#pragma once

// The device under test, for programs without a test framework.

#include <CL/cl.h>

namespace test {

/// $HOSTCL_TEST_PLATFORM, or else "hostcl".
const char* wanted_platform();
/// The first platform whose name contains that, in any case; null if there is none.
cl_platform_id find_platform();
/// Its device. Ends the process if there is none.
cl_device_id chosen_device();
/// Whether hostcl runs kernels in processes of their own (HOSTCL_GUEST), in which they reach no memory of the application
/// but what the driver has allocated.
bool has_guests();

} // namespace test
