import { schemeOf } from '../../core/http/authorization';
import { parseCookies } from '../../core/http/header-fields';
import { headerValue, headerValues } from '../../core/http/headers';
import type { JsonObject } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { camelCase } from './names';
import { holdsSecretMark, isAccepted, type Observation } from './observation';
import type { OperationDraft } from './operation-drafts';

/** Names of security schemes that are needed together; a list of these says that one is enough. */
type Requirement = readonly string[];

/** How the API knows its callers. */
export interface Credentials {
  /** `components.securitySchemes`, in the order of their names. */
  readonly schemes: Readonly<Record<string, JsonObject>>;
  /** Names of headers, in lower case, of query parameters and of cookies that carry keys. */
  readonly headers: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  /** `security` of an operation; `undefined` where it was called without any. */
  readonly security: (draft: OperationDraft) => JsonObject[] | undefined;
}

/** A header that proves that a page of the service sent the request: it says nothing of who asks. */
const AGAINST_FORGERY = /csrf|xsrf/i;
const SESSION = /sess|sid$|auth|token|jwt|login|remember|identity/i;
const QUERY_KEY = /^(?:x-?)?(?:api|app|access|auth|subscription)?[-_]?(?:key|token|id|auth)$/i;
/** What carries a secret for somebody else than the service, or is read apart. */
const OTHER_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'referer', 'origin', 'host']);

/** The security schemes by which requests were let in: by the marks of secrets in them, and the scheme of Authorization. */
export function inferCredentials(drafts: readonly OperationDraft[]): Credentials {
  const query = queryKeys(drafts);
  const cookies = sessionCookies(drafts);
  const schemes = new Map<string, JsonObject>();
  const headers = new Set<string>();
  const requirements = new Map<Observation, Requirement>();
  for (const { observations } of drafts) {
    for (const observation of observations) {
      const found = [
        ...authorizationScheme(observation),
        ...headerKeys(observation, headers),
        ...observation.query.flatMap(({ name }) =>
          name !== undefined && query.has(name) ? [apiKey('query', name)] : [],
        ),
        ...cookiesOf(observation).flatMap(({ name }) => (cookies.has(name) ? [apiKey('cookie', name)] : [])),
      ];
      for (const { name, scheme } of found) schemes.set(name, scheme);
      requirements.set(observation, [...new Set(found.map(({ name }) => name))].sort());
    }
  }
  const sorted = [...schemes].sort(([left], [right]) => (left < right ? -1 : 1));
  const usual = mostFrequent([...requirements.values()].filter((each) => each.length > 0));
  return {
    schemes: Object.fromEntries(sorted),
    headers,
    query,
    security: (draft) => securityOf(draft, requirements, usual),
  };
}

function securityOf(
  { observations }: OperationDraft,
  requirements: ReadonlyMap<Observation, Requirement>,
  usual: Requirement | undefined,
): JsonObject[] | undefined {
  const accepted = observations.filter(isAccepted);
  const known = accepted.length > 0 ? accepted : observations.filter(({ status }) => status !== 401);
  const asked = known.length > 0 ? known.map((each) => requirements.get(each) ?? []) : [usual ?? []];
  const distinct = [...new Map(asked.map((each) => [each.join(), each])).values()];
  if (distinct.every((each) => each.length === 0)) return undefined;
  // Nobody needs what one request did without; that stands last.
  const sorted = distinct.sort((left, right) => Number(left.length === 0) - Number(right.length === 0));
  return sorted.map((names) => Object.fromEntries(names.map((name) => [name, []])));
}

interface FoundScheme {
  readonly name: string;
  readonly scheme: JsonObject;
}

function authorizationScheme({ headers }: Observation): FoundScheme[] {
  const value = headerValue(headers, 'authorization');
  if (value === undefined) return [];
  const scheme = /^\S+ +\S/.test(value) ? schemeOf(value) : undefined;
  if (scheme === undefined) return [apiKey('header', 'Authorization')];
  return [{ name: `${camelCase(wordsOf(scheme))}Auth`, scheme: { type: 'http', scheme } }];
}

/** Headers of a service's own that hold nothing but a secret. */
function headerKeys({ headers }: Observation, known: Set<string>): FoundScheme[] {
  return headers.flatMap((name, index) => {
    const value = headers[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (index % 2 === 1 || OTHER_HEADERS.has(lower) || AGAINST_FORGERY.test(name)) return [];
    if (!holdsSecretMark(value)) return [];
    known.add(lower);
    return [apiKey('header', lower)];
  });
}

function apiKey(place: 'header' | 'query' | 'cookie', name: string): FoundScheme {
  const words = wordsOf(name);
  return {
    name: camelCase(place === 'header' ? words : [...words, place]) || `${place}Key`,
    scheme: { type: 'apiKey', in: place, name },
  };
}

/** Query parameters with a secret that several operations take, or that are called a key. */
function queryKeys(drafts: readonly OperationDraft[]): ReadonlySet<string> {
  const uses = new Map<string, Set<OperationDraft>>();
  for (const draft of drafts)
    for (const { name, value } of draft.observations.flatMap((each) => each.query))
      if (name !== undefined && value !== undefined && holdsSecretMark(value))
        uses.set(name, (uses.get(name) ?? new Set()).add(draft));
  return new Set([...uses].flatMap(([name, by]) => (by.size > 1 || QUERY_KEY.test(name) ? [name] : [])));
}

function cookiesOf({ headers }: Observation): ReturnType<typeof parseCookies> {
  return headerValues(headers, 'cookie').flatMap(parseCookies);
}

/** Cookies that hold a secret and are called so, or that the service keeps from the scripts of its pages (RFC 6265 §4.1.2.6). */
function sessionCookies(drafts: readonly OperationDraft[]): ReadonlySet<string> {
  const all = drafts.flatMap(({ observations }) => observations);
  const kept = new Set(
    all.flatMap(({ responseHeaders }) =>
      headerValues(responseHeaders, 'set-cookie').flatMap((line) => {
        const name = /^([^=;]+)=/.exec(line)?.[1]?.trim();
        return name !== undefined && /;\s*httponly/i.test(line) ? [name] : [];
      }),
    ),
  );
  const secret = all.flatMap(cookiesOf).filter(({ value }) => holdsSecretMark(value));
  return new Set(
    secret.flatMap(({ name }) => (!AGAINST_FORGERY.test(name) && (kept.has(name) || SESSION.test(name)) ? [name] : [])),
  );
}

function mostFrequent(all: readonly Requirement[]): Requirement | undefined {
  const counts = new Map<string, { readonly names: Requirement; count: number }>();
  for (const names of all) {
    const known = counts.get(names.join());
    if (known === undefined) counts.set(names.join(), { names, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((left, right) => right.count - left.count)[0]?.names;
}
