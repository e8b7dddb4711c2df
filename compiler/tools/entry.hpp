#pragma once

/// hostclc, which is a part of the driver, so that a package has LLVM once, and the caches that it fills are the driver's.
extern "C" [[gnu::visibility("default")]] int hcl_compile(int count, char** arguments);
