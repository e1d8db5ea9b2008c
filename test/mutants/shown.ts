import { isFields, type Json, writeJson } from './json';
import { type Answer, jsonOf, type Place } from './message';

/** One time that a defect showed. */
export interface Shown {
  readonly operation: string | undefined;
  readonly collection: string | undefined;
  /**
   * Which parts of the response are not as the conforming server gave them, as findings name them:
   * `/response/status`, `/response/headers/etag`, `/response/body/0/name`. `undefined` where the response is what the
   * server gave, to another request or in another state: then the place is for whoever reads the response to say.
   */
  readonly parts: readonly string[] | undefined;
}

/** What a finding says of where it is. */
export interface Named {
  readonly operation: string | undefined;
  readonly at: string;
}

/**
 * How near a finding is to what showed: it names the part of the response that is wrong; the operation, where no part
 * alone is, or another part; an operation on the same kind of thing, as where a write is not kept and a reading shows it.
 */
export type Nearness = 'part' | 'operation' | 'resource' | 'elsewhere';

/**
 * @param given - what the conforming server gave, where it got the call as it came
 */
export function shownAt({ operation, collection }: Place, given: Answer | undefined, answer: Answer): Shown {
  const parts = given === undefined ? [] : differingParts(given, answer);
  return { operation, collection, parts: parts.length === 0 ? undefined : parts };
}

/** How near the nearest of a step's findings is to what showed before it. */
export function nearnessOf(findings: readonly Named[], shown: readonly Shown[], resourceOf: ResourceOf): Nearness {
  const near = findings.flatMap((finding) => shown.map((each) => nearness(finding, each, resourceOf)));
  return RANKS.find((rank) => near.includes(rank)) ?? 'elsewhere';
}

/** The kind of thing that an operation is about. */
export type ResourceOf = (operation: string | undefined) => string | undefined;

const RANKS: readonly Nearness[] = ['part', 'operation', 'resource'];

function nearness({ operation, at }: Named, shown: Shown, resourceOf: ResourceOf): Nearness {
  if (operation === undefined || operation !== shown.operation) {
    const resource = resourceOf(operation);
    return resource !== undefined && resource === shown.collection ? 'resource' : 'elsewhere';
  }
  const isPart = shown.parts?.some((part) => isWithin(at.toLowerCase(), part) || isWithin(part, at.toLowerCase()));
  return isPart === true ? 'part' : 'operation';
}

/** `/response` alone names no part. */
function isWithin(inner: string, outer: string): boolean {
  return outer !== '/response' && (inner === outer || inner.startsWith(`${outer}/`));
}

function differingParts(given: Answer, answer: Answer): string[] {
  const names = new Set([...given.headers, ...answer.headers].map(([name]) => name.toLowerCase()));
  // The length follows the body.
  names.delete('content-length');
  const valuesOf = ({ headers }: Answer, name: string): string =>
    JSON.stringify(headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value));
  return [
    ...(given.status === answer.status ? [] : ['/response/status']),
    ...[...names]
      .filter((name) => valuesOf(given, name) !== valuesOf(answer, name))
      .map((name) => `/response/headers/${name}`),
    ...(given.body.equals(answer.body) ? [] : differingMembers(given, answer)),
  ];
}

function differingMembers(given: Answer, answer: Answer): string[] {
  const [before, after] = [jsonOf(given), jsonOf(answer)];
  const parts = before === undefined || after === undefined ? [] : differences(before, after, '/response/body');
  // No JSON, or the same values otherwise written.
  return parts.length === 0 ? ['/response/body'] : parts;
}

function differences(before: Json, after: Json, at: string): string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index] ?? null, `${at}/${index}`));
  if (isFields(before) && isFields(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => {
      const [old, current] = [before[name], after[name]];
      if (old === undefined || current === undefined) return old === current ? [] : [`${at}/${name.toLowerCase()}`];
      return differences(old, current, `${at}/${name.toLowerCase()}`);
    });
  }
  return writeJson(before) === writeJson(after) ? [] : [at];
}
