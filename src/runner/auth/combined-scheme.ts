import type { CredentialScheme, RequestCredentials } from './scheme';

/**
 * Several schemes that are asked for together. One of two that share a header cannot be met.
 *
 * The probes are those of the first scheme, without what the others ask for: such a request is refused for certain.
 * Nothing unusual is among them that would have to be let in.
 *
 * @returns `undefined` where there is none, or where two have the same place
 */
export function combineSchemes(parts: readonly CredentialScheme[]): CredentialScheme | undefined {
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return first;
  const headerNames = parts.flatMap((part) => part.headerNames);
  if (new Set(headerNames).size < headerNames.length) return undefined;
  return {
    authenticate: (key) => merge(parts.map((part) => part.authenticate(key))),
    disguise: (disguise, key, runId) => merge(parts.map((part) => part.disguise(disguise, key, runId))),
    kinds: first.kinds.filter(({ expects }) => expects !== 'accepted'),
    headerNames,
    queryNames: parts.flatMap((part) => part.queryNames),
    cookieNames: parts.flatMap((part) => part.cookieNames),
  };
}

function merge(all: readonly RequestCredentials[]): RequestCredentials {
  return { headers: all.flatMap(({ headers }) => headers), query: [...new Set(all.flatMap(({ query }) => query))] };
}
