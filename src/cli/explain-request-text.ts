import pc from 'picocolors';
import { printable } from '../errors/printable';
import { parseJson } from '../json/parse-json';
import { stringifyJsonPretty } from '../json/stringify-json';
import type { OtherAnswer } from './explain-answers';
import type { NeedsExplanation, RefusalExplanation } from './explain-needs';
import type { AnswerExplanation, RequestExplanation } from './explain-request';
import type { BeginningExplanation } from './explain-rows';
import { reasonLines, roleText } from './explain-text';
import { placed } from './reason';
import { bounded, columns, listText } from './text-columns';

const INDENT = '  ';
const SHOWN_ROWS = 6;
const SHOWN_STATUSES = 16;
const BODY_LINES = 30;

/** Why one request gets its answer, for a terminal of 80 columns. */
export function requestText(explained: RequestExplanation): string {
  const { request, operation, answer, overrides } = explained;
  const { status, body } = answer;
  const lines = [
    pc.bold(printable(request)),
    ...section('Routed to', routeRows(explained)),
    ...section('Put in, because it was lacking', filledRows(explained)),
    ...section('Needed before', needsRows(operation.needs)),
    '',
    `${pc.bold('Answer')}  ${status < 400 ? pc.green(String(status)) : pc.red(String(status))}`,
    ...columns(answerRows(explained), INDENT),
    ...reasons(explained),
    ...section('Parameters', parameterRows(explained)),
    ...section('Headers', headerRows(answer)),
    ...section('Other statuses', operation.otherAnswers.slice(0, SHOWN_STATUSES).map(otherRow)),
    ...section(
      'To get another answer',
      overrides.map((text) => [text]),
    ),
    ...(body === '' ? [] : ['', pc.bold('Body'), ...bodyLines(body)]),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', pc.bold(title), ...columns(rows, INDENT)];
}

function routeRows({ route, operation }: RequestExplanation): string[][] {
  const { basePath, template, variables, runnersUp, unknownQuery } = route;
  return [
    ['operation', placed(operation.operation, operation.place)],
    ['template', template],
    ...(basePath === '' ? [] : [['base path', `${basePath}, by the servers of the description`]]),
    ...variables.map(({ name, value }) => ['variable', `${name} = ${value}`]),
    ...(runnersUp.length === 0
      ? []
      : [['not', `${listText(runnersUp, 4)}: a literal beats a variable, left to right`]]),
    ...unknownQuery.map((name) => ['no effect', `${name}: the description has no such query parameter`]),
  ];
}

function filledRows({ filled }: RequestExplanation): string[][] {
  return filled.map(({ in: location, name, value, why }) => [`${location} ${name}`, `${value} (${why})`]);
}

function refusalText(refusal: RefusalExplanation | undefined): string {
  return refusal === undefined ? 'may be left out' : `without: ${refusal.status} ${refusal.code}`;
}

function needsRows({ credentials, parameters, body, ended }: NeedsExplanation): string[][] {
  return [
    ...(credentials === undefined
      ? [['credentials', 'none: anybody is let in']]
      : [['credentials', `${credentials.anyOf.join(', or ')}; ${refusalText(credentials.without)}`]]),
    ...(parameters === undefined
      ? []
      : [
          [
            'parameters',
            `${parameters.required.map(({ name, in: location, place }) => placed(`${location} ${name}`, place)).join(', ')}; ${refusalText(parameters.without)}`,
          ],
        ]),
    ...(body === undefined
      ? []
      : [['body', `${placed(listText(body.mediaTypes, 4), body.place)}; ${refusalText(body.without)}`]]),
    ...(ended === undefined ? [] : [['ended', `${ended.status} ${ended.code}: ${ended.message}`]]),
  ];
}

function answerRows({ answer, operation }: RequestExplanation): string[][] {
  const { rows, collection, made } = answer;
  const { shown, rest } = bounded(rows, SHOWN_ROWS);
  return [
    ...originRows(answer, placed(operation.source.text, operation.source.place)),
    ...shown.map(({ collection: name, key, text, places }) => [
      'row',
      placed(`${key === '' ? name : `${key} of ${name}`} ${text}`, placesText(places)),
    ]),
    ...(rest === 0 ? [] : [['', `and ${rest} more`]]),
    ...(collection === undefined ? [] : [['rows', placed(beginningLine(collection), placesText(collection.places))]]),
    ...(made.length === 0 ? [] : [['made here', `${listText(made, 12)}: the request does not have them`]]),
  ];
}

function beginningLine({ collection, rows, text }: BeginningExplanation): string {
  return `${collection} ${rows === 0 ? 'is' : 'has'} ${text}`;
}

/** @param usual - where the body of a success comes from */
function originRows({ from, refusal, existing }: AnswerExplanation, usual: string): string[][] {
  switch (from) {
    case 'refusal':
      return [
        ['refused', `${refusal?.code ?? ''}: ${refusal?.message ?? ''}`],
        ...(existing.length === 0 ? [] : [['instead', `use an existing ${existing.map(keyText).join(' and ')}`]]),
        ['else', usual],
      ];
    case 'preference':
      return [
        ['asked for', 'by the request itself'],
        ['else', usual],
      ];
    case 'state':
      return [['from', `state: ${usual}`]];
    default:
      return [['from', usual]];
  }
}

function keyText({ name, value }: AnswerExplanation['existing'][number]): string {
  return `${name} such as ${value}`;
}

function placesText(places: readonly string[]): string | undefined {
  return places.length < 2 ? places[0] : `${places[0] ?? ''} and ${places.length - 1} more`;
}

function reasons({ operation: { source } }: RequestExplanation): string[] {
  return source.reasons.flatMap((reason) => reasonLines(reason, INDENT));
}

function parameterRows({ operation }: RequestExplanation): string[][] {
  return operation.parameters.map(({ name, role, effect, place }) => [name, roleText(role), placed(effect, place)]);
}

const GIVERS: Readonly<Record<AnswerExplanation['headers'][number]['from'], string>> = {
  standin: 'the mock',
  request: 'the request',
  description: 'the description',
};

function headerRows({ headers, missingHeaders }: AnswerExplanation): string[][] {
  return [
    ...headers.flatMap(({ name, value, from, text, place }) => [
      [name, value],
      ['', `by ${GIVERS[from]}: ${placed(text, place)}`],
    ]),
    ...missingHeaders.map(({ name, place }) => [
      name,
      placed('documented, and not sent: nothing says what it is', place),
    ]),
  ];
}

function otherRow({ status, prefer, examples, when }: OtherAnswer): string[] {
  const shown = examples.length === 0 ? '' : `, or with example=${listText(examples, 4)}`;
  const ways = [...when, ...(prefer === undefined ? [] : [`${prefer}${shown}`])];
  return [status, ways.join('; ')];
}

/** Indented where it is JSON; what is long is cut between lines, with a count. */
function bodyLines(body: string): string[] {
  const lines = layOut(body).split('\n');
  const { shown, rest } = bounded(lines, BODY_LINES);
  return [...shown.map(printable), ...(rest === 0 ? [] : [pc.dim(`and ${rest} more lines (--json has them)`)])];
}

function layOut(body: string): string {
  try {
    return stringifyJsonPretty(parseJson(body));
  } catch {
    return body;
  }
}
