import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { BodyPart, ContractFile, StepBody } from './contract';
import { MemberReader, type FormatJudge, type PlacedValue } from './member-reader';
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

const KINDS = ['body', 'text', 'form', 'multipart', 'file'] as const;
const LINE_BREAK = /[\r\n\0]/;
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;[^\r\n]*)?$/;

/** Reads what a step sends: one of `body`, `text`, `form`, `multipart` and `file`. */
export function readBody(step: MemberReader, readFile: ReadFile, judge: FormatJudge): StepBody | undefined {
  const given = KINDS.filter((kind) => step.value(kind) !== undefined);
  const [kind, other] = given;
  if (kind === undefined) return undefined;
  if (other !== undefined) {
    step.refuse(other, `either a ${kind} or a ${other}`);
    return undefined;
  }
  const value = step.value(kind) ?? null;
  const pointer = step.at(kind);
  switch (kind) {
    case 'body':
      return { kind: 'json', value };
    case 'text':
      if (typeof value === 'string') return { kind, text: value };
      step.refuse('text', 'a string, sent as it is');
      return undefined;
    case 'form':
      if (isJsonObject(value)) return { kind, fields: value };
      step.refuse('form', 'an object: the names of the fields, and their values');
      return undefined;
    case 'multipart':
      return { kind, parts: step.entries(kind).flatMap((entry) => readParts(entry, readFile, judge)) };
    case 'file': {
      const file = fileAt({ value, pointer }, readFile, judge);
      return file === undefined ? undefined : { kind, file };
    }
  }
}

/** The parts of one name: a list gives several. */
function readParts(
  { name, value, pointer }: PlacedValue & { readonly name: string },
  readFile: ReadFile,
  judge: FormatJudge,
): BodyPart[] {
  if (LINE_BREAK.test(name)) {
    judge.refuse(pointer, 'The name of a part has a line break in it', 'one line');
    return [];
  }
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((item, index) => {
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    return readPart(name, { value: item, pointer: at }, readFile, judge) ?? [];
  });
}

function readPart(name: string, placed: PlacedValue, readFile: ReadFile, judge: FormatJudge): BodyPart | undefined {
  const { value, pointer } = placed;
  const about = { name, pointer };
  if (isScalar(value)) return { ...about, kind: 'value', value, mediaType: undefined };
  if (!isJsonObject(value)) {
    judge.refuse(pointer, 'The part has no content', 'a scalar, { file: … } or { value: … }');
    return undefined;
  }
  if ('file' in value) return readFilePart(about, placed, readFile, judge);
  if ('value' in value) {
    const members = MemberReader.open(placed, 'part', ['value', 'type'], judge);
    return { ...about, kind: 'value', value: value['value'] ?? null, mediaType: members && readMediaType(members) };
  }
  const hint = 'For an object that is sent as JSON write { value: { … } }.';
  judge.refuse(pointer, 'The part has neither a file nor a value', '{ file: photo.png } or { value: … }', hint);
  return undefined;
}

function readFilePart(
  about: { readonly name: string; readonly pointer: string },
  placed: PlacedValue,
  readFile: ReadFile,
  judge: FormatJudge,
): BodyPart | undefined {
  const members = MemberReader.open(placed, 'file of a part', ['file', 'type', 'filename'], judge);
  if (members === undefined) return undefined;
  const path = members.value('file') ?? null;
  const file = fileAt({ value: path, pointer: members.at('file') }, readFile, judge);
  const fileName = members.text('filename') ?? lastSegment(path);
  if (LINE_BREAK.test(fileName)) members.refuse('filename', 'one line of text');
  const mediaType = readMediaType(members);
  return file === undefined ? undefined : { ...about, kind: 'file', file, fileName, mediaType };
}

function readMediaType(members: MemberReader): string | undefined {
  const mediaType = members.text('type');
  if (mediaType !== undefined && !MEDIA_TYPE.test(mediaType)) members.refuse('type', 'a media type such as image/png');
  return mediaType;
}

function fileAt({ value, pointer }: PlacedValue, readFile: ReadFile, judge: FormatJudge): ContractFile | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('${')) {
    judge.refuse(pointer, 'This names no file', 'a path from the folder of the contract, without placeholders');
    return undefined;
  }
  const found = readFile(value);
  if (found.kind === 'read') return { path: value, bytes: found.bytes };
  judge.refuse(pointer, `The file "${value}" ${found.reason}`, found.expected, found.hint);
  return undefined;
}

function lastSegment(path: JsonValue): string {
  return typeof path === 'string' ? (path.split(/[\\/]/).at(-1) ?? path) : '';
}
