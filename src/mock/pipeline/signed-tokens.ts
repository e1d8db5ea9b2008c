import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import { findResponse } from '../../openapi/view/responses';
import type { IssuerTokens } from '../../security/credential-check';
import { nameInSignIn, withAccessTokens } from '../../security/issued-credentials';
import type { PreparedRequest } from './request-context';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/**
 * The response of a sign-in that the description has itself, with tokens of the issuer beside the API: they say who signed
 * in, and end as the response says. Where the description allows no such token, the response stays as it is.
 */
export function withSignedTokens(request: PreparedRequest, response: HttpResponse): HttpResponse {
  const { plan, context } = request;
  const { status, body } = response;
  if (context.tokens === undefined || plan.signIn !== 'in' || status >= 400 || typeof body !== 'string')
    return response;
  const content = jsonEntry(findResponse(plan.operation, status)?.content ?? []);
  const value = isJson(response) ? parseJson(body) : null;
  const signed = withAccessTokens(value, tokensFor(request, context.tokens));
  if (signed === undefined || content?.schema?.validate('response')(signed)[0] !== undefined) return response;
  return { ...response, body: stringifyJson(signed) };
}

function isJson({ headers }: HttpResponse): boolean {
  return isJsonMediaType(headers[headers.indexOf('Content-Type') + 1] ?? '');
}

/** @returns makes a token for who signs in with a request */
function tokensFor(
  { context, call, sandbox }: PreparedRequest,
  tokens: IssuerTokens,
): (lifetimeS: number | undefined) => string {
  const name = nameInSignIn(call.body) ?? call.principal.userName;
  const nowMs = context.clock.now();
  return (lifetimeS) => tokens.signIn({ name, lifetimeS, nowMs, sandbox: sandbox.id });
}
