import { isAlias, isMap, isScalar, isSeq, Scalar, type Document, type Node } from 'yaml';

/** Is this the key `<<` of YAML 1.1, without quotes? */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

/**
 * The maps that stand behind a merge key: one, or a list of them.
 *
 * @returns `undefined` where something else stands there, so that the key is an ordinary one
 */
export function mergedNodes(value: unknown, document: Document): readonly Node[] | undefined {
  const nodes: unknown[] = isSeq(value) ? value.items : [value];
  const targets = nodes.map((node) => (isAlias(node) ? node.resolve(document) : node));
  return targets.length > 0 && targets.every((node) => isMap(node)) ? targets : undefined;
}
