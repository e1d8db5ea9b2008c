// Runs autocannon in a process of its own, so that it can be pinned to a core and its processor time can be read.
import autocannon from 'autocannon';

const plan = JSON.parse(process.argv[2]);
const result = await autocannon({
  url: plan.url,
  connections: plan.connections,
  duration: plan.seconds,
  method: plan.method,
  headers: plan.headers,
  ...(plan.body === undefined ? {} : { body: plan.body }),
  ...(plan.paths === undefined ? {} : { requests: plan.paths.map((path) => ({ path })) }),
});
const totals = {
  requests: result.requests.total,
  seconds: result.duration,
  bytes: result.throughput.total,
  failedAnswers: result.non2xx,
  socketErrors: result.errors + result.timeouts,
  meanMs: result.latency.average,
  p99Ms: result.latency.p99,
};
console.log(`\nBENCH ${JSON.stringify(totals)}`);
