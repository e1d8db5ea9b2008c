import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { type Peer, startPeer } from '../runner/peer';
import { json, ref } from './small-api';

/** What is not done as one: between looking and writing others have their turn. Three are none: `keeps-seats` never
 * changes them, `marks` keeps what is removed and shows it as removed, and `waits` lets a change wait for another one. */
export type Race =
  | 'lost-update'
  | 'same-id'
  | 'oversold'
  | 'stale-tag'
  | 'twice-removed'
  | 'title-twice'
  | 'torn-put'
  | 'keeps-seats'
  | 'marks'
  | 'waits';

interface Show {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly stage: string;
  readonly note?: string;
  readonly seats: number;
  /** It is there as removed. */
  readonly removed?: true;
}

interface Booking {
  readonly id: string;
  readonly showId: string;
  readonly guest: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly etag?: string;
}

type Fields = Partial<Show & Booking>;

/**
 * Counts the requests that clients of this process have sent to a server and that have no complete response yet. undici
 * announces them when they are created, before a byte of them is on its way.
 */
class OutstandingRequests {
  private readonly requests = new Set<unknown>();
  private readonly origin: string;
  private readonly onEnd: () => void;

  /** @param onEnd - is called when a request has its response, or has failed */
  constructor(origin: string, onEnd: () => void) {
    this.origin = origin;
    this.onEnd = onEnd;
    subscribe('undici:request:create', this.add);
    subscribe('undici:request:trailers', this.remove);
    subscribe('undici:request:error', this.remove);
  }

  get size(): number {
    return this.requests.size;
  }

  close(): void {
    unsubscribe('undici:request:create', this.add);
    unsubscribe('undici:request:trailers', this.remove);
    unsubscribe('undici:request:error', this.remove);
  }

  private readonly add = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly origin: string | URL } };
    if (new URL(request.origin).origin === this.origin) this.requests.add(request);
  };

  private readonly remove = (message: unknown): void => {
    if (this.requests.delete((message as { readonly request: unknown }).request)) this.onEnd();
  };
}

