import { encodeParameter } from '../openapi/encode-parameter';
import type { ApiModel, Operation, Parameter, SecurityScheme } from '../openapi/model';
import type { RouteTable } from '../openapi/route-table';
import { samplerOf } from '../payload/sampler/sampler';

/** What a `curl` command has beside the URL. */
interface CurlArguments {
  /** Each with its option. */
  readonly options: readonly string[];
  /** Pairs of the query, percent-encoded. */
  readonly query: readonly string[];
}

/** Text that a shell takes as it is, between double quotes as well. */
const PLAIN = /^[\w.,:;@+=%/-]{1,100}$/;

/**
 * A first request to copy: a GET that needs no id, so that it works whatever is stored, with the credentials that its
 * operation asks for. One that needs no parameter goes before one whose parameters have to be made up.
 *
 * @param key - `undefined` when no credentials are asked for at all
 * @param routes - what answers below the URL
 */
export function tryLine(
  api: ApiModel,
  baseUrl: string,
  key: string | undefined,
  routes: RouteTable = api.routes,
): string {
  const answers = ({ path, method, id }: Operation): boolean =>
    routes.match(path)?.route.operations.get(method)?.id === id;
  const plain = api.operations.filter(({ method, written }) => method === 'GET' && !/[{#?]/.test(written));
  const here = plain.filter(answers);
  const operation = here.find((each) => requiredOf(each).length === 0) ?? here[0] ?? plain[0] ?? api.operations[0];
  if (operation === undefined) return `curl -s ${baseUrl}/`;
  const { options, query } = key === undefined ? NONE : credentialsFor(api, operation, key);
  const made = parametersFor(api, operation);
  const url = `${baseUrl}${operation.path}`;
  const pairs = [...new Set([...query, ...made.query])];
  const target = pairs.length === 0 ? url : `"${url}?${pairs.join('&')}"`;
  return ['curl -s', ...options, ...made.options, target].join(' ');
}

function requiredOf({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ required, in: place }) => required && place !== 'path');
}

/** What is required and no credential, with values that are made up. */
function parametersFor(api: ApiModel, operation: Operation): CurlArguments {
  const schemes = operation.security.flat().map(({ name }) => api.securitySchemes.get(name)?.parameterName);
  const options: string[] = [];
  const query: string[] = [];
  for (const parameter of requiredOf(operation)) {
    const { name, key, in: place, schema } = parameter;
    if (schema === undefined || schemes.includes(name)) continue;
    const made = samplerOf(api).sample(schema, { seed: '0', direction: 'request' });
    const texts = made.kind === 'made' ? encodeParameter(parameter, made.value) : [];
    if (!texts.every((text) => PLAIN.test(text))) continue;
    if (place === 'query') query.push(...texts);
    else if (place === 'header') options.push(`-H "${key}: ${texts.join(', ')}"`);
  }
  return { options, query };
}

const NONE: CurlArguments = { options: [], query: [] };

function credentialsFor(api: ApiModel, { security }: Operation, key: string): CurlArguments {
  const [requirement] = [...security].sort((one, other) => one.length - other.length);
  const all = (requirement ?? []).map(({ name }) => {
    const scheme = api.securitySchemes.get(name);
    return scheme === undefined ? NONE : credentialsOf(scheme, key);
  });
  // Two schemes of one kind that are required together ask for the same header, and a header twice is refused.
  const once = (texts: readonly string[]): string[] => [...new Set(texts)];
  return { options: once(all.flatMap(({ options }) => options)), query: once(all.flatMap(({ query }) => query)) };
}

function credentialsOf(scheme: SecurityScheme, key: string): CurlArguments {
  const option = (text: string): CurlArguments => ({ options: [text], query: [] });
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
