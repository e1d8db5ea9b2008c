import { parseQuery } from '../http/request-target';
import type { BodyWish } from '../payload/payload-source';
import type { Admitted } from './admit';

/** What a request asks for by `Prefer`, or by the query parameters that stand in for it, in the words of Prism. */
export interface Wish {
  /** As it was sent; {@link import('./described-answer')} judges it. */
  readonly code: string | undefined;
  readonly body: BodyWish;
  /** Whether the description answers, also where there is a state. */
  readonly isForcing: boolean;
}

/** @returns `undefined` for a request that asks for nothing */
export function readWish({ preferences, query }: Pick<Admitted, 'preferences' | 'query'>): Wish | undefined {
  if (preferences.size === 0 && !query.includes('__')) return undefined;
  const wished = (name: string): string | undefined => preferences.get(name) ?? fromQuery(query, `__${name}`);
  const code = wished('code');
  const example = wished('example');
  const dynamic = wished('dynamic');
  const seed = wished('seed');
  if ((code ?? example ?? dynamic ?? seed) === undefined) return undefined;
  const isDynamic = dynamic === 'true';
  const isForcing = code !== undefined || example !== undefined || isDynamic;
  return { code, body: { example, isDynamic, seed }, isForcing };
}

function fromQuery(query: string, wanted: string): string | undefined {
  return parseQuery(query).find(({ name }) => name === wanted)?.value;
}
