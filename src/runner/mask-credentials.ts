import type { CredentialPlaces } from '../openapi/credential-places';
import type { SentRequest, StepResult } from './run-result';

/** Stands for a credential that no shell variable stands for. */
export const MASK = '***';

/** A scheme with nothing behind it. */
const BARE_SCHEME = /^(?:basic|bearer|digest)$/i;
/** Nothing but variables, as a shell reads them: `$NAME`, `${name}`, `${NAME%?}`. */
const VARIABLES = /^(?:\$\w+|\$\{[^{}]*\})+$/;

/**
 * A result whose requests show no credential, whoever wrote it: those that the run knows became variables before, and
 * of all others only the scheme and the name are shown.
 */
export function maskCredentials(step: StepResult, places: CredentialPlaces): StepResult {
  const { request, recipe } = step;
  return {
    ...step,
    request: request === undefined ? undefined : maskRequest(request, places),
    recipe: recipe === undefined ? undefined : { ...recipe, request: maskRequest(recipe.request, places) },
  };
}

function maskRequest(request: SentRequest, { headers: names, query }: CredentialPlaces): SentRequest {
  const headers = request.headers.map((value, index) => {
    const name = index % 2 === 1 ? (request.headers[index - 1] ?? '').toLowerCase() : '';
    return names.has(name) ? maskHeader(name, value) : value;
  });
  return { ...request, headers, url: maskQuery(request.url, query) };
}

function maskHeader(name: string, value: string): string {
  if (name === 'cookie') return value.split(';').map(maskPair).join(';');
  if (!name.endsWith('authorization')) return maskValue(value);
  // The scheme says what is sent, and is no secret (RFC 9110 §11.4).
  const [, scheme = '', rest = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? [];
  return `${scheme}${maskValue(rest)}`;
}

function maskPair(pair: string): string {
  const end = pair.indexOf('=') + 1;
  return `${pair.slice(0, end)}${maskValue(pair.slice(end))}`;
}

function maskValue(value: string): string {
  return value === '' || BARE_SCHEME.test(value) || VARIABLES.test(value) ? value : MASK;
}

function maskQuery(url: string, names: ReadonlySet<string>): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const pairs = url.slice(start + 1).split('&');
  const masked = pairs.map((pair) => (names.has(nameOf(pair)) ? maskPair(pair) : pair));
  return `${url.slice(0, start)}?${masked.join('&')}`;
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
