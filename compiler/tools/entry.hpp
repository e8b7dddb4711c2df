#pragma once

/// The main function of hostclc. It is a part of the driver's library, so that a package contains LLVM only once, and
/// so that the driver finds the entries of caches that hostclc fills.
extern "C" [[gnu::visibility("default")]] int hcl_compile(int count, char** arguments);
