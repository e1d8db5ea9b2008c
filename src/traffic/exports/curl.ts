import { parsePointer } from '../../core/json/json-pointer';
import { stringifyJson } from '../../core/json/stringify-json';
import type { JsonValue } from '../../core/json/json-value';
import { printable } from '../../core/text/printable';
import { placeholdersOf, RUN_ID } from '../../formats/contract/contract';
import { placeholdersOfMatcher } from '../../formats/contract/matcher';
import type { RuntimeExpression } from '../../formats/contract/runtime-expression';
import { curlCommand } from '../../report/text/shell-commands';
import { type Condition, toConditions } from './conditions';
import { FUNCTIONS } from './curl-functions';
import { type ExportKind, Losses } from './export-kind';
import { API_KEY, type ExportedCapture, type ExportedContract, exportSteps, type ExportedStep } from './exported-steps';
import { JQ } from './jq-dialect';
import { shellName } from './shell-names';
import { renderTemplate, type Template, toTemplate, type Use } from './template';

/** A script for bash that sends the steps by curl and looks at the responses by jq. */
export const kind: ExportKind = {
  extension: 'sh',
  needsRun: false,
  isExecutable: true,
  write(contract, api, context) {
    const losses = new Losses();
    const exported = exportSteps(contract, api, context, losses);
    const [setup, steps, cleanup] = (['setup', 'steps', 'cleanup'] as const).map((phase) =>
      exported.steps.filter((step) => step.phase === phase).map((step) => block(step, losses)),
    );
    const { all } = losses;
    const lines = [
      '#!/usr/bin/env bash',
      comment(contract.name),
      comment(`Made by standin export of ${contract.document.file}. It needs bash, curl and jq.`),
      comment('Exit code: 0 when every response was as expected, 1 when one was not.'),
      ...(all.length === 0 ? [] : [comment('Not in it:')]),
      ...all.map(({ step, what }) => comment(`  ${step === undefined ? '' : `${step}: `}${what}`)),
      'set -euo pipefail',
      '',
      ...declarations(exported, context.baseUrl),
      '',
      FUNCTIONS,
      ...derivations(exported),
      '',
      '# What was made is removed however the script ends: the last step first.',
      'cleanup() {',
      ...(cleanup?.length === 0 ? ['  :'] : indent(cleanup?.flat() ?? [])),
      '}',
      'trap finish EXIT',
      ...(setup?.length === 0
        ? []
        : ['', '# Setup: without it no step is tried.', ...(setup?.flat() ?? []), 'stop_without_setup']),
      ...(steps ?? []).flatMap((each) => ['', ...each]),
    ];
    return { text: `${lines.join('\n')}\n`, lost: all };
  },
};

