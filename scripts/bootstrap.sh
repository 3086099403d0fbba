#!/usr/bin/env bash
# Makes a fresh clone ready to run: installs the npm packages, which bring the right Node with them, and the system
# libraries of node-canvas where it has to be compiled. Runs before start, test and the rest, and does nothing when all
# is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly stamp=node_modules/.bootstrapped
readonly libraries=(build-essential python3 pkg-config fontconfig libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev)

main() {
  if is_ready; then return; fi
  wait_for_turn
  if is_ready; then return; fi
  say "installing the packages; the first time takes a minute or two"
  if ! install_packages; then
    grep -qiE 'canvas|node-gyp' "$log" || fail "npm could not install the packages."
    install_libraries
    install_packages || fail "node-canvas could not be compiled."
  fi
  canvas_draws || { install_libraries && npm rebuild canvas >>"$log" 2>&1 && canvas_draws; } || fail "node-canvas does not draw."
  cp package-lock.json "$stamp"
}

is_ready() {
  [ -x node_modules/.bin/node ] && cmp -s package-lock.json "$stamp"
}

# Warnings are held back: those about the system's Node are settled by the Node that this very step installs. Packages
# for development belong to it also in production, as Node itself is one.
install_packages() {
  npm ci --include=dev --ignore-scripts=false --no-audit --no-fund --loglevel=error >>"$log" 2>&1
}

canvas_draws() {
  node_modules/.bin/node -e "require('canvas').createCanvas(1, 1).toBuffer()" >>"$log" 2>&1
}

install_libraries() {
  say "installing the libraries that node-canvas is compiled with"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "This needs the system's packages ${libraries[*]} (Debian's names); install them as root."
    as_root=(sudo -n)
  fi
  command -v apt-get >/dev/null || fail "This needs the libraries ${libraries[*]} (Debian's names); install your system's."
  "${as_root[@]}" apt-get update -qq >>"$log" 2>&1 || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${libraries[@]}" \
    >>"$log" 2>&1 || fail "The system's packages ${libraries[*]} could not be installed."
}

# Two first starts at once would install into the same folder.
wait_for_turn() {
  command -v flock >/dev/null || return 0
  exec 9>.bootstrap.lock
  flock 9
}

fail() {
  tail -n 20 "$log" >&2
  say "$1 The end of the log is above."
  exit 1
}

say() {
  echo "setup: $*" >&2
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
main
