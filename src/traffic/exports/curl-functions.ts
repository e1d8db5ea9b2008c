/**
 * The functions of an exported script, the same in each. They keep the response of a step in `$folder`, and note a failure
 * without ending the script: a failed step does not stop those after it.
 */
export const FUNCTIONS = String.raw`folder=$(mktemp -d)
failed=0
has_wrong_status=0
title=

step() {
  title=$1
  printf '%s\n' "- $title"
}
fail() {
  failed=1
  printf 'FAILED %s: %s\n' "$title" "$1" >&2
}
# Are the values there that the step needs? Without one it is not sent.
has() {
  local name
  for name in "$@"; do
    if [ -z "${'$'}{!name+set}" ]; then
      printf 'skipped: there is no %s\n' "$name" >&2
      return 1
    fi
  done
}
expect_status() {
  local wanted
  for wanted in "$@"; do
    if [ "$wanted" = "$status" ]; then return 0; fi
  done
  has_wrong_status=1
  fail "expected status $*, got $status"
  head -c 2000 "$folder/body" >&2 2>/dev/null || true
}
# What is asked of the body, as a filter of jq that gives true.
expect_body() {
  local place=$1 filter=$2
  shift 2
  if ! jq -e "$@" "$filter" "$folder/body" >/dev/null 2>&1; then fail "$place is not as expected: $filter"; fi
}
expect_no_body() {
  if [ -s "$folder/body" ]; then fail 'there is a body'; fi
}
header() {
  tr -d '\r' <"$folder/head" | awk -v name="$1" '
    /^HTTP\// { lines = ""; found = 0; next }
    { at = index($0, ":") }
    at && tolower(substr($0, 1, at - 1)) == tolower(name) {
      value = substr($0, at + 1); sub(/^[ \t]+/, "", value)
      lines = found++ ? lines ", " value : value
    }
    END { if (found) print lines; else exit 1 }'
}
header_json() {
  local value
  value=$(header "$1") || return 0
  jq -n --arg value "$value" '$value'
}
expect_header() {
  local name=$1 filter=$2
  shift 2
  if ! header "$name" | jq -Rse "$@" "rtrimstr(\"\n\") | $filter" >/dev/null 2>&1; then
    fail "the header $name is not as expected: $filter"
  fi
}
expect_header_if_there() {
  if header "$1" >/dev/null; then expect_header "$@"; fi
}
expect_no_header() {
  if header "$1" >/dev/null; then fail "there is a header $1"; fi
}
# Keeps a JSON value, or the group of a pattern in its text: NAME is the text, the others are forms of it.
keep() {
  local json=$2
  if [ -n "${'$'}{3-}" ]; then
    json=$(jq -c --arg pattern "$3" 'tostring | match($pattern).captures[0].string | values' <<<"$json" 2>/dev/null || true)
  fi
  if [ -z "$json" ]; then
    fail "there is nothing to keep as $1"
    return 0
  fi
  eval "$(jq -r --arg name "$1" '
    (if type == "string" then . else tojson end) as $text
    | "\($name)_json=\(tojson | @sh)", "\($name)=\($text | @sh)",
      "\($name)_url=\($text | @uri | @sh)", "\($name)_text=\($text | tojson | .[1:-1] | @sh)"' <<<"$json")"
}
in_url() { jq -rn --arg value "$1" '$value | @uri'; }
in_json() { jq -rn --arg value "$1" '$value | tojson | .[1:-1]'; }
in_basic() {
  case $1 in
    *:*) printf %s "$1" ;;
    *) printf 'user:%s' "$1" ;;
  esac | base64 | tr -d '\n'
}
stop_without_setup() {
  if [ "$has_wrong_status" != 0 ]; then exit 1; fi
}
finish() {
  local code=$?
  trap - EXIT
  set +e
  cleanup
  rm -rf "$folder"
  if [ "$code" = 0 ]; then code=$failed; fi
  exit "$code"
}
`;