function comment(text: string): string {
  return `# ${printable(text)}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

/** What is given from outside, with the usual values. */
function declarations({ given, usesRunId }: ExportedContract, baseUrl: string): string[] {
  const asked = given.map((name) => {
    const what = name === API_KEY ? 'the key of the service' : 'a value that the contract needs';
    return `: "\${${shellName(name)}:?${what}}"`;
  });
  const runId = `: "\${${RUN_ID}:=$(printf '%04x%04x' "$RANDOM" "$RANDOM")}"`;
  return [baseUrlLine(baseUrl), ...asked, ...(usesRunId ? [runId] : [])];
}

/** A description may write into the address of its server what a shell would run. */
function baseUrlLine(baseUrl: string): string {
  if (/^[\w.~:/%-]*$/.test(baseUrl)) return `: "\${BASE_URL:=${baseUrl}}"`;
  return `BASE_URL=\${BASE_URL:-${word(baseUrl)}}`;
}

/** The same values in the other forms in which they are used. */
function derivations({ given, usesRunId, steps }: ExportedContract): string[] {
  const uses = steps.flatMap(usesOfStep);
  const compared = new Set(steps.flatMap(({ step }) => placeholdersOf(step).map(({ name }) => name)));
  return [...(usesRunId ? [RUN_ID] : []), ...given].flatMap((name) => {
    const variable = shellName(name);
    const json = `${variable}_json=$(jq -n --arg value "$${variable}" '$value')`;
    return [...(compared.has(name) ? [json] : []), ...derived(name, uses)];
  });
}

/** Where a value is needed in a form that is not its text, a variable holds it in that form. */
function derived(name: string, uses: readonly Use[]): string[] {
  const forms = new Set(uses.filter((use) => use.name === name).map(({ form }) => form));
  const variable = shellName(name);
  return [
    ...(forms.has('url') ? [`${variable}_url=$(in_url "$${variable}")`] : []),
    ...(forms.has('json-text') ? [`${variable}_text=$(in_json "$${variable}")`] : []),
    ...(forms.has('basic') ? [`${variable}_basic=$(in_basic "$${variable}")`] : []),
  ];
}

const SUFFIXES = { text: '', url: '_url', 'json-text': '_text', json: '_json', basic: '_basic' } as const;

function variableOf({ name, form }: Use): string {
  return `${shellName(name)}${SUFFIXES[form]}`;
}

function usesOfStep({ target, headers, body = [], captures }: ExportedStep): Use[] {
  const known = captures.flatMap(({ known: value }) => (value === undefined ? [] : [toTemplate(stringifyJson(value))]));
  return [target, body, ...headers.map(({ value }) => value), ...known].flatMap((template) =>
    template.filter((piece) => typeof piece !== 'string'),
  );
}

function block(step: ExportedStep, losses: Losses): string[] {
  const lines = [
    ...send(step, losses),
    `expect_status ${step.statuses.join(' ')}`,
    ...bodyChecks(step, losses),
    ...headerChecks(step, losses),
    ...step.captures.flatMap((capture) => captureLines(capture, losses, step)),
  ];
  const title = `step ${word(step.name)}`;
  const needs = step.needs.map(shellName);
  return needs.length === 0 ? [title, ...lines] : [title, `if has ${needs.join(' ')}; then`, ...indent(lines), 'fi'];
}

function send(step: ExportedStep, losses: Losses): string[] {
  const { method, target, headers, body, omitted, name } = step;
  if (omitted !== undefined) losses.add(name, `the body (${omitted}): write it into the file "body" first`);
  const write = (template: Template): string =>
    renderTemplate(
      template,
      (use) => `\${${variableOf(use)}}`,
      (text) => text.replaceAll('$', () => LITERAL_DOLLAR),
    );
  const isOfLines = body?.some((piece) => typeof piece === 'string' && CONTROL.test(piece)) === true;
  const request = {
    method,
    url: `\${BASE_URL}${write(target)}`,
    headers: headers.flatMap((header) => [header.name, write(header.value)]),
    body: body === undefined ? undefined : isOfLines ? `\${${BODY}}` : write(body),
    ...(omitted === undefined ? {} : { omitted }),
  };
  const variables = [...new Set(['BASE_URL', BODY, ...usesOfStep(step).map(variableOf)])];
  const options = `-sS -D "$folder/head" -o "$folder/body" -w '%{http_code}'`;
  const command = curlCommand(request, variables, options).replaceAll(LITERAL_DOLLAR, () => '$');
  return [
    ...(isOfLines ? [`${BODY}=${words(body)}`] : []),
    `status=$(${command}${omitted === undefined ? '' : '\n'}) || status='none, curl failed'`,
  ];
}

/** Stands for a dollar sign of a text until the command is written: `$BASE_URL` in a text is no variable. */
const LITERAL_DOLLAR = '\u{10fffd}';

/** A body of several lines stands in a variable of its own: a command is one line. */
const BODY = 'body_text';
const CONTROL = /\p{Cc}/u;

function bodyChecks({ expectedBody, name }: ExportedStep, losses: Losses): string[] {
  if (expectedBody === undefined) return [];
  if (expectedBody.kind === 'absent') return ['expect_no_body'];
  const { conditions, lost } = toConditions(expectedBody, '.', JQ);
  for (const what of lost) losses.add(name, `expect.body ${what}`);
  return conditions.map((condition) => `expect_body ${checkWords(condition, placeholdersOfMatcher(expectedBody))}`);
}

function checkWords({ at, text }: Condition, placeholders: readonly { readonly name: string }[]): string {
  const names = [...new Set(placeholders.map(({ name }) => shellName(name)))].filter((name) =>
    new RegExp(`\\$${name}\\b`).test(text),
  );
  const values = names.map((name) => ` --argjson ${name} "$${name}_json"`);
  return `${word(at === '' ? 'the body' : at)} ${word(text)}${values.join('')}`;
}

function headerChecks({ expectedHeaders, name }: ExportedStep, losses: Losses): string[] {
  return expectedHeaders.flatMap(({ name: header, matcher }) => {
    if (matcher.kind === 'absent') return [`expect_no_header ${word(header)}`];
    const { conditions, lost } = toConditions(matcher, '.', JQ);
    for (const what of lost) losses.add(name, `expect.headers ${header} ${what}`);
    const optional = matcher.kind === 'optional' ? 'expect_header_if_there' : 'expect_header';
    const placeholders = placeholdersOfMatcher(matcher);
    const all = conditions.length === 0 ? [{ at: header, text: 'true' }] : conditions;
    return all.map((condition) => `${optional} ${checkWords({ ...condition, at: header }, placeholders)}`);
  });
}

function captureLines(
  { name, pattern, expression, known }: ExportedCapture,
  losses: Losses,
  step: ExportedStep,
): string[] {
  const value = known === undefined ? fromResponse(expression) : fromRequest(known);
  if (value === undefined) {
    losses.add(step.name, `capture.${name}`);
    return [];
  }
  return [`keep ${shellName(name)} "$(${value})"${pattern === undefined ? '' : ` ${word(pattern)}`}`];
}

function fromResponse(expression: RuntimeExpression): string | undefined {
  if (expression.kind === 'header') return `header_json ${word(expression.name)}`;
  if (expression.kind === 'status') return 'jq -n "$status"';
  return expression.kind === 'body' ? `jq -c ${word(pathFilter(expression.pointer))} "$folder/body"` : undefined;
}

function pathFilter(pointer: string): string {
  const path = parsePointer(pointer).map((token) => (/^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : token));
  return `getpath(${JSON.stringify(path)}) | values`;
}

/** A part of the request as JSON. */
function fromRequest(known: JsonValue): string {
  return `printf %s ${words(toTemplate(stringifyJson(known)))}`;
}

function words(template: Template): string {
  return template.map((piece) => (typeof piece === 'string' ? quoted(piece) : `"$${variableOf(piece)}"`)).join('');
}

/** One word of a shell in which nothing is expanded, for one line. */
function word(text: string): string {
  return quoted(printable(text));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
