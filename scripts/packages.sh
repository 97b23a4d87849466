# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
# Sourced by the other scripts: what has to be installed, and how.

LIBRARY_PACKAGES=(libc6-dev libevent-dev liblmdb-dev libxxhash-dev libmd-dev libinih-dev libjansson-dev libsystemd-dev
    libedit-dev libmicrohttpd-dev)
BUILD_PACKAGES=(gcc cmake ninja-build pkg-config "${LIBRARY_PACKAGES[@]}")
PACKAGE_PACKAGES=("${BUILD_PACKAGES[@]}" build-essential debhelper dh-python dpkg-dev file mpi-default-dev
    python3 scdoc)
RANKS_PACKAGES=(libopenmpi-dev openmpi-bin libmpich-dev mpich)
CHECK_PACKAGES=("${PACKAGE_PACKAGES[@]}" git libcmocka-dev clang clang-format clang-tidy libclang-rt-dev
    python3 mypy python3-networkx python3-numpy python3-pandas python3-selenium chromium chromium-driver fonts-noto-cjk
    shellcheck cppcheck lmdb-utils debootstrap gcc-aarch64-linux-gnu jq libc6-dev-arm64-cross lintian lld llvm qemu-user
    rpm rpmlint systemd-container zsh "${RANKS_PACKAGES[@]}")

# Installs those of the named packages that are missing. Asks nothing; where it cannot install, it names
# them and ends the script.
install_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        echo "This script installs packages on Debian and its relatives only. Elsewhere, install what these are:"
        echo "  $*"
        exit 1
    fi
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    echo "Installing, which may take a minute or more: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null && return
    echo "These packages are missing; as root, run: apt-get install ${missing[*]}"
    exit 1
}
