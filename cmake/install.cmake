# What `cmake --install` puts in place: headers, both libraries, the command, its manual page, and the two ways to find
# the library: find_package(Onefold) and pkg-config's onefold.pc.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Onefold)

install(TARGETS onefold onefold_static EXPORT OnefoldTargets)
install(DIRECTORY include/onefold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT OnefoldTargets NAMESPACE Onefold:: DESTINATION ${package_folder})
if(TARGET onefold_cli)
    install(TARGETS onefold_cli)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/onefold.1)
    install(FILES docs/onefold.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

configure_package_config_file(cmake/OnefoldConfig.cmake.in ${PROJECT_BINARY_DIR}/OnefoldConfig.cmake
    INSTALL_DESTINATION ${package_folder}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/OnefoldConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/OnefoldConfig.cmake ${PROJECT_BINARY_DIR}/OnefoldConfigVersion.cmake
    DESTINATION ${package_folder})

string(REGEX REPLACE "[^/]+" ".." path_to_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(cmake/onefold.pc.in onefold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/onefold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
