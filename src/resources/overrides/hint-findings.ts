import type { SourceFinding } from '../../core/errors/standin-error';
import { getAtPointer, joinPointer, parentPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { similarName } from '../../core/text/similar-name';
import type { ApiModel } from '../../openapi/model/api-model';
import { eventSigns } from '../../openapi/model/documented-events';
import { findingAt } from '../../openapi/read/source-document';
import { ACCEPT_MODES, BEHAVIOURS, HAPPENINGS, HINT } from './statements';

const ROOT_KEYS = ['accept'];
const PATH_KEYS = ['stateless', 'key', 'schema', 'references', 'sameAs', 'accept'];
const OPERATION_KEYS = ['stateless', 'behaviour', 'resource', 'sets', 'filters', 'accept'];
const EVENT_KEYS = ['sent', 'resource', 'property', 'value'];

/**
 * What `x-standin` says at the root, on path items, on operations and at events that means nothing: mistyped names would be let
 * be in silence.
 */
export function hintFindings(api: ApiModel): SourceFinding[] {
  const paths = new Set(api.operations.map(({ pointer }) => parentPointer(pointer) ?? ''));
  return [
    ...findingsAt(api, '', ROOT_KEYS),
    ...[...paths].flatMap((pointer) => findingsAt(api, pointer, PATH_KEYS)),
    ...api.operations.flatMap(({ pointer }) => findingsAt(api, pointer, OPERATION_KEYS)),
    ...eventHints(api).flatMap((pointer) => findingsAt(api, pointer, EVENT_KEYS)),
  ];
}

/** Pointers of what `x-standin` may stand at; the events of a large description are read only where it stands at one. */
function eventHints(api: ApiModel): string[] {
  const { hasWebhooks, registering } = eventSigns(api.document);
  if (!hasWebhooks && registering.size === 0) return [];
  const { root } = api.document;
  const isHinted = (value: JsonValue | undefined, depth: number): boolean =>
    isJsonObject(value) &&
    (Object.hasOwn(value, HINT) || (depth > 0 && Object.values(value).some((each) => isHinted(each, depth - 1))));
  const maps = ['/webhooks', '/x-webhooks', '/components/callbacks', '/components/pathItems'];
  const places = [...maps, ...[...registering].map((pointer) => joinPointer(pointer, 'callbacks'))];
  if (!places.some((place) => isHinted(getAtPointer(root, place), DEEPEST))) return [];
  return [...new Set(api.events().flatMap(({ hintedAt }) => hintedAt))];
}

/** A map of callbacks, one of them, its path item, the operation. */
const DEEPEST = 4;

function findingsAt(api: ApiModel, owner: string, known: readonly string[]): SourceFinding[] {
  const object = getAtPointer(api.document.root, owner);
  const hint = isJsonObject(object) ? object[HINT] : undefined;
  if (!isJsonObject(hint)) return [];
  const pointer = joinPointer(owner, HINT);
  const unknown = Object.keys(hint).filter((name) => !known.includes(name));
  const { behaviour } = known.includes('behaviour') ? hint : {};
  const words: readonly string[] = BEHAVIOURS;
  const happenings: readonly string[] = HAPPENINGS;
  const { accept } = hint;
  const { sent } = known.includes('sent') ? hint : {};
  const modes: readonly string[] = ACCEPT_MODES;
  return [
    ...unknown.map((name) =>
      unknownValue(api, joinPointer(pointer, name), `${HINT} has no "${name}" here`, name, known),
    ),
    ...(typeof behaviour === 'string' && !words.includes(behaviour)
      ? [unknownValue(api, joinPointer(pointer, 'behaviour'), `There is no behaviour "${behaviour}"`, behaviour, words)]
      : []),
    ...(typeof accept === 'string' && !modes.includes(accept)
      ? [unknownValue(api, joinPointer(pointer, 'accept'), `Requests cannot be taken as "${accept}"`, accept, modes)]
      : []),
    ...(typeof sent === 'string' && !happenings.includes(sent)
      ? [
          unknownValue(
            api,
            joinPointer(pointer, 'sent'),
            `Nothing is sent when something is "${sent}"`,
            sent,
            happenings,
          ),
        ]
      : []),
  ];
}

function unknownValue(
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
