#!/usr/bin/env python3
"""PyOpenCL's array arithmetic, reductions and scans on hostcl, compared with NumPy."""

import os
import sys

os.environ["PYOPENCL_NO_CACHE"] = "1"
try:
    import numpy
    import pyopencl
    import pyopencl.array
    import pyopencl.clmath
    from pyopencl.reduction import ReductionKernel
    from pyopencl.scan import InclusiveScanKernel
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

wanted = os.environ.get("HOSTCL_TEST_PLATFORM") or "hostcl"
platform = next(p for p in pyopencl.get_platforms() if wanted in p.name.lower())
context = pyopencl.Context(platform.get_devices())
queue = pyopencl.CommandQueue(context)
random = numpy.random.default_rng(1)
size = 100_003

for kind in (numpy.float32, numpy.float64, numpy.int32, numpy.int64):
    a = (random.random(size) * 100).astype(kind)
    b = (random.random(size) * 100 + 1).astype(kind)
    on_a, on_b = pyopencl.array.to_device(queue, a), pyopencl.array.to_device(queue, b)
    for name, ours, theirs in (("a + b", on_a + on_b, a + b), ("a * b - a", on_a * on_b - on_a, a * b - a),
                               ("3 * a", 3 * on_a, 3 * a), ("a[5:99]", on_a[5:99], a[5:99])):
        assert numpy.allclose(ours.get(), theirs), f"{name} for {kind.__name__}"
    assert numpy.allclose(pyopencl.array.sum(on_a).get(), a.sum(), rtol=1e-3), f"sum for {kind.__name__}"
    assert pyopencl.array.max(on_a).get() == a.max() and pyopencl.array.min(on_a).get() == a.min()

a = random.random(size).astype(numpy.float32)
on_a = pyopencl.array.to_device(queue, a)
assert numpy.allclose(pyopencl.clmath.sin(on_a).get(), numpy.sin(a), rtol=1e-4)

dot = ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                      arguments="__global const float *x, __global const float *y")
assert numpy.isclose(dot(on_a, on_a).get(), numpy.dot(a, a), rtol=1e-3)

numbers = numpy.arange(size, dtype=numpy.int32) % 17
on_numbers = pyopencl.array.to_device(queue, numbers)
InclusiveScanKernel(context, numpy.int32, "a+b", neutral="0")(on_numbers)
assert (on_numbers.get() == numpy.cumsum(numbers)).all(), "scan"

# What a query returns is retained, also when the application has let go of it.
lonely = pyopencl.CommandQueue(pyopencl.Context(platform.get_devices()))
assert lonely.context.devices == platform.get_devices()
print("as NumPy has it")
