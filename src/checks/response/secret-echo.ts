import { joinPointer, parsePointer } from '../../json/json-pointer';
import type { Finding } from '../finding';
import { textOfBody, type ObservedResponse, type ResponseCheck } from './response-check';
import { textsOfJson } from './texts-of-body';

/** Shorter credentials are found in any text. */
const SHORTEST = 6;

/** No answer but a success repeats a credential of its request: errors are logged, shown and passed on. */
export const secretEcho: ResponseCheck = {
  id: 'secret-echo',
  source: 'RFC 6750 §5.2, §5.3; CWE-209',
  run(observed) {
    const { status, secrets } = observed;
    if (status >= 200 && status < 300) return undefined;
    const forms = (secrets ?? []).flatMap(formsOf);
    if (forms.length === 0) return undefined;
    const holdsSecret = (text: string): boolean => forms.some((form) => text.includes(form));
    return [...headerPlaces(observed, holdsSecret), ...bodyPlaces(observed, holdsSecret)].map((at): Finding => {
      return {
        check: 'secret-echo',
        severity: 'error',
        at,
        message: 'The answer repeats a credential of the request',
        expected: 'no credential',
        // Never the text itself: a finding goes into reports.
        actual: 'the credential',
        spec: observed.documented?.pointer ?? observed.operation?.pointer,
      };
    });
  },
};

/** As it is, as URLs write it, and in base64, with which Basic credentials are sent. */
function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

function headerPlaces({ headers }: ObservedResponse, holdsSecret: (text: string) => boolean): string[] {
  const names = headers.filter((_, index) => index % 2 === 0 && holdsSecret(headers[index + 1] ?? ''));
  return [...new Set(names.map((name) => `/response/headers/${name.toLowerCase()}`))];
}

function bodyPlaces(observed: ObservedResponse, holdsSecret: (text: string) => boolean): string[] {
  const { body } = observed;
  if (body.kind === 'empty') return [];
  if (body.kind === 'not-json') return holdsSecret(textOfBody(observed)) ? ['/response/body'] : [];
  const found = [...textsOfJson(body.value, true)].filter(({ text }) => holdsSecret(text));
  return [...new Set(found.map(({ pointer }) => `/response/body${withoutSecret(pointer, holdsSecret)}`))];
}

/** A member may have the credential as its name: then the place is the object that holds it. */
function withoutSecret(pointer: string, holdsSecret: (text: string) => boolean): string {
  const segments = parsePointer(pointer);
  const bad = segments.findIndex(holdsSecret);
  return bad === -1 ? pointer : segments.slice(0, bad).reduce(joinPointer, '');
}
