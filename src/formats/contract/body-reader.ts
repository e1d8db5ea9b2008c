import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import type { FormatDiagnostics } from '../decode';
import type { BodyPart, ContractFile, StepBody } from './contract';

/** Gives the bytes of a file that a contract names, or says why it cannot be sent. */
export type ReadFile = (
  path: string,
) =>
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string; readonly expected: string; readonly hint?: string };

/** One of them at most. */
export interface WrittenBody {
  readonly body?: JsonValue;
  readonly text?: string;
  readonly form?: JsonObject;
  readonly multipart?: JsonObject;
  readonly file?: string;
}

/** Reads what a step sends. */
export function readBody(
  { body, text, form, multipart, file: path }: WrittenBody,
  pointer: string,
  readFile: ReadFile,
  diagnostics: FormatDiagnostics,
): StepBody | undefined {
  if (body !== undefined) return { kind: 'json', value: body };
  if (text !== undefined) return { kind: 'text', text };
  if (form !== undefined) return { kind: 'form', fields: form };
  if (multipart !== undefined) {
    const parts = Object.entries(multipart).flatMap(([name, value]) => {
      const at = joinPointer(`${pointer}/multipart`, name);
      if (!Array.isArray(value)) return readPart(name, value, at, readFile, diagnostics) ?? [];
      return value.flatMap((item, index) => readPart(name, item, joinPointer(at, index), readFile, diagnostics) ?? []);
    });
    return { kind: 'multipart', parts };
  }
  const file = path === undefined ? undefined : fileAt(path, `${pointer}/file`, readFile, diagnostics);
  return file && { kind: 'file', file };
}

interface WrittenPart {
  readonly file?: string;
  readonly value?: JsonValue;
  readonly type?: string;
  readonly filename?: string;
}

function readPart(
  name: string,
  part: JsonValue,
  pointer: string,
  readFile: ReadFile,
  diagnostics: FormatDiagnostics,
): BodyPart | undefined {
  const about = { name, pointer };
  if (!isJsonObject(part)) return { ...about, kind: 'value', value: part, mediaType: undefined };
  const { file: path, value = null, type: mediaType, filename } = part as WrittenPart;
  if (path === undefined) return { ...about, kind: 'value', value, mediaType };
  const file = fileAt(path, `${pointer}/file`, readFile, diagnostics);
  const fileName = filename ?? path.split(/[\\/]/).at(-1) ?? path;
  return file && { ...about, kind: 'file', file, fileName, mediaType };
}

function fileAt(
  path: string,
  pointer: string,
  readFile: ReadFile,
  diagnostics: FormatDiagnostics,
): ContractFile | undefined {
  const found = readFile(path);
  if (found.kind === 'read') return { path, bytes: found.bytes };
  diagnostics.add(pointer, `The file "${path}" ${found.reason}`, found.expected, found.hint);
  return undefined;
}
