# A build with one of clang's sanitisers. The driver is a library in programs that may not be instrumented, so the
# sanitiser's runtime is a shared library as well. Machine code of kernels is not instrumented, and neither is LLVM.

# vptr and function checks need RTTI, which LLVM is built without.
add_compile_options(-fsanitize=${HOSTCL_SANITIZER} -fno-omit-frame-pointer -O1 -gline-tables-only
                    $<$<STREQUAL:${HOSTCL_SANITIZER},undefined>:-fno-sanitize=vptr,function>)
add_link_options(-fsanitize=${HOSTCL_SANITIZER} -shared-libsan)

# Per sanitiser: the name of its runtime, and the options that the tests need.
set(runtime_of_address asan)
set(runtime_of_undefined ubsan_standalone)
set(runtime_of_thread tsan)
# Headers of LLVM mark the free memory of its pools, its compiled code does not take the marks off.
set(options_of_address allow_user_poisoning=0)
set(options_of_undefined halt_on_error=1:print_stacktrace=1)
# A test has children that were forked off while other threads ran. The driver's threads are not joined when a process
# ends: they compile until it is gone.
set(options_of_thread second_deadlock_stack=1:die_after_fork=0:report_thread_leaks=0)

set(library libclang_rt.${runtime_of_${HOSTCL_SANITIZER}}-${CMAKE_SYSTEM_PROCESSOR}.so)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE HOSTCL_SANITIZER_RUNTIME
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS "${HOSTCL_SANITIZER_RUNTIME}")
  message(FATAL_ERROR "There is no ${library}: a sanitised build needs the package libclang-rt-22-dev.")
endif()
cmake_path(GET HOSTCL_SANITIZER_RUNTIME PARENT_PATH folder)
add_link_options(-Wl,-rpath,${folder})

# CTest reads this before the tests, so that they have the options without a variable of the user's.
string(REGEX REPLACE "_.*" "" prefix ${runtime_of_${HOSTCL_SANITIZER}})
string(TOUPPER ${prefix}_OPTIONS variable)
set(options ${options_of_${HOSTCL_SANITIZER}})
file(WRITE ${PROJECT_BINARY_DIR}/sanitizer_options.cmake "set(ENV{${variable}} [[${options}]])\n")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES
             ${PROJECT_BINARY_DIR}/sanitizer_options.cmake)

# For processes that end while threads go on: LeakSanitizer may not find what those hold.
if(HOSTCL_SANITIZER STREQUAL "address")
  set(HOSTCL_UNCHECKED_LEAKS ${variable}=${options}:detect_leaks=0)
endif()

# For programs of others that load the driver: the runtime has to be in the process first, and what they leak is theirs.
if(NOT HOSTCL_SANITIZER STREQUAL "undefined")
  set(HOSTCL_FOREIGN_ENVIRONMENT LD_PRELOAD=${HOSTCL_SANITIZER_RUNTIME} ${variable}=${options}:detect_leaks=0)
endif()
