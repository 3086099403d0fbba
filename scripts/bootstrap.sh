#!/usr/bin/env bash
# Prepares a fresh clone to run a server; with the argument `all`, also to run tests and checks. Installs the npm
# packages, which include the required Node. On platforms without a prebuilt node-canvas, it also installs the system
# libraries that compile node-canvas. The npm scripts run this script first. It does nothing if everything is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Lets node-gyp compile node-canvas on all processors. With two, this takes half the time.
export JOBS=max

packages=${1:-server}
# A clone that has had all packages gets all of them again when package-lock.json changes.
[ ! -e node_modules/.ready-all ] || packages=all
readonly libraries=(build-essential python3 pkg-config fontconfig libcairo2-dev libpango1.0-dev libjpeg-dev libgif-dev librsvg2-dev)

main() {
  if is_ready "$packages"; then return; fi
  log=$(mktemp)
  show_progress &
  trap 'rm -f "$log"; kill '$! EXIT
  # Concurrent first starts must not install into the same folder at the same time.
  if command -v flock >/dev/null; then exec 9>.bootstrap.lock && flock 9; fi
  is_ready server || install_server
  if is_ready "$packages"; then return; fi
  # Remove no package, because a server may be running.
  report "installing the npm packages for tests and checks"
  run_npm install --include=dev --no-save --ignore-scripts=false || fail "npm could not install the packages."
  cp package-lock.json node_modules/.ready-all
}

is_ready() {
  [ -x node_modules/.bin/node ] && cmp -s package-lock.json "node_modules/.ready-$1"
}

# Runs the scripts of packages last, so that npm need not install everything again if node-canvas lacks libraries.
install_server() {
  report "installing the npm packages of the server; the first time takes a minute or two"
  run_npm ci --omit=dev --ignore-scripts || fail "npm could not install the packages."
  build_packages || { install_libraries && build_packages; } || fail "node-canvas could not be compiled, or does not draw."
  cp package-lock.json node_modules/.ready-server
}

build_packages() {
  run_npm rebuild node canvas --ignore-scripts=false &&
    node_modules/.bin/node -e "require('canvas').createCanvas(1, 1).toBuffer()" >>"$log" 2>&1
}

# Hides npm's warnings. Warnings about the system's Node do not apply, because this script installs another Node.
run_npm() {
  npm "$@" --no-audit --no-fund --loglevel=error >>"$log" 2>&1
}

install_libraries() {
  report "installing the libraries needed to compile node-canvas"
  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  [ "$(id -u)" = 0 ] || as_root=(sudo -n "${as_root[@]}")
  "${as_root[@]}" apt-get update -qq >>"$log" 2>&1 || true
  "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${libraries[@]}" >>"$log" 2>&1 ||
    fail "node-canvas needs the libraries ${libraries[*]} (Debian names). Install them, or the equivalents of your system, as root."
}

fail() {
  tail -n 20 "$log" >&2
  report "$1 The end of the log is above."
  exit 1
}

report() {
  echo "setup: $*" >&2
}

show_progress() {
  while sleep 8 >/dev/null 2>&1; do report "still installing and compiling after $SECONDS s"; done
}

main
