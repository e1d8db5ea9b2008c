#!/usr/bin/env bash
# Installs the programs that tests use beside Node, where Debian's packages can be installed. Tests of a program that is
# missing are skipped.
set -uo pipefail
export DEBIAN_FRONTEND=noninteractive

# command:package. Reports are tried in shells, with jq and groff; the window in browsers; stores with Redis behind a
# proxy; mode `own` at real servers, and at one of them by the client of another.
wanted=(
  jq:jq groff:groff-base zsh:zsh fish:fish
  chromium-headless-shell:chromium-headless-shell chromium:chromium
  redis-server:redis-server nginx:nginx-light
  docker:docker.io pdns_server:pdns-server sqlite3:sqlite3 prometheus-alertmanager:prometheus-alertmanager etcd:etcd-server
)
missing=()
for each in "${wanted[@]}"; do command -v "${each%%:*}" >/dev/null || missing+=("${each##*:}"); done
dpkg -s pdns-backend-sqlite3 >/dev/null 2>&1 || missing+=(pdns-backend-sqlite3)
((${#missing[@]})) || exit 0

install() { apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1; }
install "${missing[@]}" && exit 0
apt-get update >/dev/null 2>&1
install "${missing[@]}" && exit 0
# One of them does not exist here: install the others.
for package in "${missing[@]}"; do install "$package" || echo "cannot be installed here: $package"; done
