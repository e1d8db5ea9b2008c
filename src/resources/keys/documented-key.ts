import type { Operation, Property } from '../../openapi/model/operation';
import { operationLabel } from '../drafts/draft';
import type { Confidence, Evidence } from '../model/resource';

/** Which property identifies an item, and why. */
export interface KeyChoice {
  readonly name: string;
  /** Where items show it that have it in a property of a property; else empty. */
  readonly propertyPath: readonly string[];
  readonly text: string;
  readonly confidence: Confidence;
}

/** Words of what the service thinks of, and of what its clients do. */
const GIVEN = /\b(?:given|assigned|generated|provided|issued|defined) by\b/i;
const CHOSEN = /\byou(?:r|'ve)?\b/i;

/**
 * The `id` of things, where the variable that names one has the name of another property, `thing_id`, and is said to be the
 * `id`: in the very words of it, by its name in backticks, or as given by the service where the other is what clients
 * think of.
 *
 * @param said - what the description says of the variable
 */
export function documentedKey(
  scalars: readonly Property[],
  variables: readonly string[],
  said = '',
): KeyChoice | undefined {
  const id = scalars.find(({ name }) => name === 'id');
  const own = scalars.find(({ name }) => name !== 'id' && variables.includes(name));
  const isSaid = id !== undefined && own !== undefined && said !== '' && describesId(said, id, own);
  const text = 'the path parameter is said to be the property "id"';
  return isSaid ? { name: 'id', propertyPath: [], text, confidence: 'high' } : undefined;
}

function describesId(said: string, id: Property, own: Property): boolean {
  const ofId = firstSentence(id.schema['description']);
  const ofOwn = firstSentence(own.schema['description']);
  const isSame = firstSentence(said) === ofId && ofId !== ofOwn;
  const isGiven = GIVEN.test(said) && CHOSEN.test(ofOwn) && !CHOSEN.test(ofId);
  return isSame || isGiven || said.includes('`id`');
}

function firstSentence(words: unknown): string {
  return typeof words === 'string' ? (/^[^.\n]*/.exec(words.trim())?.[0] ?? '').toLowerCase() : '';
}

/**
 * The property that a link names as the key: `bookId: $response.body#/id` from what made an item to what reads it (OAS
 * 3.0.3 §4.7.20). A link says outright what names only suggest.
 *
 * @param from - operations that answer an item, or a list of them
 * @param to - operations on an item, with the variable that holds its key
 */
export function keyFromLinks(
  from: readonly Operation[],
  to: ReadonlyMap<string, string>,
  properties: ReadonlyMap<string, Property>,
): { readonly member: string; readonly evidence: Evidence } | undefined {
  for (const operation of from) {
    for (const response of operation.responses.values()) {
      for (const { name, operationId, parameters } of response.links) {
        const parameter = operationId === undefined ? undefined : to.get(operationId);
        if (parameter === undefined) continue;
        const expression = parameters.get(parameter) ?? parameters.get(`path.${parameter}`);
        const property = typeof expression === 'string' ? propertyOf(expression) : undefined;
        if (property === undefined || !properties.has(property)) continue;
        const text = `the link "${name}" of ${operationLabel(operation)} takes the key from "${property}"`;
        return { member: property, evidence: { text, pointer: response.pointer } };
      }
    }
  }
  return undefined;
}

/** The last property of `$response.body#/id`, `$response.body#/0/id` or `$response.body#/data/id`. */
function propertyOf(expression: string): string | undefined {
  const last = /^\$response\.body#(?:\/[^/]+)*\/([^/]+)$/.exec(expression)?.[1];
  return last?.replaceAll('~1', '/').replaceAll('~0', '~');
}
