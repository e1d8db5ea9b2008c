import { relative } from 'node:path';
import { isAddress } from '../http/is-address';
import { placeAt, type SourceDocument } from '../openapi/source-document';

/** Something that speaks for a conclusion, with the place where it was seen. */
export interface Reason {
  readonly text: string;
  /** `openapi.yaml:12`; `undefined` where no place is known. */
  readonly place: string | undefined;
}

/** Where something stands, for people and editors: `openapi.yaml:12`, with the path that is shorter. */
export function placeText(document: SourceDocument, pointer: string): string | undefined {
  const { file, line } = placeAt(document, pointer);
  if (line === undefined) return undefined;
  if (isAddress(file)) return `${file}:${line}`;
  const near = relative(process.cwd(), file);
  return `${near.length < file.length ? near : file}:${line}`;
}

/** Longer places are told by the end of their path: they would be most of what there is to read. */
const LONGEST_PLACE = 60;

/** A text with its place behind it, for people. */
export function placed(text: string, place: string | undefined): string {
  if (place === undefined) return text;
  return `${text} (${place.length > LONGEST_PLACE ? `…${place.slice(place.lastIndexOf('/'))}` : place})`;
}
