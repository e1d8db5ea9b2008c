import { serverOfTests, type TestServer } from '../support/server';
import { RawConnection, type NextOptions, type RawResponse } from './raw-connection';

export const HOST = 'Host: 127.0.0.1';
export const AUTHORIZATION = 'Authorization: Bearer test-key';
export const JSON_TYPE = 'Content-Type: application/json';
export const CLOSE = 'Connection: close';

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Lines joined as HTTP wants them, with the empty line at the end. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A whole good request, with what the Petstore asks of each: a host and a key. */
export function request(line: string, headers: readonly string[] = [], body?: string | Uint8Array): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const start = head(`${line} HTTP/1.1`, HOST, AUTHORIZATION, ...headers, ...length);
  return Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(body ?? '')]);
}

/** The same with JSON in it. */
export function jsonRequest(line: string, body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  return request(line, [JSON_TYPE, ...headers], body);
}

/** Sends bytes on a connection of their own and reads the first response to them. */
export async function exchange(
  { port }: TestServer,
  bytes: string | Uint8Array,
  options?: NextOptions,
): Promise<RawResponse> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(bytes);
    return await connection.next(options);
  } finally {
    connection.close();
  }
}

const MEMBERS = ['code', 'message', 'status'];
/** Of an error of an admin route, whatever errors the description has. */
export const ADMIN_MEMBERS = ['status', 'code', 'message', 'findings', 'current'];

/** Code and status of an Error object, after everything that each of them owes was checked. */
export function errorOf(response: RawResponse, members: readonly string[] = MEMBERS): string {
  const { status, body } = response;
  const error = JSON.parse(body) as Record<string, unknown>;
  expect({ type: response.header('Content-Type'), members: Object.keys(error), status: error['status'] }).toEqual({
    type: 'application/json',
    members,
    status,
  });
  expect(error['code']).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(error['message']).toMatch(/\S/);
  expect(response.header('Date')).toMatch(IMF_FIXDATE);
  return `${String(error['code'])} ${status}`;
}

/** Sends bytes that must be refused, and checks that they changed nothing. */
export async function refusal(server: TestServer, bytes: string | Uint8Array): Promise<string> {
  const before = server.stateText();
  const response = await exchange(server, bytes);
  const code = errorOf(response);
  expect(response.body).not.toContain('test-key');
  expect(server.stateText()).toBe(before);
  return code;
}

/** A server for the tests of a file, which is looked after behind each of them. */
export function aliveServer(): TestServer {
  const server = serverOfTests();
  afterEach(() => expectAlive(server));
  return server;
}

/** Fails when the server does not answer any more, or met a defect in itself. */
export async function expectAlive(server: TestServer): Promise<void> {
  expect((await exchange(server, request('GET /categories/1'))).status).toBe(200);
  expect(server.defects).toEqual([]);
}
