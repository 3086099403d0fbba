#!/usr/bin/env bash
# Makes a fresh clone ready to run. Installs the npm packages, which include the required Node. On platforms without a
# build of node-canvas, it also installs the system libraries that compile node-canvas. The npm scripts run this script
# first. It does nothing if everything is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Lets node-gyp compile node-canvas on all processors. With two, this takes half the time.
export JOBS=max

readonly stamp=node_modules/.bootstrapped
readonly libraries=(build-essential python3 pkg-config fontconfig libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev)

main() {
  if is_ready; then return; fi
  acquire_lock
  if is_ready; then return; fi
  report "installing the npm packages; the first time takes a minute or two"
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

# Warnings go only to the log: warnings about the system's Node do not apply, because this step installs another Node.
# Installs development packages in production too, because Node is a development package.
install_packages() {
  npm ci --include=dev --ignore-scripts=false --no-audit --no-fund --loglevel=error >>"$log" 2>&1
}

canvas_draws() {
  node_modules/.bin/node -e "require('canvas').createCanvas(1, 1).toBuffer()" >>"$log" 2>&1
}

install_libraries() {
  report "installing the libraries needed to compile node-canvas"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "node-canvas needs the system packages ${libraries[*]} (Debian names); install them as root."
    as_root=(sudo -n)
  fi
  command -v apt-get >/dev/null || fail "node-canvas needs the libraries ${libraries[*]} (Debian names); install the equivalents of your system."
  "${as_root[@]}" apt-get update -qq >>"$log" 2>&1 || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${libraries[@]}" \
    >>"$log" 2>&1 || fail "The system packages ${libraries[*]} could not be installed."
}

# Concurrent first starts must not install into the same folder.
acquire_lock() {
  command -v flock >/dev/null || return 0
  exec 9>.bootstrap.lock
  flock 9
}

fail() {
  tail -n 20 "$log" >&2
  report "$1 The end of the log is above."
  exit 1
}

report() {
  echo "setup: $*" >&2
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
main
