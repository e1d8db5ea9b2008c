// Sends each request to the next of several servers, as a load balancer does, and leaves out those that are gone.
import { Agent, createServer, request as httpRequest } from 'node:http';

export async function startBalancer(ports) {
  const targets = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }) }));
  let turn = 0;
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      pass(request, Buffer.concat(pieces), response, targets.length);
    });
  });
  function pass(request, body, response, triesLeft) {
    const target = targets[turn++ % targets.length];
    if (target === undefined) {
      response.writeHead(502).end();
      return;
    }
    // As they came: two lines of one name stay two.
    const { method, url: path, rawHeaders: headers } = request;
    let isSent = false;
    const outgoing = httpRequest({ port: target.port, host: '127.0.0.1', agent: target.agent, method, path, headers });
    outgoing.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => (isSent = true));
      else isSent = true;
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      // What was sent may have been done: only what was not is sent to another one.
      else if (!isSent && triesLeft > 1) pass(request, body, response, triesLeft - 1);
      else response.writeHead(502, { 'Content-Type': 'application/json' }).end('{}');
    });
    outgoing.on('response', (incoming) => {
      response.writeHead(incoming.statusCode, incoming.rawHeaders);
      incoming.pipe(response);
      incoming.on('error', () => response.destroy());
    });
    outgoing.end(body);
  }
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: server.address().port,
    add(port) {
      targets.push({ port, agent: new Agent({ keepAlive: true }) });
    },
    drop(port) {
      const at = targets.findIndex((target) => target.port === port);
      if (at >= 0) targets.splice(at, 1)[0].agent.destroy();
    },
    close() {
      for (const { agent } of targets) agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
