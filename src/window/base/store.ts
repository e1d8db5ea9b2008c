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
  events: signal(0),
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
  /** `seq` of the newest that was told. As they are counted from 1, it tells how many the page does not have. */
  readonly last: number;
  /** May the mock remember some that the page does not have? */
  readonly isLoading: boolean;
}

const EMPTY: RequestLog = { entries: [], last: 0, isLoading: true };

/** What the page keeps; a little more until it is worth the cutting. */
export const MOST_ENTRIES = 10_000;
const CUT_AT = 11_000;

export const requestLog = signal<RequestLog>(EMPTY);

/** Puts them where they belong in the order. @returns those that are new */
export function addRequests({ requests, last }: RequestList): readonly RequestSummary[] {
  const log = requestLog.value;
  const known = new Set(requests.some(({ seq }) => seq <= log.last) ? log.entries.map(({ seq }) => seq) : []);
  const fresh = requests.filter(({ seq }) => !known.has(seq));
  if (fresh.length === 0 && last <= log.last) return fresh;
  const entries = [...log.entries, ...fresh];
  if (known.size > 0) entries.sort((one, other) => one.seq - other.seq);
  requestLog.value = {
    ...log,
    entries: entries.length > CUT_AT ? entries.slice(-MOST_ENTRIES) : entries,
    last: Math.max(last, log.last),
  };
  return fresh;
}

/** Says whether some are still to come. */
export function noteLoading(isLoading: boolean): void {
  if (requestLog.value.isLoading !== isLoading) requestLog.value = { ...requestLog.value, isLoading };
}

/** Puts them in the place of those before; what came behind them meanwhile stays. */
export function replaceRequests({ requests, last }: RequestList): void {
  const log = requestLog.value;
  const later = log.entries.filter(({ seq }) => seq > last);
  requestLog.value = { ...log, entries: [...requests, ...later], last: later.at(-1)?.seq ?? last };
}

/** Those that the page has are of another mock. */
export function forgetRequests(): void {
  requestLog.value = EMPTY;
}

/** How often the mock was started anew while the page was open: nothing that was loaded before is of this one. */
export const restarts = signal(0);

/** Another mock counts from the beginning. */
export function noteRestart(): void {
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
