# What is installed, and the Debian package made of it: script/package. ICD loaders look into /etc/OpenCL/vendors, which
# belongs to the presets' prefix, /usr; with another one the loader has to be told (OCL_ICD_VENDORS).

set(driver_folder ${CMAKE_INSTALL_LIBDIR}/hostcl)
install(TARGETS hostcl EXPORT hostcl LIBRARY DESTINATION ${driver_folder})
install(IMPORTED_RUNTIME_ARTIFACTS hostcl_tbb LIBRARY DESTINATION ${driver_folder})
install(PROGRAMS ${PROJECT_BINARY_DIR}/hostcl-check DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hostclc hostcl-doctor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/installed/hostcl.icd
     CONTENT "${CMAKE_INSTALL_PREFIX}/${driver_folder}/$<TARGET_FILE_NAME:hostcl>\n")
install(FILES ${PROJECT_BINARY_DIR}/installed/hostcl.icd DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/OpenCL/vendors)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The terms of what the driver contains and comes with.
foreach(package libhwloc-dev libtbb-dev libxxhash-dev libzstd-dev llvm-22-dev zlib1g-dev libstdc++6)
  install(FILES ${CMAKE_SYSROOT}/usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
          RENAME copyright.${package} OPTIONAL)
endforeach()
install(CODE "execute_process(COMMAND [[${PROJECT_SOURCE_DIR}/script/sbom]] ${PROJECT_VERSION} deb
                              OUTPUT_FILE [[${PROJECT_BINARY_DIR}/installed/hostcl.spdx.json]]
                              COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/installed/hostcl.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(FILES runtime/tools/hostcl_reduce.py DESTINATION ${CMAKE_INSTALL_DATADIR}/hostcl) # for hostcl-check --reduce

# Commands for gdb, which loads them by itself with a driver of this place.
install(FILES runtime/tools/hostcl_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/hostcl/gdb RENAME hostcl.py)
install(FILES runtime/tools/hostcl_gdb.py RENAME $<TARGET_FILE_NAME:hostcl>-gdb.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_PREFIX}/${driver_folder})

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/installed)

# For programs that use hostcl without an ICD loader: CMake's find_package(hostcl), pkg-config's hostcl. A folder has it
# under the loader's name: LD_LIBRARY_PATH leaves an application no other driver.
if(TARGET hostcl_opencl)
  include(CMakePackageConfigHelpers)
  set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hostcl)
  set_target_properties(hostcl PROPERTIES EXPORT_NAME driver)
  set_target_properties(hostcl_opencl PROPERTIES EXPORT_NAME opencl)
  install(TARGETS hostcl_opencl EXPORT hostcl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT hostcl NAMESPACE hostcl:: FILE hostcl-targets.cmake DESTINATION ${cmake_folder})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/installed/hostcl-config-version.cmake
                                   COMPATIBILITY SameMajorVersion)
  install(FILES opencl/hostcl-config.cmake ${PROJECT_BINARY_DIR}/installed/hostcl-config-version.cmake
          DESTINATION ${cmake_folder})
  configure_file(opencl/hostcl.pc.in ${PROJECT_BINARY_DIR}/installed/hostcl.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/installed/hostcl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(CREATE_LINK ../libhostcl_opencl.so.1 ${PROJECT_BINARY_DIR}/installed/libOpenCL.so.1 SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/installed/libOpenCL.so.1 DESTINATION ${driver_folder})
endif()
# hostcl_install_compressed(FILE NAME DESTINATION)  as Debian has manual pages and changelogs.
function(hostcl_install_compressed file name destination)
  set(compressed ${PROJECT_BINARY_DIR}/installed/${name}.gz)
  execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${compressed} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  install(FILES ${compressed} DESTINATION ${destination})
endfunction()
foreach(page compiler/tools/hostclc.1 doctor/hostcl-doctor.1 runtime/tools/hostcl-check.1)
  get_filename_component(name ${page} NAME)
  hostcl_install_compressed(${PROJECT_SOURCE_DIR}/${page} ${name} ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
configure_file(cmake/debian/changelog.in ${PROJECT_BINARY_DIR}/installed/changelog @ONLY)
hostcl_install_compressed(${PROJECT_BINARY_DIR}/installed/changelog changelog ${CMAKE_INSTALL_DOCDIR})
install(FILES cmake/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME hostcl)
foreach(tool hostclc hostcl-doctor hostcl-check)
  install(FILES compiler/tools/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${tool})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hostcl)
set(CPACK_PACKAGE_CONTACT "The hostcl authors <hostcl@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_PACKAGE_DESCRIPTION "hostcl makes the CPU a first-class OpenCL 3.1 device. Applications find it
through the ordinary ICD loader. Kernels are compiled in the process, and their
work-items share the vector units and run on all cores. hostcl-doctor tells why
an application does not see the device.")
include(CPack)
