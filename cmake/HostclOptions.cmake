# Compiler settings shared by every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(HOSTCL_SANITIZER "" CACHE STRING "address, undefined, thread, or empty")
set_property(CACHE HOSTCL_SANITIZER PROPERTY STRINGS "" address undefined thread)

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
add_link_options(-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id)
if(HOSTCL_SANITIZER)
  # vptr checks need RTTI, which Debian's LLVM is built without a matching ABI for.
  add_compile_options(-fsanitize=${HOSTCL_SANITIZER} -fno-omit-frame-pointer -O1 -gline-tables-only
                      $<$<STREQUAL:${HOSTCL_SANITIZER},undefined>:-fno-sanitize=vptr,function>)
  add_link_options(-fsanitize=${HOSTCL_SANITIZER} -shared-libsan)
endif()
