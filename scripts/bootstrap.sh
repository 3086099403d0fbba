#!/usr/bin/env bash
# Makes a fresh clone ready to run: the system libraries of node-canvas where they are missing, then the npm packages,
# which bring the right Node with them. Runs before start, test and the rest, and does nothing when all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly stamp=node_modules/.bootstrapped
readonly libraries=(build-essential python3 pkg-config fontconfig libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev)

main() {
  if [ -x node_modules/.bin/node ] && cmp -s package-lock.json "$stamp"; then return; fi
  say "installing the packages; the first time takes a minute or two"
  if ! install_packages; then
    say "trying again with the libraries that node-canvas is compiled with"
    install_libraries
    install_packages || fail
  fi
  cp package-lock.json "$stamp"
}

# Warnings are held back: those about the system's Node are settled by the Node that this very step installs.
install_packages() {
  npm ci --no-audit --no-fund --loglevel=error >"$log" 2>&1 && canvas_draws
}

canvas_draws() {
  node_modules/.bin/node -e "require('canvas').createCanvas(1, 1).toBuffer()" >>"$log" 2>&1
}

install_libraries() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail
    as_root=(sudo -n)
  fi
  command -v apt-get >/dev/null || fail
  { "${as_root[@]}" apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${libraries[@]}"; } >"$log" 2>&1 || fail
}

fail() {
  tail -n 20 "$log" >&2
  say "the packages could not be installed; the end of the log is above. If node-canvas failed to compile, install" \
    "${libraries[*]} (Debian's names) and start again."
  exit 1
}

say() {
  echo "setup: $*" >&2
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
main