/** A small service of shows with numbered seats and bookings of them, with its description, and with races on demand. */
export class Theatre {
  readonly races: ReadonlySet<Race>;
  readonly shows = new Map<string, Show>();
  readonly bookings = new Map<string, Booking>();
  /** Methods and paths, with the number of requests that were under way at the same time. */
  readonly log: { readonly line: string; underWay: number }[] = [];
  /** Is told of each request that arrives. */
  onRequest: ((line: string) => void) | undefined;
  private readonly underWay = new Set<Theatre['log'][number]>();
  private counter = 0;
  /** Lets the requests go on that wait for others. */
  private readonly waiting: (() => void)[] = [];
  private outstanding: OutstandingRequests | undefined;
  /** Requests one after the other, where nothing races. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(...races: readonly Race[]) {
    this.races = new Set(races);
  }

  /** @returns the base URL, and what ends it */
  async listen(): Promise<Peer> {
    const peer = await startPeer((request, response) => {
      const entry = { line: `${request.method ?? ''} ${request.url ?? ''}`, underWay: 0 };
      this.log.push(entry);
      this.onRequest?.(entry.line);
      this.underWay.add(entry);
      for (const each of this.underWay) each.underWay = Math.max(each.underWay, this.underWay.size);
      void readBody(request).then(async (text) => {
        const { status, body, etag } = await this.inTurn(request, text);
        this.underWay.delete(entry);
        const tag = etag === undefined ? {} : { ETag: etag };
        response.writeHead(status, body === undefined ? tag : { ...tag, 'Content-Type': 'application/json' });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
    });
    const outstanding = new OutstandingRequests(peer.url, () => {
      this.continueWhenAllWait();
    });
    this.outstanding = outstanding;
    return {
      url: peer.url,
      close: () => {
        outstanding.close();
        return peer.close();
      },
    };
  }

  private inTurn(request: IncomingMessage, text: string): Promise<Answer> {
    const answer = (): Promise<Answer> => this.answer(request, text);
    if (this.races.size > 0) return answer();
    const next = this.queue.then(answer);
    this.queue = next.catch(() => undefined);
    return next;
  }

  private async answer({ method = '', url = '', headers }: IncomingMessage, text: string): Promise<Answer> {
    const [, collection = '', id] = new URL(url, 'http://localhost').pathname.split('/');
    const body = text === '' ? {} : (JSON.parse(text) as Fields);
    const key = id ?? '';
    const condition = headers['if-match'];
    const routes: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
      'POST shows': () => this.addShow(body),
      'GET shows': () => ({ status: 200, body: [...this.shows.values()].map(shown) }),
      'GET shows/': () => this.found(key, (show) => ({ status: 200, body: shown(show), etag: tagOf(show) })),
      'PUT shows/': () =>
        this.change(key, condition, ({ id: own, version }) => ({ id: own, version, ...showOf(body) })),
      'PATCH shows/': () =>
        this.change(key, condition, (show) => ({ ...show, ...body, seats: this.seatsOf(show, body) })),
      'DELETE shows/': () => this.removeShow(key),
      'POST bookings': () => this.book(body),
      'GET bookings': () => ({ status: 200, body: [...this.bookings.values()] }),
      'GET bookings/': () => withBody(this.bookings.get(key)),
      'DELETE bookings/': () => (this.bookings.delete(key) ? { status: 204 } : problem(404)),
    };
    return routes[`${method} ${collection}${id === undefined ? '' : '/'}`]?.() ?? problem(404);
  }

  /** Lets the other requests have their turn: when all that were sent wait, they go on, the last one first. */
  private turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setImmediate(() => {
        this.continueWhenAllWait();
      });
    });
  }

  private continueWhenAllWait(): void {
    if (this.outstanding === undefined || this.waiting.length < this.outstanding.size) return;
    for (const goOn of this.waiting.splice(0).reverse()) goOn();
  }

  private async addShow(body: Fields): Promise<Answer> {
    const isTaken = [...this.shows.values()].some(({ title, removed }) => title === body.title && !removed);
    if (this.races.has('title-twice')) await this.turn();
    if (isTaken) return problem(409);
    const number = this.counter + 1;
    if (this.races.has('same-id')) await this.turn();
    this.counter = number;
    const show = { id: `s${number}`, version: 1, ...showOf(body) };
    this.shows.set(show.id, show);
    return { status: 201, body: shown(show) };
  }

  private async change(id: string, condition: string | undefined, next: (show: Show) => Show): Promise<Answer> {
    if (this.races.has('waits')) await this.turn();
    const before = this.shows.get(id);
    if (before === undefined) return problem(404);
    if (condition !== undefined && condition !== tagOf(before)) return problem(412);
    if (this.races.has('stale-tag') || this.races.has('lost-update')) await this.turn();
    // With what it read before, where updates are lost.
    const changed = next(this.races.has('lost-update') ? before : (this.shows.get(id) ?? before));
    const show = { ...changed, version: changed.version + 1 };
    if (this.races.has('torn-put')) await this.writeInTwoParts(show);
    else this.shows.set(id, show);
    return { status: 200, body: shown(show) };
  }

  private async writeInTwoParts(show: Show): Promise<void> {
    this.shows.set(show.id, { ...(this.shows.get(show.id) ?? show), title: show.title });
    await this.turn();
    this.shows.set(show.id, { ...show, title: this.shows.get(show.id)?.title ?? show.title });
  }

  private seatsOf({ seats }: Show, body: Fields): number {
    return this.races.has('keeps-seats') ? seats : (body.seats ?? seats);
  }

  private async removeShow(id: string): Promise<Answer> {
    const show = this.shows.get(id);
    const isThere = show !== undefined;
    if (this.races.has('marks') && isThere) {
      this.shows.set(id, { ...show, removed: true, version: show.version + 1 });
      return { status: 204 };
    }
    if (this.races.has('twice-removed')) await this.turn();
    if (!isThere) return problem(404);
    this.shows.delete(id);
    return { status: 204 };
  }

  private async book(body: Fields): Promise<Answer> {
    const show = this.shows.get(body.showId ?? '');
    if (show === undefined) return problem(422);
    const taken = [...this.bookings.values()].filter(({ showId }) => showId === show.id).length;
    if (this.races.has('oversold')) await this.turn();
    if (taken >= show.seats) return problem(409);
    this.counter += 1;
    const booking = { id: `b${this.counter}`, showId: show.id, guest: body.guest ?? '' };
    this.bookings.set(booking.id, booking);
    return { status: 201, body: booking };
  }

  private found(id: string, answer: (show: Show) => Answer): Answer {
    const show = this.shows.get(id);
    return show === undefined ? problem(404) : answer(show);
  }
}

