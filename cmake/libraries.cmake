# SPDX-License-Identifier: MIT
# Looks for libraries by pkg-config. What is missing is said in words: which package of Debian has it, and what its
# absence costs.
set(missing_libraries "")

# required_library(<PREFIX> <module> <package of Debian>)
macro(required_library prefix module package)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
    if(NOT ${prefix}_FOUND)
        string(APPEND missing_libraries "\n  ${module} (Debian's package ${package})")
    endif()
endmacro()

# optional_library(<PREFIX> <module> <package of Debian> <what is missing without it>)
macro(optional_library prefix module package cost)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
    if(NOT ${prefix}_FOUND)
        message(STATUS "Without ${module} (Debian's package ${package}): ${cost}")
    endif()
endmacro()

# Ends the configuration if a required library is missing, with all of them at once.
function(require_libraries)
    if(missing_libraries)
        message(FATAL_ERROR "These libraries are missing:${missing_libraries}")
    endif()
endfunction()
