import { getAtPointer, joinPointer } from '../json/json-pointer';
import { isSchemaObject } from '../json-schema/schema';
import { localPointer } from './references';
import { placeAt, type SourceDocument } from './source-document';
import type { RawOperation } from './walk';

/** Only to compare references: nothing is ever fetched from there. */
const SOMEWHERE = 'standin://description/';

/**
 * The JSON pointer that the `operationRef` of a link leads to: a URI reference that is relative to the file in which it
 * stands (OAS 3.0.3 §4.7.20, OAS 3.1.1 §4.6).
 *
 * @param from - pointer of the link
 * @returns `undefined` when it leads out of the description
 */
export function operationPointer(document: SourceDocument, reference: string, from: string): string | undefined {
  const [address = '', fragment = ''] = reference.split('#', 2);
  if (address !== '' && !isAddressOf(document, address, from)) return undefined;
  return localPointer(`#${fragment}`);
}

function isAddressOf(document: SourceDocument, address: string, from: string): boolean {
  const self = isSchemaObject(document.root) ? getAtPointer(document.root, '/$self') : undefined;
  const names = [document.file, ...(typeof self === 'string' ? [self] : [])];
  return names.some((name) => {
    const base = resolved(name, SOMEWHERE);
    const around = name === document.file ? resolved(placeAt(document, from).file, SOMEWHERE) : base;
    return resolved(address, around) === base;
  });
}

/** Where an operation stands as its path is written, which may be behind a reference. */
export function writtenPointer({ path, method, isAdditional }: RawOperation): string {
  const pathItem = joinPointer('/paths', path);
  return isAdditional
    ? joinPointer(joinPointer(pathItem, 'additionalOperations'), method)
    : joinPointer(pathItem, method.toLowerCase());
}

function resolved(reference: string, base: string): string {
  const written = reference.replaceAll('\\', '/').replace(/^\/+/, '');
  return URL.canParse(written, base) ? new URL(written, base).href : written;
}
