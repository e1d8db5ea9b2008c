import { contentTypeOf, joinedHeader, type ObservedResponse, type ResponseCheck } from '../../response-check';
import type { CheckFinding } from '../../../core/errors/finding';
import { corsViolations, preflightOf, preflightViolations } from '../../../core/http/cors';
import { matchesWeak } from '../../../core/http/header-fields';
import { headerValue } from '../../../core/http/headers';
import { isJsonMediaType, isUtf8MediaType, matchMediaType } from '../../../core/http/media-type';
import { previewText } from '../../../core/json/value-preview';
import { documentedErrors, findResponse } from '../../../openapi/view/responses';

/** The Content-Type is one that the response documents, and JSON is UTF-8. */
export const contentType: ResponseCheck = {
  id: 'content-type',
  source: 'OAS 3.0.3 §4.7.17 Response Object; RFC 9110 §8.3; RFC 8259 §8.1',
  basis: 'description',
  scope: 'service',
  run(observed) {
    const { offered, spec } = documentedTypes(observed);
    if (observed.body.kind === 'empty' || offered.length === 0) return undefined;
    const sent = contentTypeOf(observed);
    const about = { at: '/response/headers/content-type', spec } as const;
    const expected = offered.join(' or ');
    if (sent === undefined) {
      return [{ ...about, message: 'The body has no Content-Type', expected, actual: 'no header' }];
    }
    if (matchMediaType(sent, offered) === undefined) {
      return [{ ...about, message: 'The Content-Type is not documented', expected, actual: sent }];
    }
    if (isJsonMediaType(sent) && !isUtf8MediaType(sent)) {
      return [{ ...about, message: 'JSON is always UTF-8; the charset says otherwise', expected, actual: sent }];
    }
    return [];
  },
};

/** An error that the operation does not document is written like the others are. */
function documentedTypes({ status, documented, operation, commonError }: ObservedResponse): {
  readonly offered: readonly string[];
  readonly spec: string | undefined;
} {
  if (documented !== undefined) return { offered: documented.mediaTypes, spec: documented.pointer };
  const promised = status < 400 ? [] : documentedErrors(operation, status, commonError);
  return { offered: [...new Set(promised.map(({ mediaType }) => mediaType))], spec: promised[0]?.pointer };
}

/**
 * A page of another origin may read the response, an error as well, and a preflight lets through what is documented.
 * Checked where the contract, or the service itself, says that pages of this origin call.
 */
export const cors: ResponseCheck = {
  id: 'cors',
  source: 'the contract, browser; Fetch §3.2, §4.8, §4.10',
  basis: 'http',
  scope: 'service',
  run({ browser, method, headers, requestHeaders, operation }) {
    if (browser === undefined || requestHeaders === undefined) return undefined;
    const asked = preflightOf(method, requestHeaders);
    const faults = [
      ...corsViolations(headers, browser),
      ...(asked === undefined ? [] : preflightViolations(headers, asked, browser)),
    ];
    return faults.map(({ header, message, rule, expected, actual = 'no header' }): CheckFinding => {
      const hint = 'A page sees a network error in place of the response.';
      const identity = rule === undefined ? undefined : { rule };
      return { at: `/response/headers/${header}`, message, identity, expected, actual, spec: operation?.pointer, hint };
    });
  },
};

const METHOD = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** A 405 lists the methods that the resource does have, without the one that was rejected; any Allow is such a list. */
export const allow: ResponseCheck = {
  id: 'allow',
  source: 'RFC 9110 §10.2.1, §15.5.6',
  basis: 'http',
  scope: 'service',
  run(observed) {
    const { status, method } = observed;
    const value = joinedHeader(observed, 'allow');
    if (status !== 405 && value === undefined) return undefined;
    const about = { at: '/response/headers/allow' } as const;
    if (value === undefined) {
      return [{ ...about, message: 'The 405 has no Allow', expected: 'the methods there are', actual: 'no header' }];
    }
    // An empty list is right, and so are empty elements (RFC 9110 §5.6.1).
    const methods = value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
    if (!methods.every((name) => METHOD.test(name))) {
      const message = 'Allow must be a list of methods';
      return [{ ...about, message, expected: 'methods such as GET, HEAD', actual: previewText(value) }];
    }
    if (status !== 405 || !methods.includes(method)) return [];
    const message = `Allow lists ${method}, which was rejected`;
    const identity = { rule: `Allow lists ${method}, which was refused` };
    return [{ ...about, message, identity, expected: `no ${method}`, actual: value }];
  },
};

