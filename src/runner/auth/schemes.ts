import type { ApiModel, Operation, SecurityRequirement } from '../../openapi/model';
import { bearer } from './bearer';
import type { CredentialScheme } from './scheme';

/** Every type of security scheme that credentials can be sent for. */
const SCHEMES: readonly CredentialScheme[] = [bearer];

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
    const declared = [...api.securitySchemes.keys()].map((name) => schemeFor(api, [name]));
    const [scheme] = declared.filter((candidate) => candidate !== undefined);
    return scheme === undefined ? { kind: 'open' } : { kind: 'known', scheme };
  }
  if (!isSecured(operation)) return { kind: 'open' };
  for (const requirement of operation.security) {
    const scheme = schemeFor(api, requirement);
    if (scheme !== undefined) return { kind: 'known', scheme };
  }
  const names = [...new Set(operation.security.flat())].join(', ');
  return { kind: 'unknown', reason: `${operation.id} asks for ${names}: only bearer keys can be sent so far` };
}

/** The type that all schemes of a requirement are of. */
function schemeFor({ securitySchemes }: ApiModel, requirement: SecurityRequirement): CredentialScheme | undefined {
  return SCHEMES.find((candidate) =>
    requirement.every((name) => {
      const scheme = securitySchemes.get(name);
      return scheme !== undefined && candidate.covers(scheme);
    }),
  );
}
