# SPDX-License-Identifier: MIT
# Where each file goes, by component: puzzled (the service), puzzlectl (the client), web (puzzled-web, where it is built)
# and dev (what a new puzzle is built with). The rules of the programs stand here too, so that one page shows the whole.

set(system_dir ${PROJECT_SOURCE_DIR}/systemd)
set(generated_dir ${PROJECT_BINARY_DIR}/generated)

# The date in the manual pages: not the day of the build, so that two builds of one commit give the same bytes.
set(changelog ${PROJECT_SOURCE_DIR}/debian/changelog)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/release_date.sh ${changelog}
    OUTPUT_VARIABLE release_date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changelog})

# install_manual(<component> <name.section> [<source>]): a page of docs/man, where scdoc is there to make it.
find_program(SCDOC scdoc)
find_program(PYTHON3 python3)
if(NOT SCDOC)
    message(STATUS "Without scdoc (Debian's package scdoc): what is installed has no manual pages")
elseif(NOT PYTHON3)
    message(STATUS "Without python3: what is installed has no puzzled-protocol(7)")
endif()
function(install_manual component page)
    if(NOT SCDOC)
        return()
    endif()
    set(source ${PROJECT_SOURCE_DIR}/docs/man/${page}.scd)
    if(ARGC GREATER 2)
        set(source ${ARGV2})
    endif()
    set(manual ${generated_dir}/man/${page})
    string(REGEX REPLACE ".*\\." "" section ${page})
    add_custom_command(OUTPUT ${manual}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${generated_dir}/man
        COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=${release_date} ${SCDOC} < ${source} > ${manual}
        DEPENDS ${source} VERBATIM)
    add_custom_target(manual_${page} ALL DEPENDS ${manual})
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT ${component})
endfunction()

install(TARGETS puzzled RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT puzzled)
install(TARGETS puzzlectl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT puzzlectl)

# /etc for a system's own package; within the prefix for every other.
set(configuration_directory ${CMAKE_INSTALL_SYSCONFDIR}/puzzled)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(configuration_directory ${CMAKE_INSTALL_FULL_SYSCONFDIR}/puzzled)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/conf/puzzled.conf DESTINATION ${configuration_directory} COMPONENT puzzled)

# install_written(<component> <template> <directory>): a file that names installed paths. The installation writes it, whose
# --prefix may be another than the one that was configured.
function(install_written component template directory)
    get_filename_component(name ${template} NAME_WLE)
    install(CODE "
        set(PROJECT_VERSION ${PROJECT_VERSION})
        foreach(path include:${CMAKE_INSTALL_INCLUDEDIR} sbin:${CMAKE_INSTALL_SBINDIR} conf:${configuration_directory})
            string(REGEX MATCH \"^([a-z]+):(.*)\" _ \${path})
            get_filename_component(\${CMAKE_MATCH_1}dir \${CMAKE_MATCH_2} ABSOLUTE BASE_DIR \${CMAKE_INSTALL_PREFIX})
        endforeach()
        configure_file(\"${template}\" \"${generated_dir}/installed/${name}\" @ONLY)" COMPONENT ${component})
    install(FILES ${generated_dir}/installed/${name} DESTINATION ${directory} COMPONENT ${component})
endfunction()
install_written(puzzled ${system_dir}/puzzled.service.in lib/systemd/system)
install(FILES ${system_dir}/puzzled.socket DESTINATION lib/systemd/system COMPONENT puzzled)
install(FILES ${system_dir}/sysusers.conf DESTINATION lib/sysusers.d RENAME puzzled.conf COMPONENT puzzled)
install(FILES ${system_dir}/tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME puzzled.conf COMPONENT puzzled)

# puzzlectl knows them by their names.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/definitions DESTINATION ${CMAKE_INSTALL_DATADIR}/puzzled COMPONENT puzzlectl
    FILES_MATCHING PATTERN "*.psvn" PATTERN "*.tws")

# Where zsh looks: Debian keeps a directory of its own for packages.
set(zsh_completions site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
    set(zsh_completions vendor-completions)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/puzzlectl.bash RENAME puzzlectl
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT puzzlectl)
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/puzzlectl.zsh RENAME _puzzlectl
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_completions} COMPONENT puzzlectl)

set(instances ${PROJECT_SOURCE_DIR}/tests/data)
install(FILES ${instances}/korf15.csv ${instances}/korf24.csv ${instances}/korf24_boards.csv ${instances}/hardest15.csv
    DESTINATION ${CMAKE_INSTALL_DATADIR}/puzzlectl COMPONENT puzzlectl)

install_manual(puzzled puzzled.8)
install_manual(puzzled puzzled.conf.5)
if(PYTHON3)
    # docs/protocol.md is this page, too.
    set(protocol ${PROJECT_SOURCE_DIR}/docs/protocol.md)
    set(protocol_writer ${PROJECT_SOURCE_DIR}/scripts/protocol_manual.py)
    set(protocol_manual ${generated_dir}/puzzled-protocol.7.scd)
    add_custom_command(OUTPUT ${protocol_manual} COMMAND ${PYTHON3} ${protocol_writer} < ${protocol} > ${protocol_manual}
        DEPENDS ${protocol} ${protocol_writer} VERBATIM)
    install_manual(puzzled puzzled-protocol.7 ${protocol_manual})
endif()
install_manual(puzzlectl puzzlectl.1)

if(PUZZLED_WEB)
    install(TARGETS puzzled-web RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT web)
    # levels/ and texts/ have links to files elsewhere, which are installed themselves.
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/web/page/ DESTINATION ${CMAKE_INSTALL_DATADIR}/puzzled-web COMPONENT web
        PATTERN levels EXCLUDE PATTERN texts EXCLUDE)
    foreach(text cube2 cube3 pyraminx skewb dino)
        install(FILES ${PROJECT_SOURCE_DIR}/definitions/${text}.tws DESTINATION ${CMAKE_INSTALL_DATADIR}/puzzled-web/texts
            COMPONENT web)
    endforeach()
    install(FILES ${instances}/microban.xsb ${instances}/microban.csv
        DESTINATION ${CMAKE_INSTALL_DATADIR}/puzzled-web/levels COMPONENT web)
    install_written(web ${system_dir}/puzzled-web.service.in lib/systemd/system)
    install_manual(web puzzled-web.8)
endif()

if(TARGET puzzled-ranks)
    install(TARGETS puzzled-ranks RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ranks)
    install_manual(ranks puzzled-ranks.1)
endif()

# As in the source tree, so that the links in them lead somewhere.
set(document_directory ${CMAKE_INSTALL_DATADIR}/doc/puzzled)
foreach(document LICENSE README.md README.zh.md CONTRIBUTING.md SECURITY.md CITATION.cff codemeta.json paper.md)
    install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${document_directory} COMPONENT puzzled)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/conf ${system_dir} DESTINATION ${document_directory}
    COMPONENT puzzled PATTERN man EXCLUDE)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/puzzled
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h")
install_written(dev ${PROJECT_SOURCE_DIR}/cmake/puzzled.pc.in ${CMAKE_INSTALL_DATADIR}/pkgconfig)
