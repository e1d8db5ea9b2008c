import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

/** A part of the document, as the YAML parser types it. */
export type Part = ReturnType<typeof parse>;

export interface DocumentedOperation {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  /** Names of its own parameters, in their order. */
  readonly parameters: readonly string[];
  readonly statuses: readonly string[];
  readonly node: Part;
}

/** The Petstore description as plain data; integers are bigints, exact whatever their size. */
export const DESCRIPTION: Part = parse(readFileSync(resolve(__dirname, '../../spec/petstore.yaml'), 'utf8'), {
  intAsBigInt: true,
});

export const SCHEMAS: Part = DESCRIPTION.components.schemas;

/** Follows a `$ref` into the document. */
export function deref(node: Part): Part {
  if (typeof node.$ref !== 'string') return node;
  return deref(
    (node.$ref as string)
      .slice(2)
      .split('/')
      .reduce((part: Part, name) => part[name], DESCRIPTION),
  );
}

export const OPERATIONS: readonly DocumentedOperation[] = Object.entries<Part>(DESCRIPTION.paths).flatMap(
  ([path, item]) =>
    Object.entries<Part>(item).map(([method, node]) => ({
      key: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operationId: node.operationId,
      parameters: (node.parameters as Part[]).map((parameter) => deref(parameter).name as string),
      statuses: Object.keys(node.responses as object),
      node,
    })),
);

export function operation(operationId: string): DocumentedOperation {
  return OPERATIONS.find((candidate) => candidate.operationId === operationId)!;
}

/** Names of the headers that a response documents, in lower case. */
export function documentedHeaders(operationId: string, status: number): string[] {
  const response = deref(operation(operationId).node.responses[String(status)]);
  return Object.keys((response.headers as object | undefined) ?? {}).map((name) => name.toLowerCase());
}
