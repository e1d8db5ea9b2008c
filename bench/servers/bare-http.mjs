// The ceiling: node:http alone answers every request with one and the same body. It routes, checks and remembers nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const body = readFileSync(process.env.BENCH_BODY_FILE, 'utf8');
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});

server.listen(Number(process.env.BENCH_PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
