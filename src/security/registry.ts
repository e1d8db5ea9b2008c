import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, SecurityRequirement, SecurityScheme } from '../openapi/model/operation';
import { apiKey } from './api-key';
import { basic } from './basic';
import { bearer } from './bearer';
import type { CredentialSender, RequestCredentials, SecuritySchemeKind } from './scheme';
import { mutualTls, otherHttp } from './unverified';

/** Every kind of security scheme; the first that matches is it. */
const SCHEME_KINDS: readonly SecuritySchemeKind[] = [bearer, basic, apiKey, otherHttp, mutualTls];

/** @returns `undefined` for a type that OpenAPI does not have */
export function kindOf(scheme: SecurityScheme): SecuritySchemeKind | undefined {
  for (const kind of SCHEME_KINDS) if (kind.matches(scheme)) return kind;
  return undefined;
}

type SchemeChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'known'; readonly scheme: CredentialSender }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Does the operation reject callers without credentials? */
export function isSecured({ security }: Pick<Operation, 'security'>): boolean {
  return security.length > 0 && security.every((requirement) => requirement.length > 0);
}

/**
 * Picks the first requirement of an operation that can be met.
 *
 * @param operation - `undefined` for a request that no operation describes; it gets the key of the description as well
 */
export function chooseScheme(api: ApiModel, operation: Operation | undefined): SchemeChoice {
  if (operation === undefined) {
    const declared = [...api.securitySchemes.keys()].map((name) => schemeFor(api, [{ name, scopes: [] }]));
    const [scheme] = declared.filter((candidate) => candidate !== undefined);
    return scheme === undefined ? { kind: 'open' } : { kind: 'known', scheme };
  }
  if (!isSecured(operation)) return { kind: 'open' };
  for (const requirement of operation.security) {
    const scheme = schemeFor(api, requirement);
    if (scheme !== undefined) return { kind: 'known', scheme };
  }
  const names = [...new Set(operation.security.flat().map(({ name }) => name))].join(', ');
  return { kind: 'unknown', reason: `${operation.id} asks for ${names}: no key can be sent for that` };
}

/** Credentials for all schemes of a requirement at once. */
function schemeFor({ securitySchemes }: ApiModel, requirement: SecurityRequirement): CredentialSender | undefined {
  const parts = new Set<CredentialSender>();
  for (const { name } of requirement) {
    const scheme = securitySchemes.get(name);
    const part = scheme === undefined ? undefined : senderFor(scheme);
    if (part === undefined) return undefined;
    parts.add(part);
  }
  return combineSchemes([...parts]);
}

/** One for each scheme of a description: probes are distinguished by it. */
const SENDERS = new WeakMap<SecurityScheme, CredentialSender>();

function senderFor(scheme: SecurityScheme): CredentialSender | undefined {
  const sender = SENDERS.get(scheme) ?? kindOf(scheme)?.sender?.(scheme);
  if (sender !== undefined) SENDERS.set(scheme, sender);
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
    send: (key) => merge(parts.map((part) => part.send(key))),
    variant: (variant, key, runId) => merge(parts.map((part) => part.variant(variant, key, runId))),
    probes: first.probes.filter(({ expects }) => expects !== 'accepted'),
    locations: {
      headers,
      query: parts.flatMap(({ locations }) => locations.query),
      cookies: parts.flatMap(({ locations }) => locations.cookies),
    },
  };
}

function merge(all: readonly RequestCredentials[]): RequestCredentials {
  return { headers: all.flatMap(({ headers }) => headers), query: [...new Set(all.flatMap(({ query }) => query))] };
}
