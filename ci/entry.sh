#!/usr/bin/env bash
# What a job of CI does with standin, whichever CI it is: the GitHub Action and the GitLab template run this.
#
#   STANDIN_DO=mock    starts a mock in the background, waits until it answers, and leaves it running
#   STANDIN_DO=verify  checks a service, and writes its reports
#
# Everything else is a variable too, and may be empty:
#   STANDIN_DESCRIPTION  the OpenAPI description
#   STANDIN_CONTRACTS    a folder or files; without any, checks are made of the description
#   STANDIN_BASE_URL     of the service that is checked
#   STANDIN_PORT         of the mock (4010)
#   STANDIN_ARGS         further arguments of the command, as a shell reads them
#   STANDIN_REPORTS      folder of the reports (standin-reports)
#   STANDIN_VERSION      of the package, where the project does not have it (latest)
#   STANDIN_COMMAND      in place of the package, such as "node dist/bin/standin.js"
#
# Exit code: that of the command.
set -euo pipefail

fail() {
  echo "standin: $1" >&2
  exit 2
}

# The command, as an array: that of the project first, for its tests run with the same version.
find_command() {
  if [ -n "${STANDIN_COMMAND:-}" ]; then
    read -ra standin <<<"$STANDIN_COMMAND"
  elif [ -x node_modules/.bin/standin ]; then
    standin=(node_modules/.bin/standin)
  else
    local folder="${RUNNER_TEMP:-${TMPDIR:-/tmp}}/standin-${STANDIN_VERSION:-latest}"
    [ -x "$folder/node_modules/.bin/standin" ] ||
      npm install --silent --no-audit --no-fund --prefix "$folder" "standin@${STANDIN_VERSION:-latest}"
    standin=("$folder/node_modules/.bin/standin")
  fi
}

# Words of a text, as a shell reads quotes, and nothing else of it.
words_of() {
  words=()
  [ -z "$1" ] || while IFS= read -r -d '' word; do words+=("$word"); done < <(xargs printf '%s\0' <<<"$1")
}

tell() {
  echo "$1=$2"
  [ -z "${GITHUB_OUTPUT:-}" ] || echo "$1=$2" >>"$GITHUB_OUTPUT"
}

start_mock() {
  local port=${STANDIN_PORT:-4010} log=$reports/mock.log
  local arguments=(mock)
  [ -z "${STANDIN_DESCRIPTION:-}" ] || arguments+=("$STANDIN_DESCRIPTION")
  arguments+=(--port "$port" --log json "${words[@]}")
  nohup "${standin[@]}" "${arguments[@]}" >"$log" 2>&1 </dev/null &
  local pid=$! url="http://127.0.0.1:$port"
  for _ in $(seq 300); do
    if curl --silent --fail --output /dev/null "$url/__standin/ready"; then
      tell url "$url"
      tell pid "$pid"
      tell log "$log"
      return
    fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  cat "$log" >&2
  kill "$pid" 2>/dev/null || true
  fail "the mock did not answer at $url; its log stands above"
}

verify_service() {
  [ -n "${STANDIN_BASE_URL:-}" ] || fail 'name the service: STANDIN_BASE_URL, or the input base-url'
  local given=() arguments=(verify) code=0
  [ -z "${STANDIN_CONTRACTS:-}" ] || read -ra given <<<"$STANDIN_CONTRACTS"
  arguments+=("${given[@]}" --base-url "$STANDIN_BASE_URL")
  [ -z "${STANDIN_DESCRIPTION:-}" ] || arguments+=(--spec "$STANDIN_DESCRIPTION")
  # Nobody can be asked here.
  arguments+=(--wait-ready 30 --yes)
  [ -z "${GITHUB_ACTIONS:-}" ] || arguments+=(--report github=-)
  local name
  for name in sarif html junit json markdown; do arguments+=(--report "$name=$reports/$(file_of "$name")"); done
  "${standin[@]}" "${arguments[@]}" "${words[@]}" || code=$?
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -s "$reports/summary.md" ] || cat "$reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
  tell exit-code "$code"
  tell reports "$reports"
  return "$code"
}

file_of() {
  case $1 in
    junit) echo result.xml ;;
    markdown) echo summary.md ;;
    *) echo "result.$1" ;;
  esac
}

reports=${STANDIN_REPORTS:-standin-reports}
mkdir -p "$reports"
find_command
words_of "${STANDIN_ARGS:-}"
case ${STANDIN_DO:-} in
  mock) start_mock ;;
  verify) verify_service ;;
  *) fail "STANDIN_DO is \"${STANDIN_DO:-}\"; expected mock or verify" ;;
esac
