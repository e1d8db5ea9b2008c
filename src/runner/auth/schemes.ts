import type { ApiModel, Operation, SecurityRequirement, SecurityScheme } from '../../openapi/model';
import { apiKeyScheme } from './api-key';
import { basicScheme } from './basic';
import { bearerScheme } from './bearer';
import { combineSchemes } from './combined-scheme';
import type { CredentialScheme } from './scheme';

/** Every type of security scheme that credentials can be sent for. */
const TYPES: readonly ((scheme: SecurityScheme) => CredentialScheme | undefined)[] = [
  bearerScheme,
  basicScheme,
  apiKeyScheme,
];

/** How to authenticate for an operation. */
export type SchemeChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'known'; readonly scheme: CredentialScheme }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Does the operation refuse callers without credentials? */
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

/** Made once for each scheme of a description. */
const MADE = new WeakMap<SecurityScheme, CredentialScheme>();

/** Credentials for all schemes of a requirement at once. */
function schemeFor({ securitySchemes }: ApiModel, requirement: SecurityRequirement): CredentialScheme | undefined {
  const parts = new Set<CredentialScheme>();
  for (const { name } of requirement) {
    const scheme = securitySchemes.get(name);
    const part = scheme === undefined ? undefined : partFor(scheme);
    if (part === undefined) return undefined;
    parts.add(part);
  }
  return combineSchemes([...parts]);
}

function partFor(scheme: SecurityScheme): CredentialScheme | undefined {
  const known = MADE.get(scheme);
  if (known !== undefined) return known;
  for (const type of TYPES) {
    const made = type(scheme);
    if (made === undefined) continue;
    MADE.set(scheme, made);
    return made;
  }
  return undefined;
}
