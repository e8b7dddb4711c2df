#pragma once

// Headers of the C++ library that many units of the runtime include, compiled once for all of them (hostcl_precompile in
// cmake/HostclOptions.cmake). No unit includes this file: each names the headers that it uses. OpenCL's headers are not
// among these, because script/headers compiles the units that include them with other versions.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
