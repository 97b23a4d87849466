# SPDX-License-Identifier: MIT
# What a person does to build the example: install the header, copy the example somewhere, configure, build.
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${PUZZLED_BINARY_DIR} --component dev --prefix ${WORK}/prefix)

# pkg-config is told the place where the header is, not the one that was configured.
file(GLOB_RECURSE config ${WORK}/prefix/*/puzzled.pc)
file(READ ${config} told)
string(FIND "${told}" "includedir=${WORK}/prefix/" at)
if(at EQUAL -1)
    message(FATAL_ERROR "puzzled.pc names another place:\n${told}")
endif()

file(COPY ${EXAMPLE_SOURCE}/ DESTINATION ${WORK}/source)
run(${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
