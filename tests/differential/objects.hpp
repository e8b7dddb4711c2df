#pragma once

// Memory objects that kernels are given: buffers, images and pipes, as the plan for a parameter says.

#include "differential/buffers.hpp"
#include "differential/device.hpp"

namespace differential {

BufferOwner make_object(cl_context context, const BufferPlan& plan, const std::string& parameter);

/// Runs the program's kernel of the pipe's name, `fill_NAME` or `drain_NAME`: the first writes as many packets as the
/// launch has work-items, the other returns all of them.
void fill_pipe(cl_command_queue queue, cl_program program, cl_mem pipe, const std::string& parameter,
               std::size_t packets);

/// What a launch has left in the object; packets are sorted.
std::vector<unsigned char> bytes_of(cl_command_queue queue, cl_program program, cl_mem object,
                                    const BufferPlan& plan, const std::string& parameter);

} // namespace differential
