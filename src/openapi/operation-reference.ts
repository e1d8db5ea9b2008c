import { once } from '../http/memo';
import { getAtPointer, joinPointer } from '../json/json-pointer';
import { isSchemaObject } from '../json-schema/schema';
import { localPointer } from './references';
import { originAt, type SourceDocument } from './source-document';
import type { RawOperation } from './walk';

/** Only to compare references: nothing is ever fetched from there. */
const SOMEWHERE = 'standin://description/';

/** Where an `operationRef` leads. */
export type ReferredOperation =
  | { readonly kind: 'found'; readonly operation: RawOperation }
  /** To a place of the description where no operation stands. */
  | { readonly kind: 'nowhere'; readonly pointer: string }
  | { readonly kind: 'elsewhere' };

/** @param from - pointer of the link */
export type OperationFinder = (reference: string, from: string) => ReferredOperation;

/**
 * Finds the operations that links mean by `operationRef`: a URI reference that is relative to the file in which it
 * stands (OAS 3.0.3 §4.7.20, OAS 3.1.1 §4.6). One without a file that leads to nothing there is read against the whole
 * description, as many authors of several files mean it.
 */
export function operationFinder(document: SourceDocument, operations: readonly RawOperation[]): OperationFinder {
  const byWritten = once(() => new Map(operations.map((operation) => [writtenPointer(operation), operation])));
  const byOrigin = once(() => {
    const places = new Map<string, RawOperation[]>();
    for (const operation of operations) {
      const { file, pointer } = originAt(document, operation.operation.pointer);
      const place = `${resolved(file, SOMEWHERE)}#${pointer}`;
      places.set(place, [...(places.get(place) ?? []), operation]);
    }
    return places;
  });
  return (reference, from) => {
    const [address = '', fragment = ''] = reference.split('#', 2);
    const pointer = localPointer(`#${fragment}`);
    if (pointer === undefined) return { kind: 'elsewhere' };
    const around = resolved(originAt(document, from).file, SOMEWHERE);
    const file = address === '' ? around : resolved(address, around);
    const there = document.originOf === undefined ? [] : (byOrigin().get(`${file}#${pointer}`) ?? []);
    const own = nearest(there, from);
    if (own !== undefined) return { kind: 'found', operation: own };
    if (address !== '' && !isAddressOf(document, address, from)) return { kind: 'elsewhere' };
    const operation = byWritten().get(pointer);
    return operation === undefined ? { kind: 'nowhere', pointer } : { kind: 'found', operation };
  };
}

/** Of the operations that one part of a file has become, for each path that consists of it, the one of the same path. */
function nearest(operations: readonly RawOperation[], from: string): RawOperation | undefined {
  return operations.find(({ pathItem }) => from.startsWith(`${pathItem.pointer}/`)) ?? operations[0];
}

function isAddressOf(document: SourceDocument, address: string, from: string): boolean {
  const self = isSchemaObject(document.root) ? getAtPointer(document.root, '/$self') : undefined;
  const names = [document.file, ...(typeof self === 'string' ? [self] : [])];
  return names.some((name) => {
    const base = resolved(name, SOMEWHERE);
    const around = name === document.file ? resolved(originAt(document, from).file, SOMEWHERE) : base;
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
