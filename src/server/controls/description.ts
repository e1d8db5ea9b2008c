import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { isJsonObject } from '../../core/json/json-value';
import type { Mock } from '../../mock/create-mock';
import type { AnswerCounts } from '../../mock/sandbox/status-counts';
import { MAIN_ID } from '../../mock/sandbox/sandbox-selection';
import { basePathsOf } from '../../openapi/model/base-paths';
import type { Operation, ResponseSpec } from '../../openapi/model/operation';

/** An operation with its documented answers, and those that it gave. */
export interface ListedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly isDeprecated: boolean;
  /** RFC 3339. */
  readonly sunset: string | null;
  readonly stability: string;
  /** May a reference offer to send it? */
  readonly isTryItOffered: boolean;
  readonly statuses: readonly ListedStatus[];
  /** How often it answered which status; also with those that are not documented. */
  readonly used: Readonly<Record<string, number>>;
}

interface ListedStatus {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description: string;
  /** Names of its examples. */
  readonly examples: readonly string[];
  readonly contentType: string | null;
}

export function listOperations(operations: readonly Operation[], answers: AnswerCounts): ListedOperation[] {
  return operations.map((operation) => {
    const { id, method, written: path, summary, tags, lifecycle, responses } = operation;
    const { deprecated: isDeprecated, sunset, stability, tryIt: isTryItOffered } = lifecycle;
    return {
      id,
      method,
      path,
      summary,
      tag: tags[0] ?? '',
      isDeprecated,
      sunset: sunset === undefined ? null : new Date(sunset).toISOString(),
      stability,
      isTryItOffered,
      statuses: [...responses.values()].map(listedStatus),
      used: answers.of(id),
    };
  });
}

function listedStatus({ status, description, content, mediaTypes }: ResponseSpec): ListedStatus {
  const names = content.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
  return { status, description, examples: [...new Set(names)], contentType: mediaTypes[0] ?? null };
}

/** With the addresses of the issuer beside the API, where there is one, in place of those that the description names. */
type WithIssuer = (components: JsonValue, address: string) => JsonValue;

/**
 * The description as one document, whose servers are this mock.
 *
 * @param address - of the mock, as its client knows it: `http://localhost:4010`
 * @param sandbox - whose requests it is for; `undefined` for the main state
 */
export function servedDescription(
  { context }: Mock,
  address: string,
  sandbox: string | undefined,
  withIssuer: WithIssuer | undefined,
): JsonValue {
  const { api, options, basePath } = context;
  const { root } = api.document;
  if (!isJsonObject(root)) return root;
  const { path } = options.sandboxes;
  const isNamed = sandbox !== undefined && sandbox !== MAIN_ID && path !== undefined;
  const origin = isNamed ? `${address}${path}/${sandbox}` : address;
  // A base path that was chosen takes the place of all that are written.
  const isChosen = options.basePath !== undefined;
  const withServers = (owner: JsonValue): JsonValue => {
    if (!isJsonObject(owner) || owner['servers'] === undefined) return owner;
    const { servers, ...others } = owner;
    const paths = isChosen ? undefined : basePathsOf({ value: { servers }, pointer: '' });
    return paths === undefined ? others : { ...others, servers: paths.map((each) => ({ url: origin + each.path })) };
  };
  const ofPathItem = (item: JsonValue): JsonValue => {
    const served = mapValues(withServers(item), withServers);
    return mapProperty(served, 'additionalOperations', (others) => mapValues(others, withServers));
  };
  const served = { ...root, servers: root['servers'] ?? [] };
  const { servers = [{ url: origin + basePath }] } = withServers(served) as JsonObject;
  const ofPaths = (items: JsonValue): JsonValue => mapValues(items, ofPathItem);
  const ofComponents = (components: JsonValue): JsonValue => {
    const mapped = mapProperty(components, 'pathItems', ofPaths);
    return withIssuer === undefined ? mapped : withIssuer(mapped, address);
  };
  return mapProperty(mapProperty({ ...root, servers }, 'paths', ofPaths), 'components', ofComponents);
}

type Change = (value: JsonValue) => JsonValue;

function mapValues(value: JsonValue, change: Change): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

function mapProperty(value: JsonValue, name: string, change: Change): JsonValue {
  const property = isJsonObject(value) ? value[name] : undefined;
  return property === undefined ? value : { ...(value as JsonObject), [name]: change(property) };
}
