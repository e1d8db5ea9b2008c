import { RUN_ID, type Contract, type Step } from '../formats/contract';
import { placeholdersIn } from '../formats/placeholders';
import type { JsonValue } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import { credentialPlaces, hidesHeader, hidesParameter, type CredentialPlaces } from '../openapi/credential-places';

/** Names of the captured values that steps of a contract send as credentials, such as the token of a login. */
export function capturedKeys(api: ApiModel, { setup, steps, cleanup }: Contract): ReadonlySet<string> {
  const places = credentialPlaces(api);
  const texts = [...setup, ...steps, ...cleanup].flatMap((step) => credentialTexts(step, places));
  const names = texts.flatMap((text) => placeholdersIn(text, '').map(({ name }) => name));
  return new Set(names.filter((name) => name !== RUN_ID));
}

/** What a step sends where credentials are, with its placeholders. */
function credentialTexts({ request, headers }: Step, places: CredentialPlaces): JsonValue[] {
  const written = headers.flatMap(({ name, value }) => (hidesHeader(places, name.toLowerCase()) ? [value] : []));
  if (request.kind === 'raw') return [...written, ...queryTexts(request.path, places)];
  const parameters = request.parameters.filter(({ name, in: place }) => {
    if (place === 'query') return hidesParameter(places, name);
    return place === 'cookie' || (place === 'header' && hidesHeader(places, name.toLowerCase()));
  });
  return [...written, ...parameters.map(({ value }) => value)];
}

function queryTexts(path: string, places: CredentialPlaces): string[] {
  const [, pairs = ''] = path.split('?');
  return pairs.split('&').filter((pair) => hidesParameter(places, pair.split('=')[0] ?? ''));
}
