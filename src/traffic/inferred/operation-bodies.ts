import { headerValue } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import { reasonPhrase } from '../../core/http/message';
import type { JsonObject } from '../../core/json/json-value';
import { toldInHeader } from '../../lists/page-properties';
import { isListOfObjects } from './value-shape';
import type { Observation } from './observation';
import { type BodyDraft, jsonShape, type OperationDraft, textSchema } from './operation-drafts';
import { schemaOf, type SchemaManner } from './shape-schema';
import type { SharedSchemas } from './shared-schemas';

/** `requestBody` of an operation; nothing where no good request had a body. */
export function requestPart(draft: OperationDraft, { references }: SharedSchemas): JsonObject {
  if (draft.request.length === 0) return {};
  const shown = [...draft.responses].flatMap(([status, bodies]) => (status < 300 ? (jsonShape(bodies) ?? []) : []));
  const isHidden = (name: string): boolean => !shown.some(({ properties }) => properties.has(name));
  const content = contentOf(draft.request, { references, isHidden, isPartial: draft.method === 'PATCH' });
  return { requestBody: { ...(draft.isBodyOptional ? {} : { required: true }), content } };
}

/** `responses` of an operation: the statuses that were seen. */
export function responsesOf({ responses, observations }: OperationDraft, { references }: SharedSchemas): JsonObject {
  return Object.fromEntries(
    [...responses].map(([status, bodies]): [string, JsonObject] => {
      const headers = headersOf(observations.filter((each) => each.status === status));
      const content = contentOf(status < 400 || bodies.some(isData) ? bodies : [], { references });
      return [
        String(status),
        {
          description: reasonPhrase(status),
          ...(headers === undefined ? {} : { headers }),
          ...(Object.keys(content).length === 0 ? {} : { content }),
        },
      ];
    }),
  );
}

/** In words an error is told in the type that the client asks for: another client gets another one. */
function isData({ kind, mediaType }: BodyDraft): boolean {
  return kind !== 'text' || isJsonMediaType(mediaType);
}

/** Response headers by which clients go on; what servers and proxies add to everything says nothing of an operation. */
const TOLD =
  /^(?:location|content-location|etag|last-modified|link|retry-after|allow|accept-patch|deprecation|sunset|(?:x-)?rate-?limit.*|idempotency-.*|preference-applied)$/;
/** Those that are always there where they once are; a link or a total comes and goes with what is listed. */
const LASTING = /^(?:location|etag|last-modified)$/;

function headersOf(observations: readonly Observation[]): JsonObject | undefined {
  const names = new Map<string, string>();
  for (const { responseHeaders } of observations) {
    responseHeaders.forEach((name, index) => {
      const lower = name.toLowerCase();
      const isTold = index % 2 === 0 && (TOLD.test(lower) || toldInHeader(lower) !== undefined);
      if (isTold && !names.has(lower)) names.set(lower, name);
    });
  }
  if (names.size === 0) return undefined;
  return Object.fromEntries(
    [...names.keys()].sort().map((name): [string, JsonObject] => {
      const values = observations.flatMap((each) => headerValue(each.responseHeaders, name) ?? []);
      const isLasting = values.length === observations.length && LASTING.test(name);
      return [canonicalName(name), { ...(isLasting ? { required: true } : {}), schema: textSchema(values) }];
    }),
  );
}

/** HTTP/2 has header names in lower case: the same traffic over both gives the same description. */
export function canonicalName(name: string): string {
  const words = name.toLowerCase().replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase());
  return words === 'Etag' ? 'ETag' : words;
}

function contentOf(bodies: readonly BodyDraft[], manner: SchemaManner): JsonObject {
  return Object.fromEntries(bodies.map((body) => [body.mediaType, mediaTypeObject(body, manner)]));
}

/** Bytes have no schema (OAS 3.1.1 §4.8.14.5). */
function mediaTypeObject(body: BodyDraft, manner: SchemaManner): JsonObject {
  switch (body.kind) {
    case 'json':
      return { schema: schemaOf(body.shape, isListOfObjects(body.shape) ? { ...manner, isPartial: false } : manner) };
    case 'form':
    case 'multipart':
      return { schema: body.schema };
    case 'text':
      return { schema: { type: 'string' } };
    case 'opaque':
      return {};
  }
}