function showOf({ title = '', stage = '', note, seats = 0 }: Fields): Omit<Show, 'id' | 'version'> {
  return { title, stage, seats, ...(note === undefined ? {} : { note }) };
}

function shown({ id, title, stage, note, seats, removed }: Show): object {
  return { id, title, stage, note, seats, removed };
}

function tagOf({ version }: Show): string {
  return `"${version}"`;
}

function withBody(body: object | undefined): Answer {
  return body === undefined ? problem(404) : { status: 200, body };
}

function problem(status: number): Answer {
  return { status, body: { code: `e${status}`, message: `It is ${status}` } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const TEXT = { type: 'string', minLength: 1 };
const SHOW = { title: TEXT, stage: TEXT, note: TEXT, seats: { type: 'integer', minimum: 0, maximum: 1000 } };
const answers = (...statuses: readonly (readonly [string, object?])[]): object =>
  Object.fromEntries(
    statuses.map(([status, schema]) => [
      status,
      {
        description: status,
        ...(schema === undefined ? {} : json(schema)),
        ...(schema === SHOWN && status === '200' ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
      },
    ]),
  );
const SHOWN = ref('Show');
const PROBLEM = ref('Error');
const at = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const change = (operationId: string, input: string): object => ({
  operationId,
  parameters: [at('showId'), IF_MATCH],
  requestBody: { required: true, ...json(ref(input)) },
  responses: answers(['200', ref('Show')], ['404', PROBLEM], ['412', PROBLEM]),
});

/** Its description, as JSON. */
export const THEATRE = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Theatre', version: '1' },
  paths: {
    '/shows': {
      get: { operationId: 'listShows', responses: answers(['200', { type: 'array', items: ref('Show') }]) },
      post: {
        operationId: 'addShow',
        requestBody: { required: true, ...json(ref('NewShow')) },
        responses: answers(['201', ref('Show')], ['409', PROBLEM]),
      },
    },
    '/shows/{showId}': {
      get: { operationId: 'getShow', parameters: [at('showId')], responses: answers(['200', SHOWN], ['404', PROBLEM]) },
      put: change('replaceShow', 'NewShow'),
      patch: change('changeShow', 'ChangedShow'),
      delete: { operationId: 'removeShow', parameters: [at('showId')], responses: answers(['204'], ['404', PROBLEM]) },
    },
    '/bookings': {
      get: { operationId: 'listBookings', responses: answers(['200', { type: 'array', items: ref('Booking') }]) },
      post: {
        operationId: 'book',
        requestBody: { required: true, ...json(ref('NewBooking')) },
        responses: answers(['201', ref('Booking')], ['409', PROBLEM], ['422', PROBLEM]),
      },
    },
    '/bookings/{bookingId}': {
      get: {
        operationId: 'getBooking',
        parameters: [at('bookingId')],
        responses: answers(['200', ref('Booking')], ['404', PROBLEM]),
      },
      delete: {
        operationId: 'cancelBooking',
        parameters: [at('bookingId')],
        responses: answers(['204'], ['404', PROBLEM]),
      },
    },
  },
  components: {
    schemas: {
      NewShow: { type: 'object', required: ['title', 'stage', 'seats'], properties: SHOW },
      ChangedShow: { type: 'object', minProperties: 1, properties: SHOW },
      Show: {
        type: 'object',
        required: ['id', 'title', 'stage', 'seats'],
        properties: { id: { type: 'string', readOnly: true }, ...SHOW },
      },
      NewBooking: { type: 'object', required: ['showId', 'guest'], properties: { showId: TEXT, guest: TEXT } },
      Booking: {
        type: 'object',
        required: ['id', 'showId', 'guest'],
        properties: { id: { type: 'string', readOnly: true }, showId: TEXT, guest: TEXT },
      },
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
});
