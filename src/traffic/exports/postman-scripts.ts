import { parsePointer } from '../../core/json/json-pointer';
import { stringifyJson } from '../../core/json/stringify-json';
import { RUN_ID } from '../../formats/contract/contract';
import type { Matcher } from '../../formats/contract/matcher';
import type { RuntimeExpression } from '../../formats/contract/runtime-expression';
import { type Condition, toConditions } from './conditions';
import type { Losses } from './export-kind';
import type { ExportedCapture, ExportedStep } from './exported-steps';
import { JAVASCRIPT } from './javascript-dialect';
import { toTemplate, variableName } from './template';

/**
 * Runs before each request: the id of the run is made once, and of what was given from outside the forms are kept in which
 * it is written into URLs, JSON and Basic credentials.
 */
export const SETUP_SCRIPT = String.raw`if (!pm.variables.get('${RUN_ID}')) {
  pm.collectionVariables.set('${RUN_ID}', Math.random().toString(36).slice(2).padEnd(8, '0').slice(0, 8));
}
for (const [name, value] of Object.entries(pm.variables.toObject())) {
  if (typeof value !== 'string' || /_(?:json|url|text|basic)$/.test(name)) continue;
  if (pm.variables.get(name + '_json') === undefined) pm.variables.set(name + '_json', JSON.stringify(value));
  if (pm.variables.get(name + '_url') === undefined) pm.variables.set(name + '_url', encodeURIComponent(value));
  if (pm.variables.get(name + '_text') === undefined) pm.variables.set(name + '_text', JSON.stringify(value).slice(1, -1));
  if (/^STANDIN_/.test(name)) {
    const credentials = value.includes(':') ? value : 'user:' + value;
    pm.variables.set(name + '_basic', CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse(credentials)));
  }
}`;

/** Skips a request that needs a value which no earlier response had. */
export function skipScript({ needs }: ExportedStep): string[] {
  const names = needs.map(variableName);
  if (names.length === 0) return [];
  const missing = names.map((name) => `pm.variables.get('${name}') === undefined`).join(' || ');
  return [`if (${missing}) pm.execution.skipRequest();`];
}

/** The tests of a response, and what is kept of it. */
export function testScript(step: ExportedStep, losses: Losses): string[] {
  const { statuses, expectedBody, expectedHeaders, captures } = step;
  const body = bodyTests(step, expectedBody, losses);
  const headers = expectedHeaders.flatMap(({ name, matcher }) => headerTests(step, name, matcher, losses));
  const kept = captures.flatMap((capture) => captureLines(step, capture, losses));
  const usesBody = [...body, ...kept].some((line) => /\bbody\b/.test(line));
  const used = new Set(
    [...[...body, ...headers].join('\n').matchAll(/values\["([^"]+)"\]/g)].map(([, name = '']) => name),
  );
  return [
    `pm.test('status ${statuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]));`,
    ...(usesBody ? PARSE : []),
    ...(used.size === 0
      ? []
      : [
          'const values = {',
          ...[...used].map(
            (name) => `  ${JSON.stringify(name)}: JSON.parse(pm.variables.get('${variableName(name)}_json')),`,
          ),
          '};',
        ]),
    ...body,
    ...headers,
    ...(kept.length === 0 ? [] : KEEP),
    ...kept,
  ];
}

const PARSE = ['let body;', 'try { body = pm.response.json(); } catch { body = undefined; }'];

const KEEP = [
  'const keep = (name, value) => {',
  "  pm.test('there is something to keep as ' + name, () => pm.expect(value).to.not.equal(undefined));",
  '  if (value === undefined) return;',
  "  const text = typeof value === 'string' ? value : JSON.stringify(value);",
  '  pm.collectionVariables.set(name, text);',
  "  pm.collectionVariables.set(name + '_json', JSON.stringify(value));",
  "  pm.collectionVariables.set(name + '_url', encodeURIComponent(text));",
  "  pm.collectionVariables.set(name + '_text', JSON.stringify(text).slice(1, -1));",
  '};',
];

function bodyTests({ name }: ExportedStep, matcher: Matcher | undefined, losses: Losses): string[] {
  if (matcher === undefined) return [];
  if (matcher.kind === 'absent') return [test('there is no body', "pm.response.text() === ''")];
  const { conditions, lost } = toConditions(matcher, 'body', JAVASCRIPT);
  for (const what of lost) losses.add(name, `expect.body ${what}`);
  return conditions.map(({ at, text }: Condition) => test(at === '' ? 'the body' : at, text));
}

function headerTests({ name: step }: ExportedStep, name: string, matcher: Matcher, losses: Losses): string[] {
  const subject = `pm.response.headers.get(${JSON.stringify(name)})`;
  const title = `the header ${name}`;
  const isThere = `pm.response.headers.has(${JSON.stringify(name)})`;
  if (matcher.kind === 'absent') return [test(title, `!${isThere}`)];
  const isOptional = matcher.kind === 'optional';
  const { conditions, lost } = toConditions(matcher, subject, JAVASCRIPT);
  for (const what of lost) losses.add(step, `expect.headers ${name} ${what}`);
  const all = conditions.length === 0 ? [{ text: 'true' }] : conditions;
  return all.map(({ text }) => test(title, isOptional ? `!${isThere} || ${text}` : `${isThere} && ${text}`));
}

function test(title: string, condition: string): string {
  return `pm.test(${JSON.stringify(title)}, () => pm.expect(${condition}, ${JSON.stringify(condition)}).to.equal(true));`;
}

function captureLines({ name: step }: ExportedStep, capture: ExportedCapture, losses: Losses): string[] {
  const { name, pattern, expression, known } = capture;
  const value = known === undefined ? fromResponse(expression) : fromRequest(stringifyJson(known));
  if (value === undefined) {
    losses.add(step, `capture.${name}`);
    return [];
  }
  const variable = JSON.stringify(variableName(name));
  if (pattern === undefined) return [`keep(${variable}, ${value});`];
  return [`keep(${variable}, new RegExp(${JSON.stringify(pattern)}, 'u').exec(${value} ?? '')?.[1]);`];
}

function fromResponse(expression: RuntimeExpression): string | undefined {
  switch (expression.kind) {
    case 'body':
      return expression.pointer === '' ? 'body' : `_.get(body, ${JSON.stringify(parsePointer(expression.pointer))})`;
    case 'header':
      return `pm.response.headers.get(${JSON.stringify(expression.name)})`;
    case 'status':
      return 'pm.response.code';
    default:
      return undefined;
  }
}

/** A part of the request: its JSON text, put together of what was kept. */
function fromRequest(json: string): string {
  const suffixes = { text: '', url: '_url', 'json-text': '_text', json: '_json', basic: '_basic' } as const;
  const parts = toTemplate(json).map((piece) =>
    typeof piece === 'string'
      ? JSON.stringify(piece)
      : `pm.variables.get('${variableName(piece.name)}${suffixes[piece.form]}')`,
  );
  return `JSON.parse(${parts.join(' + ')})`;
}
