# The wheel's driver, of the same objects as hostcl, for systems whose C library is older than this one's: the target
# hostcl_wheel, which script/package wheel builds. It needs nothing but that library and libgcc's unwinder. Versions of the C library's
# symbols are chosen by what a library is linked with, here with those of an older one.

set(HOSTCL_OLDEST_GLIBC 2.28 CACHE STRING "the version of glibc that the wheel needs")
set(folder ${PROJECT_BINARY_DIR}/wheel)
set(scripts ${PROJECT_SOURCE_DIR}/script/wheel)

add_custom_command(OUTPUT ${folder}/fetched/status
  COMMAND ${CMAKE_COMMAND} -E env DPKG_ADMINDIR=${CMAKE_SYSROOT}/var/lib/dpkg ${scripts}/fetch ${folder}/fetched
          ${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}
  DEPENDS ${scripts}/fetch COMMENT "Wheel: the C library of Debian 11, oneTBB's source" VERBATIM)
add_custom_command(OUTPUT ${folder}/libc/libc.so
  COMMAND ${scripts}/older_libc ${HOSTCL_OLDEST_GLIBC} ${folder}/fetched/system ${folder}/libc
          ${CMAKE_CXX_COMPILER} ${own_target}
  DEPENDS ${scripts}/older_libc ${folder}/fetched/status COMMENT "Wheel: glibc ${HOSTCL_OLDEST_GLIBC}" VERBATIM)

# oneTBB as an archive, with the namespace that the driver knows it by, and the functions that it gets from the driver
# (cmake/own_tbb.sed).
set(own_tbb ${folder}/libtbb.a)
add_custom_command(OUTPUT ${own_tbb}
  COMMAND ${CMAKE_COMMAND} -G Ninja -S ${folder}/fetched/tbb -B ${folder}/tbb --log-level=ERROR
          "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE}" "-DHOSTCL_SYSROOT=${HOSTCL_SYSROOT}"
          -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
          -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF
          "-DCMAKE_CXX_FLAGS=-Dtbb=tcA -ffunction-sections -fdata-sections"
          -DCMAKE_ARCHIVE_OUTPUT_DIRECTORY=${folder}/tbb -DTBB_OUTPUT_DIR_BASE=own
  COMMAND ${CMAKE_COMMAND} --build ${folder}/tbb --target tbb
  COMMAND ${HOSTCL_LLVM_TOOLS}/llvm-objcopy --redefine-sym pthread_create=hcl_new_thread
          --redefine-sym pthread_key_create=hcl_new_thread_key ${folder}/tbb/own_release/libtbb.a ${own_tbb}
  DEPENDS ${folder}/fetched/status COMMENT "Wheel: oneTBB" VERBATIM)

add_library(hostcl_wheel SHARED EXCLUDE_FROM_ALL older_glibc.cpp $<TARGET_OBJECTS:hostcl>
            $<TARGET_OBJECTS:hostcl_own_threads> $<TARGET_OBJECTS:hostcl_tool>)
add_custom_target(hostcl_wheel_libraries DEPENDS ${folder}/libc/libc.so ${own_tbb})
add_dependencies(hostcl_wheel hostcl_wheel_libraries)
target_link_libraries(hostcl_wheel PRIVATE ${own_tbb})
hostcl_link_driver(hostcl_wheel ${folder}/libc/Scrt1.o)
set_target_properties(hostcl_wheel PROPERTIES OUTPUT_NAME hostcl LIBRARY_OUTPUT_DIRECTORY ${folder})
set_property(TARGET hostcl_wheel APPEND PROPERTY LINK_DEPENDS ${folder}/libc/libc.so ${own_tbb})
target_link_options(hostcl_wheel PRIVATE -L${folder}/libc -Wl,-O2)
# libgcc's arithmetic is the driver's own. Its unwinder is the process': exceptions of native kernels pass from one
# library to another.
target_link_libraries(hostcl_wheel PRIVATE gcc pthread dl)
