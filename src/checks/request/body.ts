import type { SourceFinding } from '../../core/errors/standin-error';
import { decodeBodyText, octetText } from '../../core/http/body-text';
import { bodyKind, isJsonMediaType } from '../../core/http/media-type';
import { fieldProblem, refused } from '../../core/http/problem';
import { rawQueryValues } from '../../core/http/raw-values';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, RequestBody } from '../../openapi/model/operation';
import { templateVariables } from '../../openapi/model/route-table';
import { readScalar } from '../../openapi/parameters/text-shape';
import { findingAt } from '../../openapi/read/source-document';
import { jsonEntry } from '../../openapi/view/operation-bodies';
import {
  type BodyCheck,
  type BodyOptions,
  rejectTooLarge,
  rejectUnreadable,
  validateBody,
  validateForm,
} from './body-validation';
import { readForm } from './form';
import { checkJsonBody, checkJsonSequence } from './json-body';
import { ignoreMissingOptional, KEEP_ALL_VIOLATIONS } from './missing-properties';
import { checkMultipartBody, checkParts, type MultipartPart } from './multipart-body';
import { Warnings } from './warnings';

/**
 * Reads a body that is there as its Content-Type says, and checks the value by the schema of its entry: JSON and forms
 * as objects, text as a scalar of the schema's type, everything else as bytes (see `octetText`).
 *
 * @param contentType - as it was sent; it matches the entry
 * @param reading - strictly and without bounds when it is left out
 * @returns a promise for `multipart/form-data` alone
 */
export function checkBody(
  entry: MediaTypeEntry,
  contentType: string,
  body: Uint8Array,
  reading: BodyOptions = strictOptions(),
): BodyCheck | Promise<BodyCheck> {
  switch (bodyKind(contentType)) {
    case 'json':
      return checkJsonBody(entry, contentType, body, reading);
    case 'sequence':
      return checkJsonSequence(entry, body);
    case 'form':
      return checkFormBody(entry, body, reading);
    case 'multipart':
      return checkMultipartBody(entry, contentType, body, reading);
    case 'text':
      return checkText(entry, contentType, body);
    case 'xml': {
      const text = decodeBodyText(body, contentType);
      return text === undefined ? rejectUnreadable(WRONG_CHARSET) : { kind: 'valid', value: text };
    }
    case 'opaque':
      return { kind: 'valid', value: octetText(body) };
    case 'binary':
      return checkOctets(entry, body);
  }
}

/**
 * Does software take a JSON body that breaks its schema all the same, see `LENIENT_READINGS`? That it is refused cannot be
 * expected then.
 */
export function isTakenLeniently(api: ApiModel, { requestBody, path }: Operation, body: JsonValue): boolean {
  const entry = jsonEntry(requestBody?.content ?? []);
  if (entry === undefined) return false;
  const warnings = new Warnings(false);
  const filterViolations = ignoreMissingOptional(api, entry.schema, templateVariables(path), warnings);
  const bytes = Buffer.from(stringifyJson(body));
  return checkJsonBody(entry, entry.mediaType, bytes, { warnings, filterViolations }).kind === 'valid';
}

/** {@link checkBody} of `multipart/form-data` whose parts are read already: strictly and without bounds. */
export function checkBodyParts(entry: MediaTypeEntry, parts: readonly MultipartPart[]): BodyCheck {
  return checkParts(entry, parts, strictOptions());
}

function strictOptions(): BodyOptions {
  return {
    warnings: new Warnings(true),
    filterViolations: KEEP_ALL_VIOLATIONS,
    limits: { names: Infinity, textBytes: Infinity },
  };
}

const WRONG_CHARSET =
  'The body is not text of the charset that its Content-Type names, which is UTF-8 if it names none';

function checkFormBody(entry: MediaTypeEntry, body: Uint8Array, reading: BodyOptions): BodyCheck {
  const text = decodeBodyText(body, 'text/plain');
  const sent = text === undefined ? undefined : rawQueryValues(text);
  if (sent === undefined) return rejectUnreadable('The body is not UTF-8 text');
  if (typeof sent === 'string') {
    return rejectUnreadable(`The field "${sent}" of the body holds a percent sequence that is not UTF-8 text, or %00`);
  }
  const { names } = reading.limits;
  if (sent.size > names) return rejectTooLarge(`The form has fields of more than ${names} names`);
  const form = readForm(sent, entry.shape, entry.encodings);
  if (form.kind === 'value') return validateForm(entry, form.value, reading);
  const { pointer, reason } = form;
  return refused(fieldProblem('invalid_field', pointer, reason));
}

function checkText(entry: MediaTypeEntry, contentType: string, body: Uint8Array): BodyCheck {
  const text = decodeBodyText(body, contentType);
  if (text === undefined) return rejectUnreadable(WRONG_CHARSET);
  return validateBody(entry.schema, readScalar(text, entry.shape.scalars));
}

function checkOctets(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  if (!canValidateOctets(entry)) return { kind: 'valid', value: octetText(body) };
  return validateBody(entry.schema, octetValue(entry, body));
}

/** Where the schema does not say that these are bytes, they are text if they can be. */
function octetValue({ shape }: MediaTypeEntry, body: Uint8Array): JsonValue {
  return (shape.isBinary ? undefined : decodeBodyText(body, 'text/plain')) ?? octetText(body);
}

/** Can the schema say anything of bytes? One of an object cannot, nor can one that says no more than that they are some. */
export function canValidateOctets({ schema, shape }: MediaTypeEntry): boolean {
  return shape.kind === 'scalar' && shape.scalars.includes('string') && schema?.value['format'] !== 'byte';
}

/** Bodies that are taken as they come, because no value can be made of them that their schema could judge. */
export function unvalidatedBodies(api: ApiModel): SourceFinding[] {
  return api.operations.flatMap(({ id, requestBody }) =>
    (requestBody?.content ?? []).flatMap((entry): SourceFinding[] => {
      const what = entry.schema === undefined ? undefined : reasonUnvalidated(entry);
      if (what === undefined) return [];
      return [
        findingAt(api.document, entry.pointer, {
          rule: 'body-not-judged',
          severity: 'warning',
          message: `Bodies of ${entry.mediaType} for ${id} are taken as they come: ${what}`,
          hint: `${acceptsJson(requestBody) ? 'JSON is taken' : 'Offer JSON'} as well: send that where the body matters.`,
        }),
      ];
    }),
  );
}

function acceptsJson(body: RequestBody | undefined): boolean {
  return body?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) === true;
}

function reasonUnvalidated(entry: MediaTypeEntry): string | undefined {
  switch (bodyKind(entry.mediaType)) {
    case 'xml':
      return 'XML is not parsed';
    case 'opaque':
      return 'its parts have no names that a schema could describe';
    case 'binary': {
      const isRange = entry.mediaType.includes('*');
      return isRange || canValidateOctets(entry) ? undefined : 'octets are no value that its schema describes';
    }
    default:
      return undefined;
  }
}
