import { isJsonMediaType } from '../../core/http/media-type';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import type { Phase } from '../../formats/contract/contract';
import { type ExportKind, Losses } from './export-kind';
import { API_KEY, type ExportedContract, exportSteps, type ExportedStep, mediaTypeOf } from './exported-steps';
import { SETUP_SCRIPT, skipScript, testScript } from './postman-scripts';
import { renderTemplate, type Template, type Use, variableName } from './template';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const FOLDERS: Readonly<Record<Phase, string>> = { setup: 'Setup', steps: 'Steps', cleanup: 'Cleanup' };

/** A collection with a folder for each phase, and a test for each part of what is expected (Postman Collection Format 2.1). */
export const kind: ExportKind = {
  extension: 'postman_collection.json',
  needsRun: false,
  isExecutable: false,
  write(contract, api, context) {
    const losses = new Losses();
    const exported = exportSteps(contract, api, context, losses);
    const folders = (['setup', 'steps', 'cleanup'] as const).map((phase) => ({
      name: FOLDERS[phase],
      item: exported.steps.filter((step) => step.phase === phase).map((step) => itemOf(step, losses)),
    }));
    const { all } = losses;
    const notes = all.map(({ step, what }) => `- ${step === undefined ? '' : `${step}: `}${what}`);
    const collection = {
      info: {
        name: contract.name,
        description: [
          `Made by standin export of ${contract.document.file}. Give the values of the variables that are empty.`,
          ...(notes.length === 0 ? [] : ['', 'Not in it:', '', ...notes]),
        ].join('\n'),
        schema: SCHEMA,
      },
      item: folders.filter(({ item }) => item.length > 0),
      event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: SETUP_SCRIPT.split('\n') } }],
      variable: variablesOf(exported, context.baseUrl),
    };
    return { text: `${stringifyJsonPretty(collection)}\n`, lost: all };
  },
};

function variablesOf({ given }: ExportedContract, baseUrl: string): JsonValue[] {
  const names = [...new Set([...given.map(variableName)])];
  return [
    { key: 'BASE_URL', value: baseUrl, type: 'string' },
    ...names.map((key) => ({ key, value: '', type: 'string' })),
  ];
}

/** Variables that scripts keep beside the text of a value, for the places where that is not what is written. */
const SUFFIXES = { text: '', url: '_url', 'json-text': '_text', json: '_json', basic: '_basic' } as const;

function write(template: Template, plain?: (text: string) => string): string {
  return renderTemplate(template, ({ name, form }: Use) => `{{${variableName(name)}${SUFFIXES[form]}}}`, plain);
}

/** What the application would put the value of a variable in the place of; it has no way to write it otherwise. */
const IN_BRACES = /\{\{[^{}]+\}\}/;

function holdsBraces(template: Template): boolean {
  return template.some((piece) => typeof piece === 'string' && IN_BRACES.test(piece));
}

/** In JSON two braces stand in strings alone, which have escapes (RFC 8259 §7). */
function escapedBraces(json: string): string {
  return json.replace(/\{(?=\{)/g, '\\u007b');
}

function itemOf(step: ExportedStep, losses: Losses): JsonObject {
  const skip = skipScript(step);
  return {
    name: step.name,
    event: [
      ...(skip.length === 0 ? [] : [{ listen: 'prerequest', script: { type: 'text/javascript', exec: skip } }]),
      { listen: 'test', script: { type: 'text/javascript', exec: testScript(step, losses) } },
    ],
    // What is sent is what the contract says: nothing is added, and no redirect followed.
    protocolProfileBehavior: { followRedirects: false, disabledSystemHeaders: withoutSystemHeaders(step) },
    request: requestOf(step, losses),
    response: [],
  };
}

/** Those that would be added where the contract has none. */
function withoutSystemHeaders(step: ExportedStep): JsonObject {
  return {
    ...(step.body !== undefined && mediaTypeOf(step) === undefined ? { 'content-type': true } : {}),
    ...(step.headers.some(({ name }) => name.toLowerCase() === 'accept') ? {} : { accept: true }),
  };
}

function requestOf(step: ExportedStep, losses: Losses): JsonObject {
  const { method, target, headers, body, omitted, name } = step;
  const isBearer = (header: ExportedStep['headers'][number]): boolean =>
    header.name.toLowerCase() === 'authorization' && write(header.value) === `Bearer {{${API_KEY}}}`;
  const usesAuth = headers.filter(({ name: each }) => each.toLowerCase() === 'authorization').length === 1;
  const bearer = usesAuth ? headers.find(isBearer) : undefined;
  if (omitted !== undefined) losses.add(name, `the body: ${omitted}`);
  const lines = headers.filter((header) => header !== bearer);
  const isJson = isJsonMediaType(mediaTypeOf(step) ?? '');
  const others = [target, ...lines.map(({ value }) => value), ...(body === undefined || isJson ? [] : [body])];
  if (others.some(holdsBraces))
    losses.add(name, 'a text in {{two braces}}, in whose place the value of a variable would be sent');
  return {
    method,
    auth:
      bearer === undefined
        ? { type: 'noauth' }
        : { type: 'bearer', bearer: [{ key: 'token', value: `{{${API_KEY}}}`, type: 'string' }] },
    header: lines.map((header) => ({ key: header.name, value: write(header.value) })),
    url: urlOf(target),
    ...(body === undefined ? {} : { body: { mode: 'raw', raw: write(body, isJson ? escapedBraces : undefined) } }),
  };
}

/** In parts, so that nothing that is percent-encoded is encoded once more. */
function urlOf(target: Template): JsonObject {
  const text = write(target);
  const [path = '', query] = text.split(/\?(.*)/s, 2);
  const pairs = query === undefined ? [] : query.split('&').map((pair) => pair.split(/=(.*)/s, 2));
  return {
    raw: `{{BASE_URL}}${text}`,
    host: ['{{BASE_URL}}'],
    path: path.replace(/^\//, '').split('/'),
    ...(pairs.length === 0 ? {} : { query: pairs.map(([key = '', value]) => ({ key, value: value ?? null })) }),
  };
}
