import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, SecurityRequirement, SecurityScheme } from '../openapi/model/operation';
import { apiKey } from './api-key';
import { basic } from './basic';
import { bearer } from './bearer';
import { type CredentialSender, mergeCredentials, type SecuritySchemeKind, splitKey } from './scheme';
import { mutualTls, otherHttp } from './unverified';

/** Every kind of security scheme; the first that matches is it. */
const SCHEME_KINDS: readonly SecuritySchemeKind[] = [bearer, basic, apiKey, otherHttp, mutualTls];

/** @returns `undefined` for a type that OpenAPI does not have */
export function kindOf(scheme: SecurityScheme): SecuritySchemeKind | undefined {
  for (const kind of SCHEME_KINDS) if (kind.matches(scheme)) return kind;
  return undefined;
}

/** The keys that somebody has. */
export interface KeyRing {
  /** For every scheme without a key of its own. */
  readonly apiKey?: string | undefined;
  /** By the name of the scheme in the description. */
  readonly schemeKeys?: ReadonlyMap<string, string> | undefined;
  /** Words before the key in the header Authorization, such as `Token`, by the name of the scheme; `''` for none. */
  readonly schemeWords?: ReadonlyMap<string, string> | undefined;
}

/** @returns the key as it was given, maybe with a word before it; `undefined` where there is none for the scheme */
export function keyForScheme({ apiKey: key, schemeKeys }: KeyRing, name: string): string | undefined {
  return schemeKeys?.get(name) ?? key;
}

/** One of the schemes that an operation asks for together. */
interface SchemePart {
  /** In the description. */
  readonly name: string;
  readonly sender: CredentialSender;
}

type SchemeChoice =
  | { readonly kind: 'open' }
  /** `scheme` is all of the parts together. */
  | { readonly kind: 'known'; readonly scheme: CredentialSender; readonly parts: readonly SchemePart[] }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Does the operation reject callers without credentials? */
export function isSecured({ security }: Pick<Operation, 'security'>): boolean {
  return security.length > 0 && security.every((requirement) => requirement.length > 0);
}

/**
 * Picks the requirement of an operation that is sent: the first for which every scheme has a key of its own, else one for
 * which there are keys, else the first that can be met at all.
 *
 * @param operation - `undefined` for a request that no operation describes; it gets the key of the description as well
 */
export function chooseScheme(api: ApiModel, operation: Operation | undefined, keys: KeyRing = {}): SchemeChoice {
  if (operation !== undefined && !isSecured(operation)) return { kind: 'open' };
  const requirements = operation?.security ?? [...api.securitySchemes.keys()].map((name) => [{ name, scopes: [] }]);
  const choices = requirements.flatMap((requirement) => choiceFor(api, requirement, keys) ?? []);
  const [chosen] =
    [
      choices.filter(({ parts }) => parts.every(({ name }) => keys.schemeKeys?.has(name) === true)),
      choices.filter(({ parts }) => parts.every(({ name }) => keyForScheme(keys, name) !== undefined)),
      choices,
    ].find(({ length }) => length > 0) ?? [];
  if (chosen !== undefined) return chosen;
  if (operation === undefined) return { kind: 'open' };
  const names = [...new Set(operation.security.flat().map(({ name }) => name))].join(', ');
  return { kind: 'unknown', reason: `${operation.id} asks for ${names}: no key can be sent for that` };
}

/** Credentials for all schemes of a requirement at once. */
function choiceFor(
  { securitySchemes }: ApiModel,
  requirement: SecurityRequirement,
  keys: KeyRing,
): Extract<SchemeChoice, { kind: 'known' }> | undefined {
  const parts: SchemePart[] = [];
  for (const { name } of requirement) {
    const scheme = securitySchemes.get(name);
    const sender = scheme === undefined ? undefined : senderFor(scheme, keys);
    if (sender === undefined) return undefined;
    if (parts.every((part) => part.sender !== sender)) parts.push({ name, sender });
  }
  const scheme = combineSchemes(parts.map(({ sender }) => sender));
  return scheme && { kind: 'known', scheme, parts };
}

/** One for each scheme of a description and each word before its key: probes are distinguished by it. */
const SENDERS = new WeakMap<SecurityScheme, Map<string | undefined, CredentialSender>>();

function senderFor(scheme: SecurityScheme, keys: KeyRing): CredentialSender | undefined {
  const { word = keys.schemeWords?.get(scheme.name) } = splitKey(keyForScheme(keys, scheme.name) ?? '');
  const senders = SENDERS.get(scheme) ?? new Map<string | undefined, CredentialSender>();
  const sender = senders.get(word) ?? kindOf(scheme)?.sender?.(scheme, word);
  if (sender !== undefined) SENDERS.set(scheme, senders.set(word, sender));
  return sender;
}

/**
 * Several schemes that are asked for together. One of two that share a header cannot be met.
 *
 * The probes are those of the first scheme, without what the others ask for: such a request is rejected for certain.
 * Nothing unusual is among them that would have to be let in.
 *
 * @returns `undefined` where there is none, or where two have the same place
 */
function combineSchemes(parts: readonly CredentialSender[]): CredentialSender | undefined {
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return first;
  const headers = parts.flatMap(({ locations }) => locations.headers);
  if (new Set(headers).size < headers.length) return undefined;
  return {
    send: (key) => mergeCredentials(parts.map((part) => part.send(key))),
    variant: (variant, key, runId) => mergeCredentials(parts.map((part) => part.variant(variant, key, runId))),
    probes: first.probes.filter(({ expects }) => expects !== 'accepted'),
    locations: {
      headers,
      query: parts.flatMap(({ locations }) => locations.query),
      cookies: parts.flatMap(({ locations }) => locations.cookies),
    },
  };
}
