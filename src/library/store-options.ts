import { inGroup, type OptionTable } from '../core/options/option-table';
import { type OptionType, stringValue } from '../core/options/option-types';

/** Where a mock stores what it remembers. */
export interface StoreOptions {
  /**
   * Where what is stored outlasts the mock: `memory` (it does not, the default), `file:FOLDER`, or the address of a Redis,
   * which several mocks share: `redis://HOST:PORT/DATABASE?name=NAME`. A mock in a program ends with `app.closeStore()`.
   */
  readonly store?: string | undefined;
  /** When a folder outlasts the end of the machine: `always`, before each answer, or within so many milliseconds. Default: 1000. */
  readonly storeSync?: 'always' | number | undefined;
}

const PLACE = /^(?:memory|file:.+|rediss?:\/\/\S+)$/s;
const place: OptionType = {
  ...stringValue,
  expected: 'memory, file:FOLDER, or the address of a Redis such as redis://localhost:6379/0',
  accepts: (value) => typeof value === 'string' && PLACE.test(value),
  parse: (text) => (PLACE.test(text) ? text : undefined),
};

export const DEFAULT_SYNC_MS = 1000;
const MAX_SYNC_MS = 60_000;

const isTime = (ms: number): boolean => Number.isInteger(ms) && ms >= 1 && ms <= MAX_SYNC_MS;

const sync: OptionType = {
  expected: `"always", or a whole number of milliseconds from 1 to ${MAX_SYNC_MS}`,
  expectedText: 'always, interval (a second), or a time such as 200ms, up to 60s',
  accepts: (value) => value === 'always' || (typeof value === 'number' && isTime(value)),
  parse(text) {
    if (text === 'always') return text;
    if (text === 'interval') return DEFAULT_SYNC_MS;
    const [, digits = '', unit] = /^(\d{1,5})(ms|s)$/.exec(text) ?? [];
    const ms = Number(digits) * (unit === 's' ? 1000 : 1);
    return isTime(ms) ? ms : undefined;
  },
};

export const STORE_OPTIONS: OptionTable<keyof StoreOptions> = inGroup('Store', {
  store: {
    flag: '--store <place>',
    doc: 'where what is stored outlasts the mock: memory (it does not), file:FOLDER, or redis://HOST:PORT/DB, which mocks share',
    type: place,
    default: 'memory',
    path: 'place',
  },
  storeSync: {
    flag: '--store-sync <when>',
    doc: 'when a folder outlasts the end of the machine: always (before each answer), interval, or a time such as 200ms',
    type: sync,
    unit: 'milliseconds',
    default: 'interval: 1000',
  },
});
