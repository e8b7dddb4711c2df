# Compiler settings shared by every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(HOSTCL_SANITIZER "" CACHE STRING "address, undefined, thread, or empty")
set_property(CACHE HOSTCL_SANITIZER PROPERTY STRINGS "" address undefined thread)

option(HOSTCL_FUZZ "Fuzzers with libFuzzer" OFF)

# hostcl_of_this_cpu(LIST)  leaves out the files of a list that are for other kinds of CPU: what is of one has its name.
function(hostcl_of_this_cpu list)
  set(own ${${list}})
  list(FILTER own INCLUDE REGEX "_${CMAKE_SYSTEM_PROCESSOR}\\.cpp$")
  list(FILTER ${list} EXCLUDE REGEX "_(x86_64|aarch64)\\.cpp$")
  set(${list} ${${list}} ${own} PARENT_SCOPE)
endfunction()

# hostcl_embed(LIST SYMBOL FILE)  adds a source to a list that has the bytes of a file from SYMBOL to SYMBOL_end, and a zero
# after them.
function(hostcl_embed list symbol file)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.S.in ${source} @ONLY)
  set_property(SOURCE ${source} PROPERTY OBJECT_DEPENDS ${file})
  set(${list} ${${list}} ${source} PARENT_SCOPE)
endfunction()

set(HOSTCL_COVERAGE "" CACHE STRING "rooms whose code counts how often it runs, as compiler or compiler/passes/3_group; or empty")

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
# The compiler may contract a product and a sum to an fma. The baseline of x86-64 has no fma, so code for
# x86-64 rounds each operation. C++ code for AArch64 must give the same results.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  add_compile_options(-ffp-contract=off)
endif()
add_link_options(-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id)
# LLVM's archives bring debug information that valgrind cannot read; builds without their own keep none.
add_link_options($<$<CONFIG:Release>:-Wl,--strip-debug>)
if(HOSTCL_FUZZ) # the fuzzers in tests/fuzz see which code an input reaches
  add_compile_options(-fsanitize=fuzzer-no-link -gline-tables-only)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(HOSTCL_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()
# hostcl_count_runs(FILE...)  instruments those of the files, relative to this folder, that are in HOSTCL_COVERAGE.
function(hostcl_count_runs)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(room ${HOSTCL_COVERAGE})
    foreach(file ${ARGN})
      if("${folder}/${file}" MATCHES "^${room}/")
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "-fprofile-instr-generate;-fcoverage-mapping")
      endif()
    endforeach()
  endforeach()
endfunction()
# hostcl_precompile(TARGET HEADER...)  compiles the headers once for all units of the target.
# hostcl_precompile(TARGET REUSE_FROM OTHER)  uses those of another target, which has to have the same compiler options.
function(hostcl_precompile target)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # ccache compares precompiled headers by their content, which would otherwise hold the time stamps of the headers.
  target_compile_options(${target} PRIVATE "SHELL:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Xclang -fno-pch-timestamp>")
endfunction()
# hostcl_test_program(TARGET)  is for test programs: they are compiled with little optimisation and share precompiled headers.
function(hostcl_test_program target)
  target_compile_options(${target} PRIVATE -O1)
  hostcl_precompile(${target} REUSE_FROM hostcl_test_models)
endfunction()
if(HOSTCL_SANITIZER)
  include(HostclSanitizer)
endif()
