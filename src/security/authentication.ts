import type { Operation, SecurityRequirement, SecurityScheme } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import { problem, type ProblemCode, type Refused, refused } from '../core/http/problem';
import {
  type AcceptedCredentials,
  type CredentialInput,
  type SchemeCheck,
  type SchemeContext,
  type SchemeRejection,
} from './credential-check';
import { kindOf } from './registry';

/** Who is asking, as far as the check could tell. */
export interface Principal {
  /** The credential that was accepted; `''` for a caller who needed none. Never printed. */
  readonly key: string;
  /** Whom the tokens file says that it stands for. */
  readonly name?: string | undefined;
  readonly userName?: string | undefined;
}

export type Authentication = { readonly kind: 'accepted'; readonly principal: Principal } | Refused;

export const ANONYMOUS: Principal = { key: '' };
const ANYBODY: SchemeCheck = { kind: 'accepted', key: '', principal: undefined };
const ACCEPTED_ANONYMOUS: Authentication = { kind: 'accepted', principal: ANONYMOUS };

/**
 * Checks the credentials of a request by the requirements of its operation: one requirement of the list must hold,
 * with every scheme in it (OAS 3.0.3 §4.7.30; RFC 9110 §11; RFC 6750 §2.1, §3). Of several that do not hold, the one
 * that came nearest speaks; a 401 offers a challenge for each of them.
 *
 * @param book - `undefined` takes every well-formed credential
 */
export function checkAuthentication(
  api: ApiModel,
  operation: Operation,
  input: CredentialInput,
  book: AcceptedCredentials | undefined,
): Authentication {
  let rejections: SchemeRejection[] | undefined;
  let isOptional = operation.security.length === 0;
  for (const requirement of operation.security) {
    if (requirement.length === 0) {
      isOptional = true;
      continue;
    }
    const check = checkRequirement(api, requirement, input, book);
    if (check.kind === 'accepted') {
      const { key, principal: name, userName } = check;
      return { kind: 'accepted', principal: { key, name, userName } };
    }
    (rejections ??= []).push(check);
  }
  // Who is let in without credentials is let in with wrong ones as well.
  return isOptional || rejections === undefined ? ACCEPTED_ANONYMOUS : reject(rejections);
}

function checkRequirement(
  api: ApiModel,
  requirement: SecurityRequirement,
  input: CredentialInput,
  book: AcceptedCredentials | undefined,
): SchemeCheck {
  let accepted: SchemeCheck | undefined;
  for (const required of requirement) {
    const scheme = api.securitySchemes.get(required.name);
    if (scheme === undefined) continue;
    const check = checkScheme({ scheme, required, realm: scheme.realm ?? api.title, accepted: book, input });
    // Of several that are needed together, none is good enough alone.
    if (check.kind === 'refused') return requirement.length === 1 ? check : { ...check, expected: undefined };
    if (accepted === undefined || accepted.kind === 'refused' || accepted.key === '') accepted = check;
  }
  return accepted ?? ANYBODY;
}

/** How far credentials got before they were rejected. */
const NEARNESS: Readonly<Partial<Record<ProblemCode, number>>> = {
  missing_api_key: 0,
  malformed_authorization: 1,
  invalid_api_key: 2,
  insufficient_scope: 3,
};

function reject(rejections: readonly SchemeRejection[]): Authentication {
  const nearest = rejections.reduce((best, other) =>
    (NEARNESS[other.code] ?? 0) > (NEARNESS[best.code] ?? 0) ? other : best,
  );
  const isForbidden = nearest.code === 'insufficient_scope';
  const offered = isForbidden ? [nearest] : rejections.filter(({ code }) => code !== 'insufficient_scope');
  const challenges = [...new Set(offered.map((rejection) => rejection.challenge))];
  const headers = challenges.flatMap((text) => ['WWW-Authenticate', text]);
  return refused(problem(nearest.code, messageOf(nearest, rejections), { headers }));
}

/** Where nothing was sent, whatever would be enough instead is named as well. */
function messageOf(nearest: SchemeRejection, rejections: readonly SchemeRejection[]): string {
  if (nearest.code !== 'missing_api_key') return nearest.message;
  const others = new Set(rejections.flatMap(({ expected }) => (expected === nearest.expected ? [] : (expected ?? []))));
  return [nearest.message, ...[...others].map((wanted) => `"${wanted}"`)].join(', or ');
}

/** Schemes that operations ask for and that no HTTP message can satisfy: certificates of the connection. */
export function unenforcedSchemes(api: ApiModel): SecurityScheme[] {
  const named = new Set(api.operations.flatMap(({ security }) => security.flat().map(({ name }) => name)));
  return [...api.securitySchemes.values()].filter(({ name, type }) => named.has(name) && type === 'mutualTLS');
}

function checkScheme(context: SchemeContext): SchemeCheck {
  const kind = kindOf(context.scheme);
  if (kind === undefined) return ANYBODY;
  return kind.verify(context, (error) => kind.challenge?.(context, error) ?? '');
}
