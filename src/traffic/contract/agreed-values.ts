import { getAtPointer } from '../../core/json/json-pointer';
import { equalJson, type JsonValue } from '../../core/json/json-value';
import { addToList, getOrCreate } from '../../core/text/memoize';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import type { Call } from '../flow/call';
import type { Agreed } from './expectations';

/**
 * Says which values of responses may be expected literally: those that every response of the operation with this status
 * has, where there are two at least, and those that a second recording has at the same place of the session.
 *
 * @param second - the calls of another recording of the same session; none where there is none
 */
export function agreedValues(first: readonly Call[], second: readonly Call[] = []): Agreed {
  const alike = new Map<string, Call[]>();
  for (const call of first) addToList(alike, kindOf(call), call);
  const pairs = align(first, second);
  // What all calls of one kind have at a place, which each of them asks for.
  const common = memo((kind, pointer) => commonValue(alike.get(kind) ?? [], pointer));
  return (call, pointer) => {
    const pair = pairs.get(call.index);
    const isAlone = (alike.get(kindOf(call)) ?? []).length < 2;
    if (pair === undefined && (second.length > 0 || isAlone)) return false;
    const value = pair === undefined ? common(kindOf(call), pointer) : valueAt(call, pointer);
    if (value === undefined || hasSecret(value)) return false;
    return pair === undefined || isSame(value, pair, pointer);
  };
}

function commonValue([first, ...others]: readonly Call[], pointer: string): JsonValue | undefined {
  const value = first === undefined ? undefined : valueAt(first, pointer);
  return value !== undefined && others.every((other) => isSame(value, other, pointer)) ? value : undefined;
}

function memo<Value>(compute: (kind: string, pointer: string) => Value): typeof compute {
  const known = new Map<string, { readonly value: Value }>();
  return (kind, pointer) =>
    getOrCreate(known, JSON.stringify([kind, pointer]), () => ({ value: compute(kind, pointer) })).value;
}

function isSame(value: JsonValue, other: Call, pointer: string): boolean {
  const theirs = valueAt(other, pointer);
  return theirs !== undefined && equalJson(value, theirs);
}

function valueAt({ responseBody }: Call, pointer: string): JsonValue | undefined {
  return responseBody === undefined ? undefined : getAtPointer(responseBody, pointer);
}

function hasSecret(value: JsonValue): boolean {
  return typeof value === 'string' && value.match(SECRET_MARK) !== null;
}

function kindOf({ operation, method, path, status }: Call): string {
  return `${operation?.id ?? `${method} ${path}`} ${status ?? ''}`;
}

/** More calls than this are aligned by their order alone: the table of all pairs would be large. */
const MOST_ALIGNED = 2000;

/** The longest common subsequence of what was called and how it was answered (Hunt and McIlroy 1976). */
function align(first: readonly Call[], second: readonly Call[]): Map<number, Call> {
  const pairs = new Map<number, Call>();
  if (second.length === 0 || first.length > MOST_ALIGNED || second.length > MOST_ALIGNED) return pairs;
  const lengths = commonLengths(first.map(kindOf), second.map(kindOf));
  let [row, column] = [0, 0];
  for (;;) {
    const [call, other] = [first[row], second[column]];
    if (call === undefined || other === undefined) return pairs;
    if (kindOf(call) === kindOf(other)) {
      pairs.set(call.index, other);
      row += 1;
      column += 1;
    } else if (lengths(row + 1, column) >= lengths(row, column + 1)) row += 1;
    else column += 1;
  }
}

/** How long the longest common subsequence is of what lies behind two places. */
function commonLengths(ours: readonly string[], theirs: readonly string[]): (row: number, column: number) => number {
  const width = theirs.length + 1;
  const lengths = new Uint32Array((ours.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = ours.length - 1; row >= 0; row--) {
    for (let column = theirs.length - 1; column >= 0; column--) {
      const isSame = ours[row] === theirs[column];
      lengths[row * width + column] = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  return at;
}
