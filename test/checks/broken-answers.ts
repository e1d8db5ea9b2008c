import { changeBody, type Defect, withHeader } from '../runner/peer';
import type { Said } from './talk';

/** A server that is wrong in one answer, and everything that the checks say of this answer. */
export interface BrokenAnswer {
  readonly check: string;
  readonly defect: string;
  readonly said: Said;
  readonly breaks: NonNullable<Defect['answer']>;
  /** Another description, which the answer breaks as it is. */
  readonly describedAs?: (text: string) => string;
  readonly found: readonly string[];
}

const READ: Said = { to: 'GET /pets/1' };
const MISSING: Said = { to: 'GET /pets/999' };
const sets = (name: string, value: string): BrokenAnswer['breaks'] => {
  return (response) => withHeader(response, name, value);
};
const says = (status: number, message: string): BrokenAnswer['breaks'] => {
  return (response) =>
    changeBody({ ...response, status }, () => JSON.stringify({ code: 'some_code', message, status }));
};

export const CAUGHT_BY_ONE_ANSWER: readonly BrokenAnswer[] = [
  {
    check: 'no-server-error',
    defect: 'what is unknown makes it fail',
    said: MISSING,
    breaks: says(500, 'Something went wrong.'),
    found: ['error no-server-error'],
  },
  {
    check: 'status-fits-request',
    defect: 'an operation was not deployed',
    said: READ,
    breaks: (response, request) => withHeader(says(405, 'Not here.')(response, request), 'Allow', 'PUT'),
    found: ['error status-fits-request'],
  },
  {
    check: 'status-fits-headers',
    defect: 'it wants another protocol and does not say which',
    said: { to: 'GET /somewhere' },
    breaks: says(426, 'Upgrade.'),
    found: ['error status-fits-headers'],
  },
  {
    check: 'write-only',
    defect: 'what clients may only write is read by anybody',
    said: { to: 'GET /categories/1' },
    breaks: (response) => response,
    describedAs: (text) =>
      text.replace(/( +)(description: A short description of the category\.)/, '$1$2\n$1writeOnly: true'),
    found: ['error write-only'],
  },
  {
    check: 'undocumented-members',
    defect: 'a member came in that nobody documented',
    said: READ,
    breaks: (response) => changeBody(response, (body) => body.replace('{', '{"revision":7,')),
    found: ['warning undocumented-members'],
  },
  {
    check: 'error-status',
    defect: 'errors have the status 200',
    said: MISSING,
    breaks: (response) => ({ ...response, status: 200 }),
    found: ['error error-status'],
  },
  {
    check: 'internals',
    defect: 'a stack trace gets out',
    said: { to: 'POST /pets', send: '{' },
    breaks: says(400, 'SyntaxError: bad\n    at parse (/srv/app/dist/body.js:41:19)'),
    found: ['error internals'],
  },
  {
    check: 'secret-echo',
    defect: 'a wrong key is repeated',
    said: { ...READ, key: 'another-key' },
    breaks: says(401, 'Bearer another-key is not known'),
    found: ['error secret-echo'],
  },
  {
    check: 'headers-schema',
    defect: 'a count must be a number',
    said: { to: 'GET /pets' },
    breaks: sets('X-Total-Count', 'many'),
    found: ['error headers-schema'],
  },
  {
    check: 'link',
    defect: 'links have no brackets',
    said: READ,
    breaks: sets('Link', '/pets; rel="next"'),
    found: ['error link'],
  },
  { check: 'etag', defect: 'tags have no quotes', said: READ, breaks: sets('ETag', 'abc'), found: ['error etag'] },
  {
    check: 'not-modified',
    defect: 'a 304 has no tag',
    said: { ...READ, headers: { 'If-None-Match': '*' } },
    breaks: (response) => ({
      ...response,
      headers: response.headers.map((text) => (text === 'ETag' ? 'X-Tag' : text)),
    }),
    found: ['warning not-modified'],
  },
  {
    check: 'cache-control',
    defect: 'shared caches may keep what a key protects',
    said: READ,
    breaks: sets('Cache-Control', 'public, max-age=3600'),
    found: ['error cache-control'],
  },
  {
    check: 'retry-after',
    defect: 'nobody can tell when to come back',
    said: READ,
    breaks: (response, request) => withHeader(says(429, 'Too many.')(response, request), 'Retry-After', 'soon'),
    found: ['error retry-after'],
  },
  {
    check: 'deprecation',
    defect: 'a draft is followed',
    said: READ,
    breaks: sets('Deprecation', 'true'),
    found: ['error deprecation'],
  },
  {
    check: 'sunset',
    defect: 'the end is a date of RFC 3339',
    said: READ,
    breaks: sets('Sunset', '2030-12-05'),
    found: ['error sunset'],
  },
  {
    check: 'sunset-order',
    defect: 'the end is before the deprecation',
    said: READ,
    breaks: sets('Sunset', 'Thu, 05 Dec 2019 00:00:00 GMT'),
    found: ['error sunset-order'],
  },
  {
    check: 'date',
    defect: 'Date has another form',
    said: READ,
    breaks: sets('Date', '2026-01-01'),
    found: ['warning date'],
  },
];
