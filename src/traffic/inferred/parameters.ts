import { requestIdsOf } from '../../core/http/headers';
import type { JsonObject } from '../../core/json/json-value';
import { groupBy } from '../../core/text/group-by';
import { wordsOf } from '../../core/text/inflection';
import { mayPage } from '../../lists/parameter-roles';
import type { Credentials } from './credentials';
import { isAccepted, type Observation } from './observation';
import { canonicalName } from './operation-bodies';
import { type OperationDraft, textSchema } from './operation-drafts';
import { isVariable, type TemplateSegment, variableValue } from './path-templates';

/** So many calls that differ say that what each of them has must be there. */
const SURE = 3;

/** Headers that clients, browsers and proxies send by themselves, or that OAS describes elsewhere. */
const BY_THEMSELVES =
  /^(?:accept.*|access-control-.*|authorization|proxy-.*|user-agent|host|connection|keep-alive|content-.*|cookie2?|origin|referer|sec-.*|dnt|upgrade.*|cache-control|pragma|te|trailer|transfer-encoding|priority|expect|via|forwarded|x-forwarded-.*|x-real-ip|x-requested-with|x-http-version|from|range|if-modified-since|if-none-match|if-range|max-forwards|purpose|save-data|device-memory|dpr|width|viewport-width|downlink|ect|rtt|alt-used|http2-settings|early-data|baggage|b3|x-b3-.*|uber-trace-id|sentry-trace|x-cloud-trace-context|x-datadog-.*|newrelic|postman-token|idempotency-replayed|:.*)$/;

/** The parameters of a path, from what accepted requests had in it. */
export function pathParameters(
  segments: readonly TemplateSegment[],
  observations: readonly Observation[],
): JsonObject[] {
  const accepted = observations.filter(isAccepted);
  const good = accepted.length > 0 ? accepted : observations;
  return segments.flatMap((segment, index) => {
    if (!isVariable(segment)) return [];
    const values = good.map((each) => variableValue(segment, each.segments[index] ?? ''));
    const schema = segment.isText ? asText(textSchema(values)) : textSchema(values);
    return [{ name: segment.name, in: 'path', required: true, schema }];
  });
}

/** What is a text in bodies is one in an address, whatever it looks like. */
function asText(schema: JsonObject): JsonObject {
  return schema['type'] === 'string' ? schema : { type: 'string' };
}

/** Query parameters and headers of an operation, in the order in which they came first. */
export function otherParameters({ good, observations }: OperationDraft, credentials: Credentials): JsonObject[] {
  return [...queryParameters(good, credentials), ...headerParameters(good, observations, credentials)];
}

function queryParameters(good: readonly Observation[], credentials: Credentials): JsonObject[] {
  const pairs = good.flatMap(({ query }) =>
    query.flatMap(({ name, value }) =>
      name === undefined || credentials.query.has(name) ? [] : [{ name, value: value ?? '' }],
    ),
  );
  const isSure = new Set(good.map(({ query }) => JSON.stringify(query))).size >= SURE;
  return groupBy(pairs, ({ name }) => name).map((group): JsonObject => {
    const [{ name }] = group;
    const schema = textSchema(group.map(({ value }) => value));
    const isAlways = good.every(({ query }) => query.some((pair) => pair.name === name));
    const isList = good.some(({ query }) => query.filter((pair) => pair.name === name).length > 1);
    return {
      name,
      in: 'query',
      ...(isSure && isAlways && !mayPage(wordsOf(name).join('')) ? { required: true } : {}),
      schema: isList ? { type: 'array', items: schema } : schema,
    };
  });
}

/** Headers that the client itself chose to send. Which of them are required nobody can tell, but for a 428. */
function headerParameters(
  good: readonly Observation[],
  all: readonly Observation[],
  credentials: Credentials,
): JsonObject[] {
  const lines = good.flatMap(({ headers }) =>
    headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1] ?? '' }] : [])),
  );
  const own = lines.filter(({ name, value }) => {
    const lower = name.toLowerCase();
    return !BY_THEMSELVES.test(lower) && !credentials.headers.has(lower) && requestIdsOf([name, value]).length === 0;
  });
  const isConditional = all.some(({ status }) => status === 428);
  return groupBy(own, ({ name }) => name.toLowerCase()).map((group): JsonObject => {
    const [{ name }] = group;
    return {
      name: canonicalName(name),
      in: 'header',
      ...(isConditional && /^if-(?:match|unmodified-since)$/i.test(name) ? { required: true } : {}),
      schema: textSchema(group.map(({ value }) => value)),
    };
  });
}
