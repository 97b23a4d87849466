# SPDX-License-Identifier: MIT
# How the page draws pieces, for pictures that stand alone: its style as a C string, with the colours of a bright page in place of
# their names, and its shapes and names as rows of C.
set(page ${PROJECT_SOURCE_DIR}/web/page)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/pieces.css ${page}/js/board/shapes.js)
file(READ ${page}/pieces.css style)
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
file(READ ${page}/js/board/shapes.js shapes)
string(REGEX MATCHALL "\"[a-z]+\", \"[a-z]+\", \"[^\"]+\"" looks "${shapes}")
string(REGEX MATCHALL "\"[a-z]+\", \"[A-Z][^\"]*\", \"[^\"]+\"" names "${shapes}")
list(JOIN looks "}, \\\n    {" looks)
list(JOIN names "}, \\\n    {" names)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/pieces_style.h @ONLY
    CONTENT "/* Made from web/page/pieces.css and js/board/shapes.js. */\n#define PIECES_STYLE \\\n    \"@style@\"\n\
#define PIECES_LOOKS \\\n    {@looks@}\n#define PIECES_NAMES \\\n    {@names@}\n")
