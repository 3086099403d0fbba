#!/usr/bin/env bash
# Installs fonts for charts on Debian or Ubuntu, as root, for text other than Latin, Cyrillic, Greek and Hebrew:
#   core  Arabic, Devanagari, Thai, Bengali, Tamil, emoji and most other scripts
#   all   also Chinese, Japanese and Korean
set -euo pipefail

case "${1:-core}" in
  core) packages=(fonts-noto-core fonts-noto-color-emoji) ;;
  all) packages=(fonts-noto-core fonts-noto-color-emoji fonts-noto-cjk) ;;
  *)
    echo "The set of fonts is \"$1\". Choose core or all." >&2
    exit 1
    ;;
esac

apt-get update
apt-get install -y --no-install-recommends "${packages[@]}"
