#pragma once

#include <CL/cl.h>

/// What an application does between its first context and its last release, as counted calls: a build, launches,
/// maps, images, semaphores, external memory, a command buffer, and calls that are wrong. A call that fails leaves out
/// what needs its result; what was computed has to be right.
void application(cl_device_id device);
