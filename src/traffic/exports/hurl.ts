import { isJsonMediaType } from '../../core/http/media-type';
import { printable } from '../../core/text/printable';
import { RUN_ID } from '../../formats/contract/contract';
import { type ExportKind, Losses } from './export-kind';
import { type ExportedContract, exportSteps, type ExportedStep, mediaTypeOf } from './exported-steps';
import { bodyAsserts, captureLines, headerAsserts } from './hurl-asserts';
import { CaptureTypes } from './capture-types';
import { renderTemplate, type Template, type Use, usesOf, variableName } from './template';

/** Entries for Hurl, one after the other: setup, steps, cleanup. */
export const kind: ExportKind = {
  extension: 'hurl',
  needsRun: false,
  isExecutable: false,
  write(contract, api, context) {
    const losses = new Losses();
    const exported = exportSteps(contract, api, context, losses);
    const types = new CaptureTypes(api, exported.steps);
    const encoded = namesInUrls(exported);
    const entries = exported.steps.map((step) => entryOf(step, types, encoded, losses));
    const { all } = losses;
    const variables = variablesOf(exported);
    const given = variables.map((name) => ` --variable ${name}=…`).join('');
    const notes = [
      contract.name,
      `Made by standin export of ${contract.document.file}.`,
      `hurl --test --continue-on-error --variable BASE_URL=${context.baseUrl}${given} FILE`,
      ...(exported.usesRunId ? [`${RUN_ID}: eight letters or digits that differ in each run.`] : []),
      '--continue-on-error: a failed entry must not keep those behind it, the cleanup last, from being sent.',
      ...(all.length === 0 ? [] : ['Not in it:']),
      ...all.map(({ step, what }) => `  ${step === undefined ? '' : `${step}: `}${what}`),
    ];
    const head = notes.map((line) => `# ${printable(line)}`).join('\n');
    return { text: `${[head, ...entries].join('\n\n')}\n`, lost: all };
  },
};

function variablesOf({ given, usesRunId, steps }: ExportedContract): string[] {
  const forms = new Map<string, Set<string>>();
  for (const { name, form } of steps.flatMap(usesOfStep)) {
    forms.set(name, (forms.get(name) ?? new Set()).add(form));
  }
  return [
    ...given.flatMap((name) => {
      const own = variableName(name);
      const used = forms.get(name) ?? new Set(['text']);
      const plain = [...used].some((form) => form !== 'basic' && form !== 'url') ? [own] : [];
      return [...plain, ...(used.has('basic') ? [`${own}_basic`] : []), ...(used.has('url') ? [`${own}_url`] : [])];
    }),
    ...(usesRunId ? [RUN_ID] : []),
  ];
}

function usesOfStep({ target, headers, body = [] }: ExportedStep): Use[] {
  return usesOf([target, body, ...headers.map(({ value }) => value)]);
}

/** Captured values that stand in URLs: of those that are texts a second variable has the percent-encoded form. */
function namesInUrls({ steps }: ExportedContract): ReadonlySet<string> {
  return new Set(steps.flatMap(usesOfStep).flatMap(({ name, form }) => (form === 'url' ? [name] : [])));
}

function entryOf(step: ExportedStep, types: CaptureTypes, encoded: ReadonlySet<string>, losses: Losses): string {
  const { method, target, headers, body, omitted, statuses, name } = step;
  const use = (each: Use): string => reference(each, types);
  if (omitted !== undefined) losses.add(name, `the body: ${omitted}`);
  if (body !== undefined && mediaTypeOf(step) === undefined)
    losses.add(name, 'the body is sent with the Content-Type of curl, application/x-www-form-urlencoded or none');
  const [status, ...others] = statuses;
  const asserts = [
    ...(others.length === 0 ? [] : [`status toString matches /^(${statuses.join('|')})$/`]),
    ...bodyAsserts(step, types, losses),
    ...headerAsserts(step, types, losses),
  ];
  const captures = captureLines(step, types, encoded, losses);
  return [
    `# ${printable(name)}`,
    `${method} {{BASE_URL}}${renderTemplate(target, use, lineText)}`,
    ...headers.map((header) => `${header.name}: ${renderTemplate(header.value, use, lineText)}`.trimEnd()),
    ...(body === undefined ? [] : [bodyText(step, body, use)]),
    `HTTP ${others.length === 0 ? String(status ?? '*') : '*'}`,
    ...(captures.length === 0 ? [] : ['[Captures]', ...captures]),
    ...(asserts.length === 0 ? [] : ['[Asserts]', ...asserts]),
  ].join('\n');
}

/** JSON stands as it is; other text between backquotes, so that no line feed is added. */
function bodyText(step: ExportedStep, body: Template, use: (use: Use) => string): string {
  const isJson = step.step.body?.kind === 'json' && isJsonMediaType(mediaTypeOf(step) ?? '');
  if (isJson) return renderTemplate(body, use, (text) => text.replaceAll('{{', '{\\u007b'));
  return `\`${renderTemplate(body, use, (text) => lineText(text).replaceAll('`', '\\`'))}\``;
}

/** A text in a line of its own: what would begin a comment, a template or an escape is escaped. */
function lineText(text: string): string {
  return text
    .replace(/[\\#]/g, '\\$&')
    .replace(/\p{Cc}/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)
    .replaceAll('{{', '{\\u{7b}');
}

/** A value that is captured may be a number, which is written without quotes. */
function reference({ name, form }: Use, types: CaptureTypes): string {
  const variable = variableName(name);
  const isText = types.isText(name);
  if (form === 'json') return isText ? `"{{${variable}}}"` : `{{${variable}}}`;
  if (form === 'basic') return `{{${variable}_basic}}`;
  return form === 'url' && isText && name !== RUN_ID ? `{{${variable}_url}}` : `{{${variable}}}`;
}
