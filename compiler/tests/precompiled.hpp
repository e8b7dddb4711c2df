#pragma once

// What compiler/precompiled.hpp is for the compiler, for programs that test parts of it: Catch2 is there as well.

#include "compiler/precompiled.hpp"
#include "support/catch.hpp"
