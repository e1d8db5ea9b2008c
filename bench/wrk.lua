-- Sends the request that the environment describes and prints the totals as one line of JSON.
-- There is no response() here on purpose: a Lua call per answer would make wrk the slower side.

wrk.method = os.getenv("BENCH_METHOD") or "GET"
wrk.body = os.getenv("BENCH_BODY")

local paths_file = os.getenv("BENCH_PATHS_FILE")

if paths_file then
  local requests, next_request = {}, 0

  function init()
    for path in io.lines(paths_file) do
      requests[#requests + 1] = wrk.format(nil, path)
    end
  end

  function request()
    next_request = next_request % #requests + 1
    return requests[next_request]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nBENCH {"requests":%d,"seconds":%.6f,"bytes":%.0f,"failedAnswers":%d,"socketErrors":%d,"meanMs":%.4f,"p99Ms":%.4f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency.mean / 1e3, latency:percentile(99) / 1e3))
end
