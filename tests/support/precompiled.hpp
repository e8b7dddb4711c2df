#pragma once

// Catch2 and headers of the C++ library that many tests include, compiled once for all of them (hostcl_test_program in
// cmake/HostclOptions.cmake). No test includes this file: each names the headers that it uses. OpenCL's headers are not
// among these, because script/headers compiles the tests that include them with other versions.

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