// A scheme may stand alone before the next one, and a list may have empty elements (RFC 9110 §5.6.1, §11.6.1).
const CHALLENGE = /^[\s,]*[A-Za-z0-9!#$%&'*+\-.^_`|~]+(?:[\s,]|$)/;

/** A 401 says how to authenticate, in the scheme that the operation asks for. */
export const wwwAuthenticate: ResponseCheck = {
  id: 'www-authenticate',
  source: 'RFC 9110 §11.6.1, §15.5.2; RFC 6750 §3',
  basis: 'http',
  scope: 'service',
  run(observed) {
    if (observed.status !== 401) return undefined;
    const value = joinedHeader(observed, 'www-authenticate') ?? '';
    const schemes = schemesOf(observed);
    const about = {
      at: '/response/headers/www-authenticate',
      expected: `a challenge such as ${schemes[0] ?? 'Bearer'} realm="…"`,
      spec: observed.documented?.pointer ?? observed.operation?.pointer,
    } as const;
    if (!CHALLENGE.test(value)) {
      const message = value === '' ? 'The 401 has no WWW-Authenticate' : 'WWW-Authenticate holds no challenge';
      return [{ ...about, message, actual: value === '' ? 'no header' : value }];
    }
    const isOffered = schemes.length === 0 || schemes.some((scheme) => namesScheme(value, scheme));
    if (isOffered) return [];
    const message = `WWW-Authenticate does not offer the scheme ${schemes.join(' or ')}`;
    return [{ ...about, severity: 'warning', message, actual: value }];
  },
};

/** HTTP authentication schemes that would let a caller in. */
function schemesOf({ api, operation }: ObservedResponse): string[] {
  const required = operation?.security.flat() ?? [];
  return required.flatMap(({ name }) => {
    const scheme = api.securitySchemes.get(name)?.scheme;
    return scheme === undefined ? [] : [scheme.charAt(0).toUpperCase() + scheme.slice(1)];
  });
}

function namesScheme(value: string, scheme: string): boolean {
  return value
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(scheme.toLowerCase());
}

// A reference has no white space and nothing that URLs must encode (RFC 3986 §4.1).
const REFERENCE = /^[!#-;=?-[\]_a-z~]+$/;

/** Is a value a URL or a relative reference (RFC 3986 §4.1)? */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** A 201 names the new resource, where the description has the header. */
export const location: ResponseCheck = {
  id: 'location',
  source: 'RFC 9110 §10.2.2, §15.3.2; OAS 3.0.3 §4.7.17 headers',
  basis: 'description',
  run({ status, headers, documented }) {
    const header = documented?.headers.get('location');
    if (status !== 201 || header === undefined) return undefined;
    const value = headerValue(headers, 'location');
    const about = { at: '/response/headers/location', spec: header.pointer } as const;
    if (value === undefined) {
      const severity = header.required ? 'error' : 'warning';
      const message = 'The 201 has no Location, which the description shows';
      return [{ ...about, severity, message, expected: 'the URL of the new resource', actual: 'no header' }];
    }
    if (isReference(value)) return [];
    const message = 'Location must be a URL or a relative reference';
    return [{ ...about, message, expected: 'a URI reference', actual: value }];
  },
};

/**
 * A 304 has the entity tag that the 200 would have had, and it is one of those that the client has. That a 304 has no
 * body is for `no-body`.
 */
export const notModified: ResponseCheck = {
  id: 'not-modified',
  source: 'RFC 9110 §15.4.5, §13.1.2',
  basis: 'http',
  run(observed) {
    const { status, headers, documented, operation } = observed;
    if (status !== 304) return undefined;
    const known = joinedHeader({ headers: observed.requestHeaders ?? [] }, 'if-none-match');
    const tag = headerValue(headers, 'etag');
    const about = {
      severity: 'warning',
      at: '/response/headers/etag',
      spec: documented?.headers.get('etag')?.pointer ?? operation?.pointer,
    } as const;
    if (tag === undefined) {
      // Without a tag anywhere it may be the date that says what is new.
      if (known === undefined && !hasDocumentedTag(observed)) return undefined;
      const message = 'The 304 has no ETag';
      return [{ ...about, message, expected: 'the tag that the 200 would have', actual: 'no header' }];
    }
    if (known === undefined || matchesWeak(known, tag)) return [];
    const message = 'The 304 has a tag that the client did not name';
    return [{ ...about, message, expected: previewText(known), actual: previewText(tag) }];
  },
};

function hasDocumentedTag({ documented, operation }: ObservedResponse): boolean {
  const whole = operation === undefined ? undefined : findResponse(operation, 200);
  return documented?.headers.has('etag') === true || whole?.headers.has('etag') === true;
}
