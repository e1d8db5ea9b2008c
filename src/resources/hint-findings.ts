import { similarName } from '../errors/similar-name';
import type { SourceFinding } from '../errors/source-finding';
import { getAtPointer, joinPointer, parentPointer } from '../json/json-pointer';
import { isJsonObject } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import { findingAt } from '../openapi/source-document';
import { HINT } from './hints';
import { ACCEPT_MODES, BEHAVIOURS } from './statements';

const ROOT_MEMBERS = ['accept'];
const PATH_MEMBERS = ['stateless', 'key', 'schema', 'references', 'sameAs', 'accept'];
const OPERATION_MEMBERS = ['stateless', 'behaviour', 'resource', 'sets', 'filters', 'accept'];

/** What `x-standin` says at the root, on path items and on operations that means nothing: mistyped names would be let be in silence. */
export function hintFindings(api: ApiModel): SourceFinding[] {
  const paths = new Set(api.operations.map(({ pointer }) => parentPointer(pointer) ?? ''));
  return [
    ...findingsAt(api, '', ROOT_MEMBERS),
    ...[...paths].flatMap((pointer) => findingsAt(api, pointer, PATH_MEMBERS)),
    ...api.operations.flatMap(({ pointer }) => findingsAt(api, pointer, OPERATION_MEMBERS)),
  ];
}

function findingsAt(api: ApiModel, owner: string, known: readonly string[]): SourceFinding[] {
  const object = getAtPointer(api.document.root, owner);
  const hint = isJsonObject(object) ? object[HINT] : undefined;
  if (!isJsonObject(hint)) return [];
  const pointer = joinPointer(owner, HINT);
  const unknown = Object.keys(hint).filter((name) => !known.includes(name));
  const { behaviour } = known.includes('behaviour') ? hint : {};
  const words: readonly string[] = BEHAVIOURS;
  const { accept } = hint;
  const modes: readonly string[] = ACCEPT_MODES;
  return [
    ...unknown.map((name) => notKnown(api, joinPointer(pointer, name), `${HINT} has no "${name}" here`, name, known)),
    ...(typeof behaviour === 'string' && !words.includes(behaviour)
      ? [notKnown(api, joinPointer(pointer, 'behaviour'), `There is no behaviour "${behaviour}"`, behaviour, words)]
      : []),
    ...(typeof accept === 'string' && !modes.includes(accept)
      ? [notKnown(api, joinPointer(pointer, 'accept'), `Requests cannot be taken as "${accept}"`, accept, modes)]
      : []),
  ];
}

function notKnown(
  { document }: ApiModel,
  pointer: string,
  message: string,
  name: string,
  known: readonly string[],
): SourceFinding {
  const near = similarName(name, known);
  return findingAt(document, pointer, {
    rule: 'hint-known',
    severity: 'warning',
    message,
    expected: `one of ${known.join(', ')}`,
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  });
}
