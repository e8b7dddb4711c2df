# clang as a cross compiler for aarch64, with the packages that script/sysroot makes a folder of.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(HOSTCL_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build-aarch64/sysroot CACHE PATH "Debian's packages for arm64")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HOSTCL_SYSROOT)
cmake_path(ABSOLUTE_PATH HOSTCL_SYSROOT NORMALIZE OUTPUT_VARIABLE CMAKE_SYSROOT)

foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()

# Programs are this machine's; libraries, headers and packages are of the folder.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})

# For the Debian package: the folder for libraries, and the folder in which dpkg-shlibdeps finds the libraries that the
# package needs.
set(CMAKE_INSTALL_LIBDIR lib/aarch64-linux-gnu CACHE PATH "")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/lib/aarch64-linux-gnu)
