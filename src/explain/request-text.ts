import pc from 'picocolors';
import { printable } from '../core/text/printable';
import { parseJson } from '../core/json/parse-json';
import { stringifyJsonPretty } from '../core/json/stringify-json';
import type { OtherResponse, RejectionExplanation, RequirementsExplanation } from './other-responses';
import type { ResponseExplanation, RequestExplanation } from './explain-request';
import { type InitialItemsExplanation, withLocation } from './data-origins';
import { bounded, columns, listText, reasonLines, roleText } from './api-text';

const INDENT = '  ';
const SHOWN_ROWS = 6;
const SHOWN_STATUSES = 16;
const BODY_LINES = 30;

/** Why one request gets its response, for a terminal of 80 columns. */
export function requestText(explained: RequestExplanation): string {
  const { request, operation, answer: response, overrides } = explained;
  const { status, body } = response;
  const lines = [
    pc.bold(printable(request)),
    ...section('Routed to', routeItems(explained)),
    ...section('Added for you', addedItems(explained)),
    ...section('Needed before', needsItems(operation.needs)),
    '',
    `${pc.bold('Response')}  ${status < 400 ? pc.green(String(status)) : pc.red(String(status))}`,
    ...columns(responseItems(explained), INDENT),
    ...reasons(explained),
    ...section('Parameters', parameterItems(explained)),
    ...section('Headers', headerItems(response)),
    ...section('Other statuses', operation.otherAnswers.slice(0, SHOWN_STATUSES).map(otherItem)),
    ...section(
      'To get another response',
      overrides.map((text) => [text]),
    ),
    ...(body === '' ? [] : ['', pc.bold('Body'), ...bodyLines(body)]),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, items: readonly (readonly string[])[]): string[] {
  return items.length === 0 ? [] : ['', pc.bold(title), ...columns(items, INDENT)];
}

function routeItems({ route, operation }: RequestExplanation): string[][] {
  const { basePath, template, variables, runnersUp, unknownQuery } = route;
  return [
    ['operation', withLocation(operation.operation, operation.place)],
    ['template', template],
    ...(basePath === '' ? [] : [['base path', `${basePath}, by the servers of the description`]]),
    ...variables.map(({ name, value }) => ['variable', `${name} = ${value}`]),
    ...(runnersUp.length === 0
      ? []
      : [['not', `${listText(runnersUp, 4)}: a literal beats a variable, left to right`]]),
    ...unknownQuery.map((name) => ['no effect', `${name}: the description has no such query parameter`]),
  ];
}

function addedItems({ filled }: RequestExplanation): string[][] {
  return filled.map(({ in: location, name, value, why }) => [`${location} ${name}`, `${value} (${why})`]);
}

function rejectionText(rejection: RejectionExplanation | undefined): string {
  return rejection === undefined ? 'may be left out' : `without: ${rejection.status} ${rejection.code}`;
}

function needsItems({ credentials, parameters, body, ended }: RequirementsExplanation): string[][] {
  return [
    ...(credentials === undefined
      ? [['credentials', 'none: anybody is let in']]
      : [['credentials', `${credentials.anyOf.join(', or ')}; ${rejectionText(credentials.without)}`]]),
    ...(parameters === undefined
      ? []
      : [
          [
            'parameters',
            `${parameters.required.map(({ name, in: location, place }) => withLocation(`${location} ${name}`, place)).join(', ')}; ${rejectionText(parameters.without)}`,
          ],
        ]),
    ...(body === undefined
      ? []
      : [['body', `${withLocation(listText(body.mediaTypes, 4), body.place)}; ${rejectionText(body.without)}`]]),
    ...(ended === undefined ? [] : [['ended', `${ended.status} ${ended.code}: ${ended.message}`]]),
  ];
}

function responseItems({ answer: response, operation }: RequestExplanation): string[][] {
  const { rows: items, collection, made } = response;
  const { shown, rest } = bounded(items, SHOWN_ROWS);
  return [
    ...originItems(response, withLocation(operation.source.text, operation.source.place)),
    ...shown.map(({ collection: name, key, text, places }) => [
      'row',
      withLocation(`${key === '' ? name : `${key} of ${name}`} ${text}`, placesText(places)),
    ]),
    ...(rest === 0 ? [] : [['', `and ${rest} more`]]),
    ...(collection === undefined
      ? []
      : [['rows', withLocation(collectionLine(collection), placesText(collection.places))]]),
    ...(made.length === 0 ? [] : [['made here', `${listText(made, 12)}: the request does not have them`]]),
  ];
}

function collectionLine({ collection, rows: items, text }: InitialItemsExplanation): string {
  return `${collection} ${items === 0 ? 'is' : 'has'} ${text}`;
}

/** @param usual - where the body of a success comes from */
function originItems({ from, refusal: rejection, existing }: ResponseExplanation, usual: string): string[][] {
  switch (from) {
    case 'refusal':
      return [
        ['refused', `${rejection?.code ?? ''}: ${rejection?.message ?? ''}`],
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

function keyText({ name, value }: ResponseExplanation['existing'][number]): string {
  return `${name} such as ${value}`;
}

function placesText(places: readonly string[]): string | undefined {
  return places.length < 2 ? places[0] : `${places[0] ?? ''} and ${places.length - 1} more`;
}

function reasons({ operation: { source } }: RequestExplanation): string[] {
  return source.reasons.flatMap((reason) => reasonLines(reason, INDENT));
}

function parameterItems({ operation }: RequestExplanation): string[][] {
  return operation.parameters.map(({ name, role, effect, place }) => [
    name,
    roleText(role),
    withLocation(effect, place),
  ]);
}

const GIVERS: Readonly<Record<ResponseExplanation['headers'][number]['from'], string>> = {
  standin: 'the mock',
  request: 'the request',
  description: 'the description',
};

function headerItems({ headers, missingHeaders }: ResponseExplanation): string[][] {
  return [
    ...headers.flatMap(({ name, value, from, text, place }) => [
      [name, value],
      ['', `by ${GIVERS[from]}: ${withLocation(text, place)}`],
    ]),
    ...missingHeaders.map(({ name, place }) => [
      name,
      withLocation('documented, and not sent: nothing says what it is', place),
    ]),
  ];
}

function otherItem({ status, prefer, examples, when }: OtherResponse): string[] {
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
