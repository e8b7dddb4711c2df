# Everything hostcl takes from elsewhere. Paths are explicit where a second OpenCL or LLVM installation could
# otherwise be picked up.

# Static libraries become parts of the driver, for applications bring other versions under the same names.
function(hostcl_static_library target file)
  find_library(HOSTCL_${file} NAMES ${file} REQUIRED)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${HOSTCL_${file}})
endfunction()
hostcl_static_library(ZLIB::ZLIB libz.a) # as LLVM's CMake files call it
hostcl_static_library(zstd::libzstd_shared libzstd.a) # likewise
hostcl_static_library(hostcl_xxhash libxxhash.a)

find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
find_package(Clang REQUIRED CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
# Its programs run on this machine, also where the driver is built for another.
find_program(HOSTCL_CLANG clang PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH REQUIRED)
cmake_path(GET HOSTCL_CLANG PARENT_PATH HOSTCL_LLVM_TOOLS)
find_package(TBB REQUIRED)
find_package(Threads REQUIRED)
find_package(Catch2 QUIET) # which only the tests need

# The system's headers and loader, never those of a GPU toolkit.
find_path(HOSTCL_OPENCL_INCLUDE_DIR CL/cl_icd.h PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
find_library(HOSTCL_OPENCL_LOADER NAMES libOpenCL.so.1 OpenCL
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib NO_DEFAULT_PATH REQUIRED)

add_library(hostcl_opencl_headers INTERFACE)
target_include_directories(hostcl_opencl_headers SYSTEM INTERFACE ${HOSTCL_OPENCL_INCLUDE_DIR})
target_compile_definitions(hostcl_opencl_headers INTERFACE CL_TARGET_OPENCL_VERSION=300 CL_HPP_TARGET_OPENCL_VERSION=300)

# What an OpenCL application links.
add_library(hostcl_opencl_loader INTERFACE)
target_link_libraries(hostcl_opencl_loader INTERFACE hostcl_opencl_headers ${HOSTCL_OPENCL_LOADER})

# LLVM and clang, linked statically into the driver.
llvm_map_components_to_libnames(HOSTCL_LLVM_LIBS
  analysis bitreader coverage debuginfodwarf frontenddriver frontendhlsl frontendoffloading frontendopenmp lto option profiledata windowsdriver bitwriter bitstreamreader codegen core coroutines executionengine instcombine ipo irreader jitlink
  linker mc passes scalaropts support target targetparser transformutils vectorize
  nativecodegen native)
# clang's archives by file: as CMake targets they drag in LLVM's shared library, which must not be in the process.
set(HOSTCL_CLANG_LIBS)
foreach(name CodeGen Frontend Serialization Driver Options Parse Sema APINotes AnalysisLifetimeSafety Analysis Edit ASTMatchers AST Support
        Lex Basic)
  if(TARGET clang${name})
    list(APPEND HOSTCL_CLANG_LIBS $<TARGET_FILE:clang${name}>)
  endif()
endforeach()
add_library(hostcl_llvm INTERFACE)
target_include_directories(hostcl_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_options(hostcl_llvm INTERFACE -fno-rtti)
target_link_libraries(hostcl_llvm INTERFACE -Wl,--start-group ${HOSTCL_CLANG_LIBS} -Wl,--end-group
                      ${HOSTCL_LLVM_LIBS})

# hwloc's static library, which takes from elsewhere what runtime/threads/hwloc_imports.cpp gives it, and functions of the C
# library.
find_library(HOSTCL_libhwloc.a NAMES libhwloc.a REQUIRED)
set(own_hwloc ${PROJECT_BINARY_DIR}/own/libhwloc.a)
set(imports ${PROJECT_SOURCE_DIR}/runtime/threads/hwloc_imports.txt)
add_custom_command(OUTPUT ${own_hwloc}
  COMMAND ${HOSTCL_LLVM_TOOLS}/llvm-objcopy --redefine-syms=${imports} ${HOSTCL_libhwloc.a} ${own_hwloc}
  DEPENDS ${imports} ${HOSTCL_libhwloc.a} VERBATIM)
add_library(hostcl_hwloc STATIC IMPORTED GLOBAL)
set_target_properties(hostcl_hwloc PROPERTIES IMPORTED_LOCATION ${own_hwloc})

# oneTBB is there as a shared library only. The driver has a copy of it, with names of its own.
find_program(HOSTCL_PATCHELF patchelf REQUIRED)
set(own_tbb ${PROJECT_BINARY_DIR}/hcltbb.so.12)
set(renaming ${PROJECT_SOURCE_DIR}/cmake/own_tbb.sed)
add_custom_command(OUTPUT ${own_tbb}
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C sed -f ${renaming} $<TARGET_FILE:TBB::tbb> > ${own_tbb}
  # The driver's functions have no versions, which those that they take the place of have.
  COMMAND ${HOSTCL_PATCHELF} --clear-symbol-version hcl_new_thread --clear-symbol-version hcl_new_thread_key ${own_tbb}
  DEPENDS ${renaming} $<TARGET_FILE:TBB::tbb> VERBATIM)
add_library(hostcl_tbb SHARED IMPORTED GLOBAL)
set_target_properties(hostcl_tbb PROPERTIES IMPORTED_LOCATION ${own_tbb} INTERFACE_COMPILE_DEFINITIONS tbb=tcA)

add_custom_target(hostcl_own_libraries DEPENDS ${own_hwloc} ${own_tbb})
add_dependencies(hostcl_hwloc hostcl_own_libraries)
add_dependencies(hostcl_tbb hostcl_own_libraries)

# hostcl_option_table(OUTPUT FILE.td)  makes a tool's table of options in the build folder.
function(hostcl_option_table output table)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output} DEPENDS ${table} COMMENT "Options: ${table}"
    COMMAND ${HOSTCL_LLVM_TOOLS}/llvm-tblgen -gen-opt-parser-defs -I ${LLVM_MAIN_INCLUDE_DIR}
            ${CMAKE_CURRENT_SOURCE_DIR}/${table} -o ${CMAKE_CURRENT_BINARY_DIR}/${output} VERBATIM)
endfunction()
