import { type Signal, signal } from '@preact/signals';
import type { AdminError, LiveEvents, Overview, RequestList, RequestSummary } from '../../server/actions/shapes';
import { callAdmin, errorDetails } from './client';

/** How the page hears of the mock: `refused` when it may not listen. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export const connection = signal<Connection>('connecting');

/** Why the page may not listen, or cannot. */
export const connectionError = signal<AdminError | undefined>(undefined);

/** Something that happened to the mock and that a person should know, until they have read it. */
export const notice = signal<string | undefined>(undefined);

export const overview = signal<Overview | undefined>(undefined);

/** Has the mock another time than the page? */
export function isClockSet(): boolean {
  return (overview.value?.clock.kind ?? 'real') !== 'real';
}

/** What can change beside requests. */
export type ChangeKind = LiveEvents['change']['what'];

/** How often each of them was told: whoever shows it loads it anew. */
export const changes: Readonly<Record<ChangeKind | 'requests', Signal<number>>> = {
  state: signal(0),
  responses: signal(0),
  faults: signal(0),
  clock: signal(0),
  sandboxes: signal(0),
  description: signal(0),
  requests: signal(0),
};

export function noteChange(kind: keyof typeof changes): void {
  changes[kind].value += 1;
}

const noting = new Set<keyof typeof changes>();

/** What many requests change is told once for all of them, a moment later. */
export function noteChangeSoon(kind: keyof typeof changes, ms: number): void {
  if (noting.has(kind)) return;
  noting.add(kind);
  setTimeout(() => {
    noting.delete(kind);
    noteChange(kind);
  }, ms);
}

/** Everything may be another one now. */
export function noteAllChanges(): void {
  for (const kind of Object.keys(changes)) noteChange(kind as ChangeKind);
}

/** The requests that the page remembers, oldest first. */
export interface RequestLog {
  readonly entries: readonly RequestSummary[];
  /** Those before and between them that nobody remembers any more. */
  readonly dropped: number;
  /** `seq` of the newest that was told. */
  readonly last: number;
}

const EMPTY: RequestLog = { entries: [], dropped: 0, last: 0 };

/** What the page keeps; a little more until it is worth the cutting. */
const MOST_ENTRIES = 10_000;
const CUT_AT = 11_000;

export const requestLog = signal<RequestLog>(EMPTY);

/** @returns whether there was something new */
export function addRequests({ requests, dropped, last }: RequestList): boolean {
  const log = requestLog.value;
  const fresh = requests.filter(({ seq }) => seq > log.last);
  if (fresh.length === 0 && last <= log.last) return false;
  const entries = [...log.entries, ...fresh];
  const cut = entries.length > CUT_AT ? entries.length - MOST_ENTRIES : 0;
  requestLog.value = {
    entries: cut === 0 ? entries : entries.slice(cut),
    dropped: log.dropped + dropped + cut,
    last: Math.max(last, log.last),
  };
  return fresh.length > 0;
}

/** Puts what the mock remembers in the place of what the page does: some were forgotten. */
export function replaceRequests(lists: readonly RequestList[]): void {
  requestLog.value = {
    entries: lists.flatMap(({ requests }) => requests),
    dropped: lists.reduce((sum, { dropped }) => sum + dropped, 0),
    last: lists.at(-1)?.last ?? 0,
  };
}

/** How often the mock was started anew while the page was open: nothing that was loaded before is of this one. */
export const restarts = signal(0);

/** Another mock counts from the beginning. */
export function noteRestart(): void {
  requestLog.value = EMPTY;
  restarts.value += 1;
  notice.value = 'The mock was restarted. What is shown is of the new one.';
}

/** Loads what is true of the mock; a failure keeps what is known, the connection tells of it. */
export async function loadOverview(): Promise<void> {
  try {
    overview.value = await callAdmin<Overview>('overview');
  } catch (cause) {
    connectionError.value = errorDetails(cause);
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let due = Infinity;

/** Loads it a moment later, once for all that asked meanwhile. */
export function loadOverviewSoon(ms: number): void {
  const wanted = Date.now() + ms;
  if (wanted >= due) return;
  clearTimeout(timer);
  due = wanted;
  timer = setTimeout(() => {
    due = Infinity;
    void loadOverview();
  }, ms);
}
