# SPDX-License-Identifier: MIT
# The Debian packages puzzled and puzzlectl:
#
#   cmake --preset package && cmake --build --preset package && cpack --preset package

set(debian ${PROJECT_SOURCE_DIR}/packaging/debian)

# The packages' version and date stand in Debian's changelog, which must not lag behind the project's version.
file(STRINGS ${debian}/changelog changelog_head LIMIT_COUNT 1)
if(NOT changelog_head MATCHES "^puzzled \\(([0-9.]+)-([0-9]+)\\)" OR
        NOT CMAKE_MATCH_1 VERSION_EQUAL PROJECT_VERSION)
    message(FATAL_ERROR "packaging/debian/changelog does not begin with version ${PROJECT_VERSION}")
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE ${CMAKE_MATCH_2})

foreach(package puzzled puzzlectl)
    set(documents ${CMAKE_INSTALL_DATADIR}/doc/${package})
    install(FILES ${debian}/copyright DESTINATION ${documents} COMPONENT ${package})
    install_compressed(${package} ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${documents} changelog)
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        install_compressed(${package} ${debian}/changelog ${documents} changelog.Debian)
        install(FILES ${debian}/${package}.lintian-overrides
            DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package} COMPONENT ${package})
    endif()
endforeach()

# dpkg wants the control files under their plain names and executable where they are scripts.
foreach(script postinst prerm postrm)
    configure_file(${debian}/puzzled.${script} ${PROJECT_BINARY_DIR}/debian/puzzled/${script} COPYONLY
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
configure_file(${debian}/puzzled.conffiles ${PROJECT_BINARY_DIR}/debian/puzzled/conffiles COPYONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)
# Each package has its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_VENDOR "the puzzled authors")
set(CPACK_PACKAGE_CONTACT "the puzzled authors <puzzled@puzzled.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL puzzled puzzlectl)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PUZZLED_PACKAGE_NAME puzzled)
set(CPACK_DEBIAN_PUZZLED_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PUZZLED_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_PUZZLED_PACKAGE_RECOMMENDS puzzlectl)
set(CPACK_DEBIAN_PUZZLED_PACKAGE_CONTROL_EXTRA
    "${PROJECT_BINARY_DIR}/debian/puzzled/postinst;${PROJECT_BINARY_DIR}/debian/puzzled/prerm;${PROJECT_BINARY_DIR}/debian/puzzled/postrm;${PROJECT_BINARY_DIR}/debian/puzzled/conffiles")
set(CPACK_COMPONENT_PUZZLED_DESCRIPTION "daemon that explores the state spaces of puzzles
puzzled explores the state spaces of puzzles (sliding tiles and others),
completely where it can and in parallel, keeps every answer in an LMDB
database, and from then on tells at once how far a position is from its goal
and what the shortest solution is.

This package has the service; puzzlectl is its command-line client.")

set(CPACK_DEBIAN_PUZZLECTL_PACKAGE_NAME puzzlectl)
set(CPACK_DEBIAN_PUZZLECTL_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PUZZLECTL_PACKAGE_SUGGESTS puzzled)
set(CPACK_COMPONENT_PUZZLECTL_DESCRIPTION "command-line client of the puzzle explorer puzzled
puzzlectl submits explorations and positions to solve to the daemon puzzled,
follows their progress, and shows what they found: distances, shortest
solutions move by move, histograms of how hard a puzzle is.")

include(CPack)
