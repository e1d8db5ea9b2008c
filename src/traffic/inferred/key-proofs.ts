import { headerValue } from '../../core/http/headers';
import { decodePathSegment, parseTarget, splitPath } from '../../core/http/request-target';
import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import { addToList } from '../../core/text/memoize';
import { isKeyName } from '../../openapi/naming/property-names';
import { isAccepted, jsonOf, type Observation } from './observation';

/** A property of a message that had the value of a segment, and whose name says that it identifies something. */
export interface KeyProof {
  /** `''` where only a Location had it. */
  readonly property: string;
  /** Was it a text in JSON? A number in a text is no integer. */
  readonly isText: boolean;
}

/** Names of what identifies a thing wherever it is shown; `name` does where the thing itself is shown. */
const IDENTITIES = new Set(
  'id,key,uuid,guid,gid,sid,iid,slug,code,login,username,userid,handle,sku,symbol,number'.split(','),
);
/** Deep enough for a list in an envelope with things in things. */
const MOST_LEVELS = 8;

interface Occurrence extends KeyProof {
  /** The path of the exchange. */
  readonly at: readonly string[];
  /** Did an item of a list have it? */
  readonly isListed: boolean;
}

/**
 * What the traffic proves to be keys: values of properties that identify things in responses and in accepted requests, and
 * the ends of the addresses at which something was made (RFC 9110 §15.3.2).
 */
export class KeyProofs {
  private readonly occurrences = new Map<string, Occurrence[]>();
  private readonly locations = new Set<string>();
  /** All that may be asked for. */
  private readonly segments: ReadonlySet<string>;

  constructor(observations: readonly Observation[], depth: number) {
    this.segments = new Set(observations.flatMap(({ segments }) => segments.map(decoded)));
    for (const observation of observations) {
      if (!isAccepted(observation)) continue;
      const { request, response, segments } = observation;
      for (const body of [response, request]) {
        const value = jsonOf(body);
        if (value !== undefined) this.addValue(value, { at: segments, isListed: false }, 0);
      }
      this.addLocation(observation, depth);
    }
  }

  /**
   * @param before - the raw segments before that of the value, as one request had them
   * @param thing - what the segment before it is called: `things`
   */
  find(value: string, before: readonly string[], thing: string): KeyProof | undefined {
    const all = this.occurrences.get(value) ?? [];
    const found = all
      .filter((each) => identifies(each.property, thing) || isOwnName(each, before, value))
      .sort((left, right) => rank(left.property, thing) - rank(right.property, thing))[0];
    if (found !== undefined) return found;
    return this.locations.has([...before, value].join('/')) ? { property: '', isText: true } : undefined;
  }

  private addValue(value: JsonValue, place: Pick<Occurrence, 'at' | 'isListed'>, level: number): void {
    if (level > MOST_LEVELS) return;
    if (Array.isArray(value)) for (const item of value) this.addValue(item, { ...place, isListed: true }, level + 1);
    if (!isJsonObject(value)) return;
    for (const [property, held] of Object.entries(value)) {
      if (typeof held === 'string' || isJsonNumber(held)) {
        const text = scalarText(held);
        if (text !== '' && this.segments.has(text))
          addToList(this.occurrences, text, { property, isText: typeof held === 'string', ...place });
      } else this.addValue(held, place, level + 1);
    }
  }

  private addLocation({ method, responseHeaders, status }: Observation, depth: number): void {
    const location = method === 'POST' && status === 201 ? headerValue(responseHeaders, 'location') : undefined;
    const path = location === undefined ? undefined : parseTarget(location)?.path;
    if (path !== undefined) this.locations.add(splitPath(path).slice(depth).map(decoded).join('/'));
  }
}

function identifies(property: string, thing: string): boolean {
  return IDENTITIES.has(foldedName(property)) || isKeyName(property, thing);
}

/** Is it the name of what is shown at the place before the segment, or below it? An item of a list is not the list. */
function isOwnName({ property, at, isListed }: Occurrence, before: readonly string[], value: string): boolean {
  if (foldedName(property) !== 'name' || !before.every((segment, index) => at[index] === segment)) return false;
  return !isListed || at[before.length] !== value;
}

/** Which of several properties with one value names the variable: the key of the thing itself before a name that it has. */
function rank(property: string, thing: string): number {
  const folded = foldedName(property);
  if (folded === 'id' || folded === `${foldedName(thing)}id`) return 0;
  return isKeyName(property, thing) ? 1 : IDENTITIES.has(folded) ? 2 : 3;
}

function decoded(segment: string): string {
  return decodePathSegment(segment) ?? segment;
}
