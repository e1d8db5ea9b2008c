import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import type { BodyPart, ContractFile, StepBody } from './contract';
import { PropertyReader, type FormatDiagnostics, type LocatedValue } from '../property-reader';
import { isScalar } from './placeholders';

/** Gives the bytes of a file that a contract names, or says why it cannot be sent. */
export type ReadFile = (
  path: string,
) =>
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string; readonly expected: string; readonly hint?: string };

export const NO_FILES: ReadFile = () => ({
  kind: 'refused',
  reason: 'cannot be read here',
  expected: 'a contract that is a file itself',
});

const BODY_KEYS = ['body', 'text', 'form', 'multipart', 'file'] as const;
const LINE_BREAK = /[\r\n\0]/;
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;[^\r\n]*)?$/;

/** Reads what a step sends: one of `body`, `text`, `form`, `multipart` and `file`. */
export function readBody(step: PropertyReader, readFile: ReadFile, validate: FormatDiagnostics): StepBody | undefined {
  const given = BODY_KEYS.filter((kind) => step.value(kind) !== undefined);
  const [kind, other] = given;
  if (kind === undefined) return undefined;
  if (other !== undefined) {
    validate.add(step.at(other), `The step has both "${kind}" and "${other}"`, 'one of the two');
    return undefined;
  }
  const value = step.value(kind) ?? null;
  const pointer = step.at(kind);
  switch (kind) {
    case 'body':
      return { kind: 'json', value };
    case 'text':
      if (typeof value === 'string') return { kind, text: value };
      step.addExpected('text', 'a string, sent as it is');
      return undefined;
    case 'form':
      if (isJsonObject(value)) return { kind, fields: value };
      step.addExpected('form', 'an object: the names of the fields, and their values');
      return undefined;
    case 'multipart':
      return { kind, parts: step.entries(kind).flatMap((entry) => readParts(entry, readFile, validate)) };
    case 'file': {
      const file = fileAt({ value, pointer }, readFile, validate);
      return file === undefined ? undefined : { kind, file };
    }
  }
}

/** The parts of one name: a list gives several. */
function readParts(
  { name, value, pointer }: LocatedValue & { readonly name: string },
  readFile: ReadFile,
  validate: FormatDiagnostics,
): BodyPart[] {
  if (LINE_BREAK.test(name)) {
    validate.add(pointer, 'The name of a part has a line break in it', 'one line');
    return [];
  }
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((item, index) => {
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    return readPart(name, { value: item, pointer: at }, readFile, validate) ?? [];
  });
}

function readPart(
  name: string,
  placed: LocatedValue,
  readFile: ReadFile,
  validate: FormatDiagnostics,
): BodyPart | undefined {
  const { value, pointer } = placed;
  const about = { name, pointer };
  if (isScalar(value)) return { ...about, kind: 'value', value, mediaType: undefined };
  if (!isJsonObject(value)) {
    validate.add(pointer, 'The part has no content', 'a scalar, { file: … } or { value: … }');
    return undefined;
  }
  if ('file' in value) return readFilePart(about, placed, readFile, validate);
  if ('value' in value) {
    const properties = PropertyReader.open(placed, 'part', ['value', 'type'], validate);
    return {
      ...about,
      kind: 'value',
      value: value['value'] ?? null,
      mediaType: properties && readMediaType(properties),
    };
  }
  const hint = 'For an object that is sent as JSON write { value: { … } }.';
  validate.add(pointer, 'The part has neither a file nor a value', '{ file: photo.png } or { value: … }', hint);
  return undefined;
}

function readFilePart(
  about: { readonly name: string; readonly pointer: string },
  placed: LocatedValue,
  readFile: ReadFile,
  validate: FormatDiagnostics,
): BodyPart | undefined {
  const properties = PropertyReader.open(placed, 'file of a part', ['file', 'type', 'filename'], validate);
  if (properties === undefined) return undefined;
  const path = properties.value('file') ?? null;
  const file = fileAt({ value: path, pointer: properties.at('file') }, readFile, validate);
  const fileName = properties.text('filename') ?? lastSegment(path);
  if (LINE_BREAK.test(fileName)) properties.addExpected('filename', 'one line of text');
  const mediaType = readMediaType(properties);
  return file === undefined ? undefined : { ...about, kind: 'file', file, fileName, mediaType };
}

function readMediaType(properties: PropertyReader): string | undefined {
  const mediaType = properties.text('type');
  if (mediaType !== undefined && !MEDIA_TYPE.test(mediaType))
    properties.addExpected('type', 'a media type such as image/png');
  return mediaType;
}

function fileAt(
  { value, pointer }: LocatedValue,
  readFile: ReadFile,
  validate: FormatDiagnostics,
): ContractFile | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('${')) {
    validate.add(pointer, 'This names no file', 'a path from the folder of the contract, without placeholders');
    return undefined;
  }
  const found = readFile(value);
  if (found.kind === 'read') return { path: value, bytes: found.bytes };
  validate.add(pointer, `The file "${value}" ${found.reason}`, found.expected, found.hint);
  return undefined;
}

function lastSegment(path: JsonValue): string {
  return typeof path === 'string' ? (path.split(/[\\/]/).at(-1) ?? path) : '';
}
