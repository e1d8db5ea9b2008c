import type { JsonValue } from '../../json/json-value';
import type { MediaTypeEntry } from '../../openapi/model';
import { readScalar } from '../../openapi/scalar-value';
import { problem } from '../problem';
import { Warnings } from '../warnings';
import {
  judgeBody,
  judgeForm,
  refuseBody,
  refuseTooMuch,
  unreadableBody,
  type BodyCheck,
  type BodyReading,
} from './body-check';
import { bodyKind } from '../../http/body-kind';
import { decodeBodyText, octetText } from './body-text';
import { readForm } from './form';
import { checkJsonBody, checkJsonSequence } from './json-body';
import { NOTHING_MISSING } from './may-be-missing';
import { checkMultipartBody } from './multipart-body';
import { textsOfQuery } from './sent-texts';

export type { BodyCheck } from './body-check';

/**
 * Reads a body that is there as its Content-Type says, and judges the value by the schema of its entry: JSON and forms
 * as objects, text as a scalar of the schema's type, everything else as octets (see `octetText`).
 *
 * @param contentType - as it was sent; it matches the entry
 * @param reading - strictly and without bounds when it is left out
 * @returns a promise for `multipart/form-data` alone
 */
export function checkBody(
  entry: MediaTypeEntry,
  contentType: string,
  body: Uint8Array,
  reading: BodyReading = strictly(),
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
      return text === undefined ? unreadableBody(NO_TEXT) : { kind: 'valid', value: text };
    }
    case 'opaque':
      return { kind: 'valid', value: octetText(body) };
    case 'binary':
      return checkOctets(entry, body);
  }
}

function strictly(): BodyReading {
  return {
    warnings: new Warnings(true),
    asked: NOTHING_MISSING,
    bounds: { names: Infinity, textBytes: Infinity },
  };
}

const NO_TEXT = 'The body is not text of the charset that its Content-Type names, which is UTF-8 if it names none';

function checkFormBody(entry: MediaTypeEntry, body: Uint8Array, reading: BodyReading): BodyCheck {
  const text = decodeBodyText(body, 'text/plain');
  const sent = text === undefined ? undefined : textsOfQuery(text);
  if (sent === undefined) return unreadableBody('The body is not UTF-8 text');
  if (typeof sent === 'string') {
    return unreadableBody(`The field "${sent}" of the body holds a percent sequence that is not UTF-8 text, or %00`);
  }
  const { names } = reading.bounds;
  if (sent.size > names) return refuseTooMuch(`The form has fields of more than ${names} names`);
  const form = readForm(sent, entry.shape, entry.encodings);
  if (form.kind === 'value') return judgeForm(entry, form.value, reading);
  const { pointer, reason } = form;
  return refuseBody(problem('invalid_field', `The field ${pointer} ${reason}`, { pointer }));
}

function checkText(entry: MediaTypeEntry, contentType: string, body: Uint8Array): BodyCheck {
  const text = decodeBodyText(body, contentType);
  if (text === undefined) return unreadableBody(NO_TEXT);
  return judgeBody(entry.schema, readScalar(text, entry.shape.scalars));
}

function checkOctets(entry: MediaTypeEntry, body: Uint8Array): BodyCheck {
  if (!judgesOctets(entry)) return { kind: 'valid', value: octetText(body) };
  return judgeBody(entry.schema, octetValue(entry, body));
}

/** Where the schema does not say that these are octets, they are text if they can be. */
function octetValue({ shape }: MediaTypeEntry, body: Uint8Array): JsonValue {
  return (shape.isBinary ? undefined : decodeBodyText(body, 'text/plain')) ?? octetText(body);
}

/** Can the schema say anything of octets? One of an object cannot. */
export function judgesOctets({ shape }: MediaTypeEntry): boolean {
  return shape.kind === 'scalar' && shape.scalars.includes('string');
}
