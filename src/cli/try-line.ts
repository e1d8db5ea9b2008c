import type { ApiModel, Operation, SecurityScheme } from '../openapi/model';

/** What a `curl` command needs to be let in. */
interface CurlCredentials {
  /** Each with its option. */
  readonly options: readonly string[];
  /** Pairs of the query, percent-encoded. */
  readonly query: readonly string[];
}

/**
 * A first request to copy: a GET that needs no id, so that it works whatever is stored, with the credentials that its
 * operation asks for.
 *
 * @param key - `undefined` when no credentials are asked for at all
 */
export function tryLine(api: ApiModel, baseUrl: string, key: string | undefined): string {
  const operation =
    api.operations.find(({ method, written }) => method === 'GET' && !/[{#?]/.test(written)) ?? api.operations[0];
  const { options, query } = operation === undefined || key === undefined ? NONE : credentialsFor(api, operation, key);
  const url = `${baseUrl}${operation?.path ?? '/'}`;
  const target = query.length === 0 ? url : `"${url}?${query.join('&')}"`;
  return ['curl -s', ...options, target].join(' ');
}

const NONE: CurlCredentials = { options: [], query: [] };

function credentialsFor(api: ApiModel, { security }: Operation, key: string): CurlCredentials {
  const [requirement] = [...security].sort((one, other) => one.length - other.length);
  const all = (requirement ?? []).map(({ name }) => {
    const scheme = api.securitySchemes.get(name);
    return scheme === undefined ? NONE : credentialsOf(scheme, key);
  });
  // Two schemes of one kind that are required together ask for the same header, and a header twice is refused.
  const once = (texts: readonly string[]): string[] => [...new Set(texts)];
  return { options: once(all.flatMap(({ options }) => options)), query: once(all.flatMap(({ query }) => query)) };
}

function credentialsOf(scheme: SecurityScheme, key: string): CurlCredentials {
  const option = (text: string): CurlCredentials => ({ options: [text], query: [] });
  const { parameterName: name = '' } = scheme;
  switch (`${scheme.type} ${scheme.type === 'http' ? (scheme.scheme ?? '') : (scheme.in ?? '')}`.trim()) {
    case 'http bearer':
    case 'oauth2':
    case 'openIdConnect':
      return option(`-H "Authorization: Bearer ${key}"`);
    case 'http basic':
      return option(`-u user:${key}`);
    case 'apiKey header':
      return option(`-H "${name}: ${key}"`);
    case 'apiKey cookie':
      return option(`-b "${name}=${key}"`);
    case 'apiKey query':
      return { options: [], query: [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`] };
    default:
      return NONE;
  }
}
