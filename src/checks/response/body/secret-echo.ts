import { joinPointer, parsePointer } from '../../../core/json/json-pointer';
import type { CheckFinding } from '../../../core/errors/finding';
import { type ObservedResponse, type ResponseCheck, stringsIn, textOfBody } from '../../response-check';

/** Shorter credentials are found in any text. */
const MIN_LENGTH = 6;

/** No response but a success repeats a credential of its request: errors are logged, shown and passed on. */
export const secretEcho: ResponseCheck = {
  id: 'secret-echo',
  area: 'auth',
  source: 'RFC 6750 §5.2, §5.3; CWE-209',
  basis: 'http',
  run(observed) {
    const { status, secrets } = observed;
    if (status >= 200 && status < 300) return undefined;
    const forms = (secrets ?? []).flatMap(encodedForms);
    if (forms.length === 0) return undefined;
    const holdsSecret = (text: string): boolean => forms.some((form) => text.includes(form));
    return [...headerLocations(observed, holdsSecret), ...bodyLocations(observed, holdsSecret)].map(
      (at): CheckFinding => {
        return {
          at,
          message: 'The response repeats a credential of the request',
          expected: 'no credential',
          // Never the text itself: a finding goes into reports.
          actual: 'the credential',
          spec: observed.documented?.pointer ?? observed.operation?.pointer,
        };
      },
    );
  },
};

/** As it is, as URLs write it, and in base64, with which Basic credentials are sent. */
function encodedForms(secret: string): string[] {
  if (secret.length < MIN_LENGTH) return [];
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

function headerLocations({ headers }: ObservedResponse, holdsSecret: (text: string) => boolean): string[] {
  const names = headers.filter((_, index) => index % 2 === 0 && holdsSecret(headers[index + 1] ?? ''));
  return [...new Set(names.map((name) => `/response/headers/${name.toLowerCase()}`))];
}

function bodyLocations(observed: ObservedResponse, holdsSecret: (text: string) => boolean): string[] {
  const { body } = observed;
  if (body.kind === 'empty') return [];
  if (body.kind === 'not-json') return holdsSecret(textOfBody(observed)) ? ['/response/body'] : [];
  const found = [...stringsIn(body.value, true)].filter(({ text }) => holdsSecret(text));
  return [...new Set(found.map(({ pointer }) => `/response/body${withoutSecret(pointer, holdsSecret)}`))];
}

/** A property may have the credential as its name: then the place is the object that holds it. */
function withoutSecret(pointer: string, holdsSecret: (text: string) => boolean): string {
  const segments = parsePointer(pointer);
  const bad = segments.findIndex(holdsSecret);
  return bad === -1 ? pointer : segments.slice(0, bad).reduce(joinPointer, '');
}
