"""Lists hostcl through PyOpenCL, and compares a kernel's result."""

import numpy
import pyopencl
platform, = [platform for platform in pyopencl.get_platforms() if platform.name == "hostcl"]
queue = pyopencl.CommandQueue(pyopencl.Context(platform.get_devices()))
program = pyopencl.Program(queue.context, "kernel void f(global float* x) { x[get_global_id(0)] *= 3; }").build()
values = numpy.arange(1000, dtype=numpy.float32)
buffer = pyopencl.Buffer(queue.context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program.f(queue, (1000,), None, buffer)
result = numpy.empty_like(values)
pyopencl.enqueue_copy(queue, result, buffer)
assert (result == 3 * values).all()
