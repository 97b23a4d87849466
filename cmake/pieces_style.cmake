# SPDX-License-Identifier: MIT
# The page's style of pieces as a C string, with the colours of a bright page in place of their names, for pictures that
# stand alone.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/page/pieces.css)
file(READ ${PROJECT_SOURCE_DIR}/web/page/pieces.css style)
string(REGEX MATCHALL "--[a-z0-9-]+: #[0-9a-f]+" colours "${style}")
string(REGEX REPLACE "/\\*[^*]*\\*/|:root {[^}]*}" "" style "${style}")
foreach(colour IN LISTS colours)
    string(REGEX MATCH "^(--[a-z0-9-]+): (#[0-9a-f]+)$" _ "${colour}")
    string(REPLACE "var(${CMAKE_MATCH_1})" "${CMAKE_MATCH_2}" style "${style}")
endforeach()
string(REGEX REPLACE "var\\(--[a-z0-9-]+, ([^)]+)\\)" "\\1" style "${style}")
string(REGEX REPLACE "\n+" "\n" style "${style}")
string(STRIP "${style}" style)
string(REPLACE "\n" "\" \\\n    \"" style "${style}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/pieces_style.h @ONLY
    CONTENT "/* Made from web/page/pieces.css. */\n#define PIECES_STYLE \\\n    \"@style@\"\n")
