// What a proxy costs that records nothing: the library of `standin record` alone, with the same connections to the target.
const { Agent } = require('node:http');
const { createServer } = require('node:http');
const { createProxyServer } = require('http-proxy-3');

const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
const proxy = createProxyServer({ target: process.env.BENCH_TARGET, agent });
proxy.on('error', (_error, _request, response) => response.destroy());

const server = createServer((request, response) => proxy.web(request, response));
server.listen(Number(process.env.BENCH_PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
