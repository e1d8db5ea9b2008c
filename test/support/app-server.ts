import { once } from 'node:events';
import { Agent, createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** The connections of a test file to its servers, for `.agent(connections)`. */
export const connections = new Agent({ keepAlive: true });
const servers: Server[] = [];

afterAll(() => {
  connections.destroy();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Returns a server that listens until the tests of the file end.
 *
 * supertest starts a server and opens a connection for each request, which triples the cost of a request.
 */
export async function startAppServer(app: RequestListener): Promise<Server> {
  const server = createServer(app);
  // The server never closes a connection on which a client is about to send a request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

/** Sends one GET request many times on one connection, without waiting in between, and waits for all responses. */
export async function getManyTimes(
  server: Server,
  path: string,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `GET ${path} HTTP/1.1\r\n${lines.join('')}`;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${`${head}\r\n`.repeat(count - 1)}${head}Connection: close\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
}
