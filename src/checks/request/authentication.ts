import { bearerChallenge, parseBearer } from '../../http/authorization';
import { countHeader } from '../../http/headers';
import type { RequestHead } from '../../http/message';
import type { ApiModel, Operation, SecurityScheme } from '../../openapi/model';
import { problem, type Problem } from '../problem';

/** Who is asking, as far as the check could tell. */
export interface Principal {
  /** The credential that was accepted; `''` for a caller who needed none. Never printed. */
  readonly key: string;
}

export type Authentication =
  | { readonly kind: 'accepted'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Decides which credentials are good. `undefined` means every well-formed one is. */
export type AcceptsKey = ((key: string) => boolean) | undefined;

export const ANONYMOUS: Principal = { key: '' };
const ACCEPTED_ANONYMOUS: Authentication = { kind: 'accepted', principal: ANONYMOUS };

/**
 * Judges the credentials of a request by the requirements of its operation: one requirement of the list must hold,
 * with every scheme in it (OAS 3.0.3 §4.7.30; RFC 9110 §11; RFC 6750 §2.1, §3).
 */
export function checkAuthentication(
  api: ApiModel,
  operation: Operation,
  head: RequestHead,
  acceptsKey: AcceptsKey,
): Authentication {
  if (operation.security.length === 0) return ACCEPTED_ANONYMOUS;
  let refusal: Authentication | undefined;
  for (const requirement of operation.security) {
    let outcome: Authentication = ACCEPTED_ANONYMOUS;
    for (const name of requirement) {
      const scheme = api.securitySchemes.get(name);
      outcome = scheme === undefined ? outcome : checkScheme(api, scheme, head, acceptsKey);
      if (outcome.kind === 'refused') break;
    }
    if (outcome.kind === 'accepted') return outcome;
    refusal ??= outcome;
  }
  return refusal ?? ACCEPTED_ANONYMOUS;
}

/** Schemes that operations ask for and that no request could satisfy: this version enforces http bearer alone. */
export function unenforcedSchemes(api: ApiModel): SecurityScheme[] {
  const named = new Set(api.operations.flatMap(({ security }) => security.flat()));
  return [...api.securitySchemes.values()].filter((scheme) => named.has(scheme.name) && !isBearer(scheme));
}

function isBearer({ type, scheme }: SecurityScheme): boolean {
  return type === 'http' && scheme === 'bearer';
}

function checkScheme(api: ApiModel, scheme: SecurityScheme, head: RequestHead, acceptsKey: AcceptsKey): Authentication {
  if (isBearer(scheme)) return checkBearer(api, scheme, head, acceptsKey);
  return refuse(
    problem(
      'not_implemented',
      `The security scheme "${scheme.name}" (${scheme.type}) is not enforced yet; start with --auth off`,
    ),
  );
}

function checkBearer(api: ApiModel, scheme: SecurityScheme, head: RequestHead, acceptsKey: AcceptsKey): Authentication {
  const realm = scheme.realm ?? api.title;
  const header = head.headers['authorization'];
  if (typeof header !== 'string') {
    return unauthorised(
      'missing_api_key',
      'The header Authorization is missing; send "Authorization: Bearer <API_KEY>"',
      realm,
    );
  }
  // Node joins no second Authorization line but drops it, so that only the raw lines tell (RFC 9110 §5.3).
  if (countHeader(head.rawHeaders, 'authorization') > 1) {
    return unauthorised(
      'malformed_authorization',
      'The header Authorization was sent more than once; send it once',
      realm,
    );
  }
  const credentials = parseBearer(header);
  if (credentials.kind === 'malformed') {
    return unauthorised(
      'malformed_authorization',
      `The header Authorization is not "Bearer <API_KEY>": ${credentials.reason}`,
      realm,
    );
  }
  if (acceptsKey !== undefined && !acceptsKey(credentials.token)) {
    return unauthorised('invalid_api_key', 'The API key is not known', realm, 'invalid_token');
  }
  return { kind: 'accepted', principal: { key: credentials.token } };
}

function unauthorised(
  code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key',
  message: string,
  realm: string,
  error?: string,
): Authentication {
  const challenge = bearerChallenge(error === undefined ? { realm } : { realm, error });
  return refuse(problem(code, message, { headers: ['WWW-Authenticate', challenge] }));
}

function refuse(refusal: Problem): Authentication {
  return { kind: 'refused', problem: refusal };
}
