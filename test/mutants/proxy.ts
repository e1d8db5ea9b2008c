import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Alteration, Exchange, Settings } from './defect';
import type { Dialect } from './dialect';
import { withJson, type Answer, type Call, type Header } from './message';
import { type Shown, shownAt } from './shown';
import { PETSTORE } from './petstore';
import { createTrigger, type Trigger } from './trigger';

export interface MutantProxyOptions {
  /** Address of a conforming server, without a slash at the end. */
  readonly target: string;
  /** Of the API there; left out: of the Petstore. */
  readonly dialect?: Dialect;
  /** A defect, a variant, or nothing: then the proxy is transparent. */
  readonly defect?: Alteration;
  readonly trigger?: Trigger;
  /** For `every-nth`. */
  readonly nth?: number;
  /** A key that the target lets in, for requests that the defect itself sends. */
  readonly key?: string;
  /** How slow a slow answer is, in milliseconds. */
  readonly slow?: number;
  /** Called for each response that is not as the conforming server would have given it. */
  readonly onShown?: (shown: Shown) => void;
  /** Called for each request that arrives. */
  readonly onRequest?: () => void;
}

export interface MutantProxy {
  readonly url: string;
  /** Lets every answer go that is slow on purpose. */
  readonly endPauses: () => void;
  close(): Promise<void>;
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'proxy-connection', 'upgrade'];

function pairs(raw: readonly string[]): Header[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}

const lasting = (headers: readonly Header[]): Header[] =>
  headers.filter(([name]) => !HOP_BY_HOP.includes(name.toLowerCase()));

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The same request as the client sent, Host included: addresses in the answer then lead back to the proxy. */
function forward(target: URL, agent: Agent, call: Call): Promise<Answer> {
  // The proxy has the whole body already; other expectations are for the target to refuse.
  const isContinue = ([name, value]: Header): boolean =>
    name.toLowerCase() === 'expect' && /^100-continue$/i.test(value);
  const headers = lasting(call.headers).filter((line) => !isContinue(line));
  const sized = call.body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(call.method);
  const lines = [...headers, ...(sized ? [['Content-Length', String(call.body.length)] as const] : [])];
  const path = `${target.pathname === '/' ? '' : target.pathname}${call.target}`;
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = target;
    const options = { agent, host, port, path, method: call.method, headers: lines.flat(), setHost: false };
    // Node takes a flat list of names and values, which keeps repeated fields; its types do not know.
    const outgoing = send(options as never, (incoming: IncomingMessage) => {
      readAll(incoming)
        .then((body) => {
          resolve({ status: incoming.statusCode ?? 0, headers: pairs(incoming.rawHeaders), body });
        })
        .catch(reject);
    });
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}

function withoutLength({ method }: Call, answer: Answer): Answer {
  const headers = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return method === 'HEAD' ? { ...answer, headers } : answer;
}

function reply(response: ServerResponse, call: Call, answer: Answer): void {
  const socket = response.socket;
  if (answer.cut) {
    socket?.destroy();
    return;
  }
  const { status, body } = answer;
  const noBody = call.method === 'HEAD' || status === 304 || (status === 204 && body.length === 0);
  const length = noBody
    ? answer.headers.filter(([name]) => name.toLowerCase() === 'content-length')
    : [['Content-Length', String(body.length)] as const];
  if (status === 204 && body.length > 0) {
    // Node refuses to send this, as it should; other servers do.
    const head = [...lasting(answer.headers), ...length, ['Connection', 'close']].map((line) => line.join(': '));
    socket?.end(Buffer.concat([Buffer.from(`HTTP/1.1 204 No Content\r\n${head.join('\r\n')}\r\n\r\n`), body]));
    return;
  }
  response.sendDate = false;
  response.writeHead(status, [...lasting(answer.headers), ...length].flat());
  response.end(noBody ? undefined : body);
}

/** What is no HTTP goes through as it came, so that the target gives its own answer to it. */
function tunnel(target: URL, socket: Duplex, packet: Buffer | undefined): void {
  if (!socket.writable || !packet) {
    socket.destroy();
    return;
  }
  const upstream = connect(Number(target.port), target.hostname, () => upstream.write(packet));
  upstream.on('error', () => socket.destroy());
  upstream.pipe(socket);
}

/** What became of one exchange: did the defect show, and what did the server give to the call as it came. */
interface Noted {
  hasFired: boolean;
  given: Answer | undefined;
}

/** A conforming server with one thing wrong: everything else goes through untouched. */
export async function startMutantProxy(options: MutantProxyOptions): Promise<MutantProxy> {
  const { defect, trigger = 'always', nth = 3, key = 'test-key', slow = 5000, onRequest, onShown } = options;
  const { placeOf, subjectOf, credential } = options.dialect ?? PETSTORE;
  const target = new URL(options.target);
  const agent = new Agent({ keepAlive: true });
  const pauses = new Set<() => void>();
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, slow);
      pauses.add(end);
    });
  const endPauses = (): void => {
    for (const end of pauses) end();
  };
  const settings: Settings = { key, pause };
  const intercept = defect?.start(settings) ?? ((exchange: Exchange) => exchange.pass());
  let hasRemoved = false;
  const decide = createTrigger(trigger, nth, () => hasRemoved);

  const exchangeOf = (call: Call, noted: Noted): Exchange => {
    const place = placeOf(call);
    const host = call.headers.find(([name]) => name.toLowerCase() === 'host') ?? ['Host', target.host];
    let latest: Answer | undefined;
    return {
      call,
      place,
      fires: (subject) => {
        const fires = decide(subject ?? subjectOf(call, place, latest));
        noted.hasFired ||= fires;
        return fires;
      },
      // What is made of the body of a GET is not made of the length that HEAD tells: it may leave that out (RFC 9110 §8.6).
      pass: async (other = call) => {
        latest =
          defect === undefined
            ? await forward(target, agent, other)
            : withoutLength(other, await forward(target, agent, other));
        noted.given = other === call ? latest : undefined;
        return latest;
      },
      ask: (method, path, body) => {
        const headers: Header[] = [host, credential(key)];
        const bare: Call = { method, target: path, headers, body: Buffer.alloc(0) };
        if (body === undefined) return forward(target, agent, bare);
        const labelled: Call = { ...bare, headers: [...headers, ['Content-Type', 'application/json']] };
        return forward(target, agent, withJson(labelled, body));
      },
    };
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    onRequest?.();
    const body = await readAll(incoming);
    const { method = 'GET', url = '/', rawHeaders } = incoming;
    const call: Call = { method, target: url, headers: pairs(rawHeaders), body };
    const noted: Noted = { hasFired: false, given: undefined };
    const answer = await intercept(exchangeOf(call, noted));
    const shown = shownAt(placeOf(call), noted.given, answer);
    if (noted.hasFired || shown.parts !== undefined) onShown?.(shown);
    hasRemoved ||= method === 'DELETE' && answer.status >= 200 && answer.status < 300;
    reply(response, call, answer);
  };
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    serve(incoming, response).catch(() => response.destroy());
  };
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 64 * 1024 }, listener);
  server.on('checkExpectation', listener);
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    tunnel(target, socket, error.rawPacket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    endPauses,
    close: () =>
      new Promise((resolve) => {
        endPauses();
        server.close(() => {
          agent.destroy();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
