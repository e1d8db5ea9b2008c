import type { ApiModel, Operation } from '../openapi/model';
import { parseTemplate, type PathTemplate } from './path-template';
import type { Reading } from './reading';
import { readOperations } from './readings';
import type { SchemaReader } from './schema-reader';

/** One place of the description: every operation that is about it, whatever its variables are called. */
export interface PathNode {
  /** As it is written first. */
  readonly template: PathTemplate;
  readonly operations: readonly Operation[];
}

/** The places of a description by shape, in the order of their paths. */
export interface PathIndex {
  readonly nodes: ReadonlyMap<string, PathNode>;
  /** The place of an operation; none for those of which a segment has several variables, or that a path alone does not name. */
  readonly templateOf: (operation: Operation) => PathTemplate | undefined;
  /** The method in whose words the operation is read: see {@link Reading}. */
  methodOf(operation: Operation): string;
  readingOf(operation: Operation): Reading | undefined;
}

export function indexPaths(api: ApiModel, reader: SchemaReader): PathIndex {
  const written = new Map<Operation, PathTemplate>();
  const byPath = new Map<string, PathTemplate | undefined>();
  const apart = toldApart(api);
  for (const operation of api.operations) {
    if (apart.has(operation)) continue;
    let template = byPath.get(operation.path);
    if (!byPath.has(operation.path)) byPath.set(operation.path, (template = parseTemplate(operation.path)));
    if (template !== undefined && template.segments.length > 0) written.set(operation, template);
  }
  const readings = readOperations(written, reader);
  const nodes = new Map<string, { template: PathTemplate; operations: Operation[] }>();
  for (const [operation, { template }] of readings) {
    const node = nodes.get(template.shape);
    if (node === undefined) nodes.set(template.shape, { template, operations: [operation] });
    else node.operations.push(operation);
  }
  return {
    nodes,
    templateOf: (operation) => readings.get(operation)?.template,
    methodOf: (operation) => readings.get(operation)?.method ?? operation.method,
    readingOf: (operation) => readings.get(operation),
  };
}

/**
 * Operations that the path does not name alone: others share their path and method, or a query says which part of the
 * thing is meant. A header that is merely there, such as that of an account, changes nothing of what the path names.
 */
function toldApart(api: ApiModel): ReadonlySet<Operation> {
  const counts = new Map<string, number>();
  for (const { method, path } of api.operations) {
    const place = `${method} ${path}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return new Set(
    api.operations.filter(({ method, path, written, telling }) => {
      if (path === written) return false;
      const isShared = (counts.get(`${method} ${path}`) ?? 0) > 1;
      return isShared || telling.some(({ in: place, value }) => place === 'query' || value !== undefined);
    }),
  );
}
