import { curl } from './curl';
import { har } from './har';
import { isOpenCollectionEnvironment, openCollection, readOpenCollectionEnvironment } from './open-collection';
import { isPostmanEnvironment, postman, readPostmanEnvironment } from './postman';
import type { ReadProblem, TrafficReader, TrafficSource } from './reader';
import { recording } from './recording';

/** The formats that are read. The first that recognises a file reads it. */
export const TRAFFIC_READERS: readonly TrafficReader[] = [recording, har, postman, openCollection, curl];

/** A format of files that hold values for the variables of others, and no traffic. */
export interface ValuesReader {
  recognises(file: string, head: string): boolean;
  /** @returns what is wrong, in place of the values */
  read(source: TrafficSource): Promise<ReadonlyMap<string, string> | ReadProblem>;
}

const VALUES_READERS: readonly ValuesReader[] = [
  { recognises: (_, head) => isPostmanEnvironment(head), read: readPostmanEnvironment },
  { recognises: isOpenCollectionEnvironment, read: readOpenCollectionEnvironment },
];

/** @see TrafficReader.recognises */
export function valuesReaderFor(file: string, head: string): ValuesReader | undefined {
  return VALUES_READERS.find((reader) => reader.recognises(file, head));
}

/** Files that people give and no reader takes: how to know them, and what to do instead. */
const OTHERS: readonly (readonly [is: (file: string, head: string) => boolean, hint: string])[] = [
  [(_, head) => head.trim() === '', 'It is empty: record, save or export it again.'],
  [(_, head) => head.startsWith('PK\u0003\u0004'), 'It is a zip archive: unpack it, and give the file inside.'],
  [(_, head) => head.startsWith('\u001f'), 'It is compressed: unpack it with gunzip.'],
  [
    (_, head) => /"requests"\s*:\s*\[/.test(head) && /"order"\s*:/.test(head),
    'It is a Postman collection of version 1: export it as version 2.1.',
  ],
  [
    (_, head) => /^\s*["{]?\s*"?(?:openapi|swagger)"?\s*:/m.test(head),
    'It is an OpenAPI description: give it with --spec.',
  ],
  [(_, head) => /"__export_format"\s*:/.test(head), 'It is an export of Insomnia: export it as HAR.'],
  [(_, head) => /^\s*<(?:!doctype|html)/i.test(head), 'It is a page of HTML.'],
  [
    (file) => /\.bru$/i.test(file),
    'It is a request in the language of Bruno: save the collection as OpenCollection, or export it for Postman.',
  ],
];

/** @see TrafficReader.recognises */
export function readerFor(file: string, head: string): TrafficReader | undefined {
  if (head.trim() === '') return undefined;
  return TRAFFIC_READERS.find((reader) => reader.recognises(file, head));
}

/** Why no reader takes a file, and what can be done. */
export function unknownFormatHint(file: string, head: string): string {
  const known = OTHERS.find(([is]) => is(file, head));
  return known?.[1] ?? `Expected one of: ${TRAFFIC_READERS.map(({ name }) => name).join(', ')}.`;
}
