import { randomBytes } from 'node:crypto';
import { problem } from '../../core/http/problem';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { StoreError } from '../../mock/state/state-log';
import type { EventSink, EventSource, Rejection } from './action';
import { ADMIN_ACTIONS } from './registry';
import type { RequestLog } from './request-log';
import type { LiveEvents, RequestList } from './shapes';

interface Listener {
  readonly sink: EventSink;
  readonly sandbox: string | undefined;
  /** `seq` of the last request that was told. */
  position: number;
  /** What the listener was greeted by. */
  instance: string;
}

type What = LiveEvents['change']['what'];

const TICK_MS = 250;
const HEARTBEAT_MS = 15_000;
const MAX_LISTENERS = 20;
/** A listener that does not read is given up from here on. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** All of what comes in one tick, up to so many. */
const MAX_SUMMARIES = 500;
/** Of more than that nobody reads each: so many are told, and the page leaves the processor to the mock. */
const SAMPLE_SUMMARIES = 100;

// Kept as they are now: a test may fake the timers later, and the events must come all the same.
const every = setInterval;
const stop = clearInterval;

/**
 * Tells those who listen what happens: requests, and changes that were made by others than requests. The journals are
 * looked at by a timer, and only while somebody listens: a request costs nothing more.
 */
export class LiveEventStreams implements EventSource {
  private readonly start = randomBytes(6).toString('hex');
  private readonly log: RequestLog;
  private readonly onStateChange: (() => void) | undefined;
  private readonly listeners = new Set<Listener>();
  private readonly changed = new Set<What>();
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;
  private latest: { readonly key: string; readonly list: RequestList } | undefined;

  /** @param onStateChange - called where others than requests changed a state */
  constructor(log: RequestLog, onStateChange?: () => void) {
    this.log = log;
    this.onStateChange = onStateChange;
  }

  /** Another one for each start of the mock; of mocks that are one service, that of the service. */
  get instance(): string {
    return this.log.shared?.instance ?? this.start;
  }

  /** Something was changed by others than requests. */
  announce(what: What | readonly What[]): void {
    // Told for each message of an event, and mostly to nobody.
    if (what === 'events' && this.listeners.size === 0) return;
    const all = [what].flat();
    if (all.includes('state')) this.onStateChange?.();
    // Each process has a description of its own, and sends its own events.
    for (const each of all) if (each !== 'description' && each !== 'events') this.log.shared?.changed(each);
    if (this.listeners.size > 0) for (const each of all) this.changed.add(each);
  }

  /** Why one more cannot listen; `undefined` where it can. */
  refusal(): Rejection | undefined {
    if (this.listeners.size < MAX_LISTENERS) return undefined;
    const message = `${MAX_LISTENERS} listen to the mock already; close a page that shows it, and try again`;
    return problem('too_many_listeners', message);
  }

  /**
   * @param lastEventId - of the last event that was received; requests after it are told first. One of another start of the
   *   mock means that none was
   * @returns to be called when the connection is gone
   */
  listen(sink: EventSink, lastEventId: string | undefined, sandbox: string | undefined): () => void {
    const listener = { sink, sandbox, position: this.positionOf(lastEventId), instance: this.instance };
    this.listeners.add(listener);
    this.greet(listener);
    this.tellRequests(listener);
    this.timer ??= every(() => {
      this.tick();
    }, TICK_MS).unref();
    return () => {
      this.drop(listener);
    };
  }

  private greet(listener: Listener): void {
    listener.instance = this.instance;
    this.tell(listener, 'hello', { instance: this.instance, last: this.log.last });
  }

  private positionOf(lastEventId: string | undefined): number {
    const { last } = this.log;
    const [, instance, seq = ''] = /^([0-9a-f]+)-(\d{1,15})$/.exec(lastEventId ?? '') ?? [];
    if (instance === undefined) return last;
    return instance === this.instance ? Math.min(Number(seq), last) : 0;
  }

  private tick(): void {
    this.ticks += 1;
    const isBeat = this.ticks % (HEARTBEAT_MS / TICK_MS) === 0;
    this.hearOthers();
    const changes = [...this.changed];
    this.changed.clear();
    for (const listener of this.listeners) {
      const { sink } = listener;
      if (sink.isClosing()) sink.end();
      else if (sink.waiting() > MAX_WAITING_BYTES) sink.destroy();
      else {
        if (listener.instance !== this.instance) this.beginAnew(listener);
        this.tellRequests(listener);
        for (const what of changes) this.tell(listener, 'change', { what });
        if (isBeat) sink.write(': still here\n\n');
        continue;
      }
      this.drop(listener);
    }
  }

  /** What is heard now is told in the next tick. */
  private hearOthers(): void {
    const { shared } = this.log;
    if (shared === undefined) return;
    for (const what of shared.takeChanges()) this.changed.add(what as What);
    shared.look().catch((error: unknown) => {
      // Requests are refused meanwhile, and health says why.
      if (!(error instanceof StoreError)) throw error;
    });
  }

  /** What was known of the service is gone. */
  private beginAnew(listener: Listener): void {
    listener.position = 0;
    this.greet(listener);
  }

  private tellRequests(listener: Listener): void {
    if (this.log.last === listener.position) return;
    const list = this.listFor(listener);
    listener.position = list.last;
    if (list.requests.length > 0 || list.dropped > 0) this.tell(listener, 'requests', list);
  }

  /** Most who listen have heard the same so far: what is told to one is told to the next. */
  private listFor({ position, sandbox }: Listener): RequestList {
    const key = `${position} ${this.log.last} ${sandbox ?? ''}`;
    if (this.latest?.key !== key) {
      const most = this.log.last - position > MAX_SUMMARIES ? SAMPLE_SUMMARIES : MAX_SUMMARIES;
      this.latest = { key, list: this.log.newest(position, most, sandbox) };
    }
    return this.latest.list;
  }

  private tell<Name extends keyof LiveEvents>({ sink, position }: Listener, name: Name, event: LiveEvents[Name]): void {
    const data = stringifyJson(event as unknown as JsonValue);
    sink.write(`id: ${this.instance}-${position}\nevent: ${name}\ndata: ${data}\n\n`);
  }

  private drop(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    stop(this.timer);
    this.timer = undefined;
    this.latest = undefined;
    this.changed.clear();
  }
}

/** What each method of the app changes, by the table of actions. */
const CHANGES = new Map(
  ADMIN_ACTIONS.flatMap(({ library, changes }) => (library && changes ? [[library, changes]] : [])),
);

/** Methods that give the controls of a sandbox. */
const GIVE_CONTROLS: ReadonlySet<string> = new Set(['sandbox', 'workerSandbox', 'fork']);

type Method = (...given: unknown[]) => unknown;

/** The same controls, of which those who listen are told what a program changes by them. */
export function announcing<Controls extends object>(controls: Controls, events: EventSource): Controls {
  const wrapped = Object.entries(controls).map(([name, member]: [string, unknown]): [string, unknown] => {
    if (typeof member !== 'function') return [name, member];
    const changes = CHANGES.get(name);
    if (changes === undefined && !GIVE_CONTROLS.has(name)) return [name, member];
    const act: Method = (...given) => {
      const result = (member as Method)(...given);
      if (changes !== undefined) events.announce(changes);
      return GIVE_CONTROLS.has(name) ? announcing(result as object, events) : result;
    };
    return [name, act];
  });
  return Object.fromEntries(wrapped) as Controls;
}
