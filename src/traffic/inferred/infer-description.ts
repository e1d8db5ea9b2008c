import { INFERRED } from '../../openapi/model/inferred';
import { ConfigError } from '../../core/errors/standin-error';
import { splitPath } from '../../core/http/request-target';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { normaliseBasePath } from '../../openapi/model/base-paths';
import { counted } from '../../core/text/printable';
import { groupBy } from '../../core/text/group-by';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { type Credentials, inferCredentials } from './credentials';
import { KeyProofs } from './key-proofs';
import { type Observation, observe } from './observation';
import { requestPart, responsesOf } from './operation-bodies';
import { draftOperations, type OperationDraft } from './operation-drafts';
import { operationIds, tagOf } from './operation-names';
import { otherParameters, pathParameters } from './parameters';
import { baseLength, inferPaths } from './path-templates';
import { shareSchemas } from './shared-schemas';

/** What the traffic does not say of itself. */
export interface InferenceOptions {
  /** Title of the description, such as the host of the API. */
  readonly title: string;
  /** The path that all operations are below, `/api/v1`; found when left out, `''` for none. */
  readonly basePath?: string | undefined;
}

/**
 * A first OpenAPI 3.1 description of what recorded traffic shows. All of the exchanges fit it: each response that was
 * recorded, and each request that was accepted. The same exchanges give the same document, in which nothing depends on
 * when they were made.
 *
 * @param exchanges - of the API alone, in the order in which they were made
 * @throws ConfigError `CONFIG_INVALID` when nothing of them can be described, with what they are instead
 */
export function inferDescription(exchanges: readonly CleanExchange[], options: InferenceOptions): JsonObject {
  const all = exchanges.flatMap((exchange) => observe(exchange) ?? []);
  if (all.length === 0) throw nothingToDescribe(exchanges);
  if (all.every(isPage)) throw onlyPages(all.length);
  const { base, observations } = belowBase(all, options.basePath);
  const paths = inferPaths(observations, new KeyProofs(observations, base.length));
  const drafts = paths.flatMap(draftOperations).sort((left, right) => compareText(left.template, right.template));
  const ids = operationIds(drafts);
  const credentials = inferCredentials(drafts);
  const shared = shareSchemas(drafts);
  const write = (draft: OperationDraft): JsonObject => ({
    operationId: ids.get(draft) ?? '',
    ...tagsOf(draft),
    ...securityPart(credentials.security(draft)),
    ...listPart('parameters', otherParameters(draft, credentials)),
    ...requestPart(draft, shared),
    responses: withRejection(draft, responsesOf(draft, shared)),
  });
  // One that asks for a credential rejects those without, as the others were seen to do (RFC 9110 §15.5.2).
  const unauthorised = drafts
    .map((draft) => responsesOf(draft, shared)['401'])
    .find((response): response is JsonObject => response !== undefined);
  function withRejection(draft: OperationDraft, responses: JsonObject): JsonObject {
    const isSecured = (credentials.security(draft) ?? []).length > 0;
    if (!isSecured || unauthorised === undefined || responses['401'] !== undefined) return responses;
    return { ...responses, '401': unauthorised };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: options.title,
      version: '0.0.0',
      description: `Inferred from ${counted(observations.length, 'recorded exchange')}: what was seen, not what is promised. Properties, statuses and parameters that no exchange had are missing.`,
    },
    [INFERRED]: { exchanges: observations.length },
    ...(base.length === 0 ? {} : { servers: [{ url: `/${base.join('/')}` }] }),
    paths: Object.fromEntries(
      groupBy(drafts, ({ template }) => template).map((group) => [
        group[0].template,
        {
          ...listPart('parameters', pathParameters(group[0].path.segments, group[0].path.observations)),
          ...Object.fromEntries(group.map((draft) => [draft.method.toLowerCase(), write(draft)])),
        },
      ]),
    ),
    ...componentsOf(shared.schemas, credentials),
  };
}

function belowBase(
  all: readonly Observation[],
  basePath: string | undefined,
): { readonly base: readonly string[]; readonly observations: readonly Observation[] } {
  const found = (all[0]?.segments ?? []).slice(0, baseLength(all.map(({ segments }) => segments)));
  const base = basePath === undefined ? found : splitPath(normaliseBasePath(basePath));
  const isBelow = ({ segments }: Observation): boolean =>
    segments.length > base.length && base.every((text, index) => segments[index] === text);
  const below = all.filter(isBelow);
  if (below.length === 0)
    throw new ConfigError('CONFIG_INVALID', `No recorded request is below the base path ${basePath ?? '/'}`, {
      hint: `The first one went to /${all[0]?.segments.join('/') ?? ''}. Leave the base path out, and it is found.`,
    });
  return {
    base,
    observations: below.map((each) => ({ ...each, segments: each.segments.slice(base.length) })),
  };
}

/** Code units, so that the order is the same everywhere. */
function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function nothingToDescribe(exchanges: readonly CleanExchange[]): ConfigError {
  const hint = 'Record requests to the API itself, with their responses; the log says what was left out as noise.';
  if (exchanges.length === 0)
    return new ConfigError('CONFIG_INVALID', 'The traffic has no request to an API: there is nothing to describe', {
      hint,
    });
  const open = exchanges.filter(({ response }) => response === undefined).length;
  const what =
    open === exchanges.length
      ? `none of the ${counted(open, 'request')} has a response`
      : `none of the ${counted(exchanges.length, 'exchange')} has a method and a path that OpenAPI can describe`;
  return new ConfigError('CONFIG_INVALID', `No description can be inferred: ${what}`, { hint });
}

function isPage({ response }: Observation): boolean {
  return response?.mediaType === 'text/html' || response?.mediaType === 'application/xhtml+xml';
}

function onlyPages(count: number): ConfigError {
  const all = count === 1 ? 'The one response is an HTML page' : `All ${count} responses are HTML pages`;
  return new ConfigError('CONFIG_INVALID', `${all}: what was recorded is no API that can be described`, {
    hint: 'Expected JSON, forms or empty responses. If the API is at another address, name it as the target; a page in its place often means a missing login or a wrong path.',
  });
}

function tagsOf(draft: OperationDraft): JsonObject {
  const tag = tagOf(draft);
  return tag === undefined ? {} : { tags: [tag] };
}

function listPart(name: string, list: readonly JsonValue[]): JsonObject {
  return list.length === 0 ? {} : { [name]: [...list] };
}

function securityPart(security: JsonObject[] | undefined): JsonObject {
  return security === undefined ? {} : { security };
}

function componentsOf(schemas: JsonObject, { schemes }: Credentials): JsonObject {
  const hasSchemas = Object.keys(schemas).length > 0;
  const hasSchemes = Object.keys(schemes).length > 0;
  if (!hasSchemas && !hasSchemes) return {};
  return {
    components: {
      ...(hasSchemas ? { schemas } : {}),
      ...(hasSchemes ? { securitySchemes: schemes } : {}),
    },
  };
}
