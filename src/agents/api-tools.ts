import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { similarName } from '../core/text/similar-name';
import { explainOperation } from '../explain/explain-api';
import type { ExplainedMock } from '../explain/explained-mock';
import { explainRequest } from '../explain/explain-request';
import { requestText } from '../explain/request-text';
import type { Operation } from '../openapi/model/operation';
import { findingText } from './finding-text';
import { type AgentTool, asJson, Refused, refused, tool } from './agent-tool';
import { bodyText, callOperation } from './call-operation';

const USUAL_OPERATIONS = 60;
const MOST_OPERATIONS = 500;
const USUAL_FINDINGS = 20;
/** Schemas within schemas are shown so deep; below that stands their name. */
const DEPTH = 5;
/** The tools that look at the description and talk to the mock. */
export const API_TOOLS: readonly AgentTool[] = [
  tool({
    name: 'list_operations',
    about:
      'The operations of the API: id, method, path and summary. search finds words in any of these; describe_operation tells the rest.',
    input: {
      search: { in: 'body', type: 'string', about: 'words that the id, path, tag or summary has' },
      offset: { in: 'body', type: 'integer', about: 'so many are left out at the beginning' },
      limit: {
        in: 'body',
        type: 'integer',
        most: MOST_OPERATIONS,
        about: `so many at the most, ${USUAL_OPERATIONS} without it`,
      },
    },
    effect: 'reads',
    run({ mock }, { search = '', offset = 0, limit = USUAL_OPERATIONS }) {
      const words = search.toLowerCase().split(/\s+/);
      const found = mock().api.operations.filter(({ id, method, path, summary, tags }) => {
        const text = [id, method, path, summary, ...tags].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      });
      const shown = found.slice(offset, offset + limit);
      return {
        title: mock().api.title,
        basePath: mock().api.basePath,
        found: found.length,
        operations: shown.map(({ id, method, written, summary }) => ({ id, method, path: written, summary })),
      };
    },
  }),
  tool({
    name: 'describe_operation',
    about:
      'One operation as the description has it (parameters, body, responses, with their schemas), and how the mock answers it and why.',
    input: {
      operation: { in: 'body', type: 'name', about: 'its id, or GET /path', required: true, example: '"getBook"' },
    },
    effect: 'reads',
    async run({ mock }, { operation: name }) {
      const parts = mock();
      const operation = operationNamed(parts, name);
      if (operation instanceof Refused) return operation;
      const plan = parts.mock.context.plans.get(operation);
      const { source, needs } = await explainOperation(parts, plan);
      return asJson({
        id: operation.id,
        method: operation.method,
        path: operation.written,
        summary: operation.summary,
        description: operation.description.slice(0, 2000),
        ...documented(parts, operation),
        mock: { from: source, needs: needs.credentials?.anyOf ?? [] },
      });
    },
  }),
  tool({
    name: 'explain_request',
    about:
      'Why the mock would answer a request as it does, without sending it: what is checked, where the response comes from, how to get another one. What is lacking of a good request is filled in and told.',
    input: {
      method: { in: 'body', type: 'name', about: 'its method', required: true },
      target: { in: 'body', type: 'name', about: 'path and query, such as /books/7?full=true', required: true },
      body: { in: 'body', type: 'json', about: 'its body, as JSON' },
    },
    effect: 'reads',
    async run({ mock }, { method, target, body }) {
      const text = body === undefined ? undefined : bodyText(body);
      return stripVTControlCharacters(requestText(await explainRequest(mock(), method.toUpperCase(), target, text)));
    },
  }),
  tool({
    name: 'call_operation',
    about:
      'Sends a request to the mock and shows the response. A key is added unless withKey is false. GET and HEAD alone, unless the server may write. After a surprise ask explain_response with the seq of the result.',
    input: {
      method: { in: 'body', type: 'name', about: 'its method', required: true },
      target: {
        in: 'body',
        type: 'name',
        about: 'path and query, percent-encoded, such as /books?limit=5',
        required: true,
      },
      headers: { in: 'body', type: 'object', about: 'further headers, by name' },
      body: { in: 'body', type: 'json', about: 'its body: JSON; a text is sent as it is' },
      withKey: { in: 'body', type: 'boolean', about: 'is a key that the mock accepts added? true without it' },
    },
    effect: 'reads',
    run: (host, { method, target, headers = {}, body, withKey = true }, sandbox) =>
      callOperation(host, { method: method.toUpperCase(), target, headers, body, withKey }, sandbox),
  }),
  tool({
    name: 'check_description',
    about:
      'What is wrong with the description, each finding with its place, what was expected, and how to correct it; errors first.',
    input: {
      offset: { in: 'body', type: 'integer', about: 'so many are left out at the beginning' },
      limit: { in: 'body', type: 'integer', most: 200, about: `so many at the most, ${USUAL_FINDINGS} without it` },
    },
    effect: 'reads',
    async run({ library }, { offset = 0, limit = USUAL_FINDINGS }) {
      const all = await library.check();
      const ordered = all.toSorted(
        (one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'),
      );
      const errors = all.filter(({ severity }) => severity === 'error').length;
      return {
        errors,
        warnings: all.length - errors,
        findings: ordered.slice(offset, offset + limit).map(findingText),
      };
    },
  }),
];

function operationNamed({ api }: ExplainedMock, name: string): Operation | Refused {
  const found =
    api.operationById(name) ??
    api.operations.find(({ method, written, path }) => [`${method} ${written}`, `${method} ${path}`].includes(name));
  if (found !== undefined) return found;
  const near = similarName(
    name,
    api.operations.flatMap(({ id, method, written }) => [id, `${method} ${written}`]),
  );
  const hint = near === undefined ? 'list_operations finds them by words' : `did you mean "${near}"?`;
  return refused('resource_not_found', `The description has no operation "${name.slice(0, 80)}"; ${hint}`);
}

function documented({ api }: ExplainedMock, { parameters, requestBody, responses }: Operation): object {
  const short = (value: JsonValue | undefined): JsonValue => shortSchema(api.document.root, value ?? {}, DEPTH);
  return {
    parameters: parameters.map(({ name, in: place, required, schema, description }) => {
      return {
        name,
        in: place,
        required,
        description: description?.slice(0, 300),
        schema: short(schema?.value),
      };
    }),
    body: requestBody && {
      required: requestBody.required,
      content: requestBody.content.map(({ mediaType, schema }) => ({
        mediaType,
        schema: short(schema?.value as JsonValue),
      })),
    },
    responses: [...responses.values()].map(({ status, description, content }) => ({
      status,
      description: description.slice(0, 200),
      content: content.map(({ mediaType, schema, examples }) => ({
        mediaType,
        schema: short(schema?.value as JsonValue),
        examples: examples.flatMap(({ name }) => name ?? []),
      })),
    })),
  };
}

const PROSE = new Set(['description', 'example', 'examples', 'externalDocs', 'xml']);

/** A schema with what it refers to in its place, as deep as an agent can use. */
function shortSchema(root: JsonValue, value: JsonValue, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((each) => shortSchema(root, each, depth));
  if (!isJsonObject(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    const named = reference.split('/').at(-1) ?? reference;
    const target = depth === 0 ? undefined : pointed(root, reference);
    return target === undefined
      ? { $ref: reference }
      : { 'x-name': named, ...(shortSchema(root, target, depth - 1) as JsonObject) };
  }
  if (depth === 0) return { '…': 'deeper than is shown' };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      PROSE.has(name) && !isJsonObject(each)
        ? []
        : [[name, shortSchema(root, each, name === 'properties' ? depth : depth - (isJsonObject(each) ? 1 : 0))]],
    ),
  );
}

function pointed(root: JsonValue, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return isJsonObject(at) ? at : undefined;
}
