"""NumPy as a peer of the OpenCL drivers in bench/maths: its functions of arrays that are in the cache.

On x86-64 CPUs with AVX-512, NumPy's functions are those of Intel's SVML, or NumPy's own vector code."""

import importlib.util
import re
import time

ELEMENTS = 16384
TYPES = {"float": "float32", "double": "float64", "half": "float16"}
SAME_NAMES = ("cbrt ceil copysign cos cosh divide exp exp2 expm1 fabs floor fmax fmin fmod hypot ldexp log log10 log1p log2 nextafter "
              "rint sin sinh sqrt tan tanh trunc").split()
NAMES = {name: name for name in SAME_NAMES} | {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "pow": "power"}


class NumPy:
    """As maths.Driver, in this process."""

    @staticmethod
    def installed():
        return importlib.util.find_spec("numpy") is not None

    def __init__(self, seconds):
        import numpy
        self.numpy, self.seconds = numpy, seconds

    def version(self):
        found = self.numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
        svml = {"AVX512_SKX", "X86_V4"} & set(found)
        return f"NumPy {self.numpy.__version__}" + (f" with Intel's SVML, {found[-1]}" if svml else ", without SVML")

    def end(self):
        pass

    def measure(self, row, ranges):
        kind, function = row.split(".")
        name = NAMES.get(re.sub("_(large|huge)$", "", function))
        if not name or not ranges:
            return {"skipped": "NumPy does not have this function"}
        call = self.call_of(getattr(self.numpy, name), TYPES[kind], ranges)
        return {"ns": (self.shortest(call(ELEMENTS)) - self.shortest(call(1))) / (ELEMENTS - 1) * 1e9}

    def call_of(self, function, kind, ranges):
        """Makes calls of the function for so many elements."""
        random = self.numpy.random.default_rng(1)

        def call(count):
            first, second = (random.uniform(*ranges[i:i + 2], count).astype(kind) for i in (0, 2))
            arguments = [first, second.astype("int32") if function is self.numpy.ldexp else second][:function.nin]
            out = self.numpy.empty(count, kind)
            return lambda: function(*arguments, out=out)

        return call

    def shortest(self, call):
        """Seconds of the shortest call of many. The time of a call of one element is the overhead of a call."""
        with self.numpy.errstate(all="ignore"):
            shortest, end = float("inf"), time.perf_counter() + self.seconds
            while time.perf_counter() < end:
                start = time.perf_counter()
                call()
                shortest = min(shortest, time.perf_counter() - start)
        return shortest
