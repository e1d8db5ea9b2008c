// One HTTP exchange over a socket of its own, byte for byte what the load generator sends, so that sizes can be compared.
import net from 'node:net';

/**
 * Sends one request and reads the whole answer.
 *
 * @returns status, headers (names in lower case), body as text, and `bytes`, the size of the answer on the wire
 * @throws when the connection is refused, ends early, or is silent for `timeoutMs`
 */
export function exchange(port, request, { timeoutMs = 10_000 } = {}) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(render(port, request)));
    const finish = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    socket.setTimeout(timeoutMs, () => finish(reject, new Error(`no answer on port ${port} in ${timeoutMs} ms`)));
    socket.on('error', (error) => finish(reject, error));
    socket.on('end', () => finish(reject, new Error(`port ${port} closed the connection before the answer was whole`)));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received);
      if (answer) finish(resolve, answer);
    });
  });
}

function render(port, { method = 'GET', path, headers = {}, body }) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function parse(received) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = received.subarray(headEnd + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? unchunk(rest) : sized(rest, headers['content-length'] ?? 0);
  return body && { status: Number(statusLine.split(' ')[1]), headers, body: body.toString(), bytes: received.length };
}

function sized(rest, length) {
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function unchunk(rest) {
  const parts = [];
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    if (rest.length < lineEnd + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
