import { signal } from '@preact/signals';

/** What the hash of the page's address says: `#/requests/7?sandbox=a&status=4xx`. */
export interface Address {
  readonly view: string;
  /** What stands behind the name of the view, without the slash between: `7`; `shelves/7/books` of a collection. */
  readonly rest: string;
  readonly query: ReadonlyMap<string, string>;
}

/** Values of a query; what is `undefined` or empty is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const DEFAULT_VIEW = 'requests';

function readAddress(hash: string): Address {
  const [path = '', ...query] = hash.replace(/^#?\/?/, '').split('?');
  const [view = '', ...rest] = path.split('/');
  return {
    view: view === '' ? DEFAULT_VIEW : decode(view),
    rest: rest.map(decode).join('/'),
    query: new Map(new URLSearchParams(query.join('?'))),
  };
}

/** People type and cut addresses: a bad escape stands for itself. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Where the page is. */
export const address = signal<Address>(readAddress(location.hash));

addEventListener('hashchange', () => {
  address.value = readAddress(location.hash);
});

/** The sandbox that the address names; `undefined` for none, which means all of them or the main one. */
export function chosenSandbox(): string | undefined {
  return address.value.query.get('sandbox');
}

/** A query as a text: `?a=1&b=2`, or nothing. */
export function queryText(query: Query): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return set.length === 0
    ? ''
    : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

/**
 * The address of a view, for links. The sandbox stays chosen, unless the query says another one.
 *
 * @param rest - what stands behind the name of the view, not escaped: slashes in it stay
 */
export function hrefOf(view: string, rest = '', query: Query = {}): string {
  const path = [view, ...(rest === '' ? [] : rest.split('/'))].map(encodeURIComponent).join('/');
  return `#/${path}${queryText({ sandbox: chosenSandbox(), ...query })}`;
}

/** @param replace - without a new entry in the history: for filters that are typed */
export function goTo(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else location.hash = href;
  address.value = readAddress(href);
}

/** Changes values of the query and stays where it is. */
export function setQuery(changes: Query): void {
  const { view, rest, query } = address.value;
  goTo(hrefOf(view, rest, { ...Object.fromEntries(query), ...changes }), { replace: true });
}
