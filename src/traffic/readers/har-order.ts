/** When something was, as far as it was noted: milliseconds since 1970. */
export interface Timed {
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** What it was made by, such as a page of a browser; `undefined` where nothing says so. */
  readonly page: string | undefined;
}

/** An entry in its place, with what its times have to be moved by so that they go on. */
export interface Placed<Entry> {
  readonly entry: Entry;
  readonly shiftMs: number;
}

/** Where a clock went back: before the entry of this index in the file, by so many milliseconds at least. */
export interface ClockJump {
  readonly index: number;
  readonly backMs: number;
}

export interface TimeOrder<Entry> {
  readonly placed: readonly Placed<Entry>[];
  readonly jumps: readonly ClockJump[];
}

/** A clock that is set back more often in one session is none: then the file has no order. */
const MOST_JUMPS = 2;
/** So many entries to one jump have to go forward, before the order of the file is believed. */
const FORWARD_PER_JUMP = 3;

/**
 * The order in which entries were made. Readers are to sort entries by their beginning (HAR 1.2, `entries`); equal ones,
 * and those without a time, stay as the file has them.
 *
 * Programs write entries by their beginning or by their end. In both orders an entry that stands behind another one ends
 * after that has begun. Where it does not, and this happens once or twice in a file that goes forward otherwise, and on
 * both sides is the same page, the clock was set back: there the order of the file is kept, and the times behind are
 * moved so that they go on. Else the file is a list without order, as of pages one after the other or the newest first,
 * and is sorted as a whole.
 */
export function inTimeOrder<Entry extends Timed>(entries: readonly Entry[]): TimeOrder<Entry> {
  const times = timesOf(entries);
  const jumps = clockJumps(entries, times);
  const begins = [0, ...jumps.map(({ index }) => index), entries.length];
  const placed: Placed<Entry>[] = [];
  let shiftMs = 0;
  let latest = -Infinity;
  for (let segment = 0; segment + 1 < begins.length; segment++) {
    const [from = 0, to = 0] = begins.slice(segment, segment + 2);
    const indices = Array.from({ length: to - from }, (_, index) => from + index);
    const startOf = (index: number): number => times[index]?.start ?? 0;
    indices.sort((one, other) => startOf(one) - startOf(other) || one - other);
    const earliest = startOf(indices[0] ?? from);
    if (segment > 0) shiftMs = latest - earliest;
    for (const index of indices) {
      const entry = entries[index];
      if (entry === undefined) continue;
      placed.push({ entry, shiftMs });
      latest = Math.max(latest, (times[index]?.end ?? 0) + shiftMs);
    }
  }
  return { placed, jumps };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What has no time has that of the entry before it, so that it stays behind that. */
function timesOf(entries: readonly Timed[]): Span[] {
  let last = entries.find(({ startedAt }) => startedAt !== undefined)?.startedAt ?? 0;
  return entries.map(({ startedAt, endedAt }) => {
    last = startedAt ?? last;
    return { start: last, end: Math.max(last, endedAt ?? last) };
  });
}

function clockJumps(entries: readonly Timed[], times: readonly Span[]): ClockJump[] {
  const jumps = times.flatMap(({ end }, index) => {
    const before = times[index - 1];
    return before !== undefined && end < before.start ? [{ index, backMs: Math.round(before.start - end) }] : [];
  });
  const forward = entries.length - 1 - jumps.length;
  const isClock = jumps.length <= MOST_JUMPS && forward >= FORWARD_PER_JUMP * jumps.length;
  const isOnePage = jumps.every(({ index }) => entries[index]?.page === entries[index - 1]?.page);
  return isClock && isOnePage ? jumps : [];
}
