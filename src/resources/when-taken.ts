import type { Operation } from '../openapi/model';
import { wordsOf } from './inflection';
import { typesOf } from './schema-reader';

/** What becomes of an item that has the key of one that is sent to be made. */
export type WhenTaken = 'replace' | 'update';

export interface AskedWhenTaken {
  readonly parameter: string;
  /** By the value of the parameter, as text; any other asks for nothing. */
  readonly values: ReadonlyMap<string, WhenTaken>;
}

/** Of a creation: what becomes of an item that has the key already. */
export interface MeaningsOfTaken {
  /** By itself; `undefined` where it is refused. */
  readonly whenTaken: WhenTaken | undefined;
  /** The query parameter by which a request may say so: `action=upsert`, `overwrite=true`. */
  readonly askedWhenTaken: AskedWhenTaken | undefined;
}

/** Words for what is to become of such an item, as values or names of parameters. */
const ASKED: ReadonlyMap<string, WhenTaken> = new Map([
  ['upsert', 'update'],
  ['merge', 'update'],
  ['emplace', 'update'],
  ['update', 'update'],
  ['replace', 'replace'],
  ['overwrite', 'replace'],
]);

/** The parameter of a creation by which a request says that: `action=upsert` among others, or `overwrite=true`. */
export function askedWhenTaken({ parameters }: Operation): AskedWhenTaken | undefined {
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || schema === undefined) continue;
    const flag = typesOf(schema.value).includes('boolean') ? ASKED.get(wordsOf(name)[0] ?? '') : undefined;
    if (flag !== undefined && wordsOf(name).length === 1) return { parameter: name, values: new Map([['true', flag]]) };
    const listed = Array.isArray(schema.value['enum']) ? schema.value['enum'] : [];
    const values = new Map(
      listed.flatMap((word): [string, WhenTaken][] => {
        const meant = typeof word === 'string' ? ASKED.get(word.toLowerCase()) : undefined;
        return typeof word === 'string' && meant !== undefined ? [[word, meant]] : [];
      }),
    );
    // One word alone may mean anything: `update` is the name of an event as well.
    if (values.has('upsert') || (values.size > 0 && listed.includes('create'))) return { parameter: name, values };
  }
  return undefined;
}
