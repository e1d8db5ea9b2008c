import pc from 'picocolors';
import { groupBy } from '../core/text/group-by';
import { counted, printable } from '../core/text/printable';
import { type Reason, withLocation } from './data-origins';
import type { EventExplanation, Explanation, OperationExplanation, ResourceExplanation } from './explain-api';
import { type SignInExplanation, signInSentences } from './sign-in';

/** Columns of a terminal that are written to. */
const WIDTH = 80;
/** A column before the last is not wider: what does not fit pushes its line to the right, or the rest to the next one. */
const WIDEST = 34;

/** Breaks a text into lines of {@link WIDTH} at its spaces; those after the first are indented further. */
function wrap(text: string, indent: string, further: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(' ')) {
    const limit = WIDTH - indent.length - (lines.length === 0 ? 0 : further);
    if (line !== '' && line.length + 1 + word.length > limit) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each, index) => `${indent}${index === 0 ? '' : ' '.repeat(further)}${each}`);
}

/** Rows as aligned columns; the last column is broken into lines below itself. */
export function columns(items: readonly (readonly string[])[], indent: string): string[] {
  const last = Math.max(0, ...items.map((item) => item.length)) - 1;
  const widths = Array.from({ length: Math.max(0, last) }, (_, column) =>
    Math.min(WIDEST, Math.max(0, ...items.map((row) => printable(row[column] ?? '').length))),
  );
  return items.flatMap((row) => {
    let head = indent;
    for (const [column, width] of widths.entries()) head += `${printable(row[column] ?? '').padEnd(width)}  `;
    const at = indent.length + widths.reduce((sum, width) => sum + width + 2, 0);
    const text = row[last] ?? '';
    if (text === '') return [head.trimEnd()];
    const [first = '', ...others] = wrap(text, ' '.repeat(at), 0);
    // A cell that is too wide has its line for itself.
    if (head.length > at) return [head.trimEnd(), first, ...others];
    return [`${head}${first.trimStart()}`, ...others];
  });
}

/** The first of many, and how many there are beside them. */
export function bounded<Item>(
  items: readonly Item[],
  most: number,
): { readonly shown: readonly Item[]; readonly rest: number } {
  // One more is shown rather than counted.
  const shown = items.length <= most + 1 ? items : items.slice(0, most);
  return { shown, rest: items.length - shown.length };
}

/** `a, b, c and 4 more`. */
export function listText(items: readonly string[], most: number): string {
  const { shown, rest } = bounded(items, most);
  return `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

/** Reasons that are shown of one resource; `--json` has them all. */
const SHOWN_REASONS = 9;
/** With more operations than this there is an overview in place of every one. */
const MOST_WHOLE = 60;

/**
 * The report of `standin explain`, for a terminal of 80 columns: everything where that is little, else an overview.
 *
 * @param isWhole - everything, however much that is
 */
export function explanationText(explanation: Explanation, isWhole = false): string {
  const { title, version, resources, operations, events, signIn } = explanation;
  const isShort = isWhole || operations.length <= MOST_WHOLE;
  const lines = [
    pc.bold(printable(`${title} ${version}`)),
    ...summaryLines(explanation),
    '',
    ...(isShort ? [...resources.flatMap(resourceLines), ...operationsText(operations)] : overviewLines(explanation)),
    ...(isShort ? eventsText(events) : eventsOverview(events)),
    ...(signIn === undefined ? [] : signInText(signIn)),
    ...(isShort ? [] : ['--all prints every resource and operation, --json the same for programs.']),
    'standin explain DESCRIPTION METHOD PATH says why one request gets its response.',
    'What is wrong here can be put right in a file: standin explain --overrides FILE,',
    'or by x-standin in the description. See docs/reference/resources.md.',
  ];
  return `${lines.join('\n')}\n`;
}

function operationsText(operations: readonly OperationExplanation[]): string[] {
  if (operations.length === 0) return ['The description has no paths: every request gets 404.', ''];
  return [pc.bold('Operations'), ...operations.flatMap(operationLines), ''];
}

function signInText(signIn: SignInExplanation): string[] {
  return [pc.bold('Sign-in'), ...signInSentences(signIn).flatMap((sentence) => wrap(sentence, '       ', 2)), ''];
}

/** What the description has beside operations: what the service sends by itself. */
function eventsText(events: readonly EventExplanation[]): string[] {
  if (events.length === 0) return [];
  return [pc.bold('Events'), ...events.flatMap(eventLines), ''];
}

function eventLines({ name, type, kind, address, place, when, reasons }: EventExplanation): string[] {
  const head = `${printable(name)}${type === name ? '' : ` ${printable(type)}`}  ${kind}${address === undefined ? '' : ` to ${printable(address)}`}`;
  const text = withLocation(when === undefined ? 'nothing tells when it happens' : `when ${when}`, place);
  return [
    head,
    ...wrap(text, '       ', 5).map(when === undefined ? pc.yellow : pc.green),
    ...reasons.flatMap((reason) => reasonLines(reason, '       ')),
  ];
}

function eventsOverview(events: readonly EventExplanation[]): string[] {
  const known = events.filter(({ when }) => when !== undefined);
  const unknown = events.filter(({ when }) => when === undefined);
  return section('Events', [
    ...known.map(({ name }) => ({ reason: 'known when they happen', name })),
    ...unknown.map(({ name }) => ({ reason: 'nothing tells when they happen', name })),
  ]);
}

function summaryLines({ summary, basePaths }: Explanation): string[] {
  const { operations, stateful, examples, madeUp, withoutBody, impossible, resources } = summary;
  const parts = [
    `${stateful} served from state`,
    ...(examples === 0 ? [] : [`${examples} from examples`]),
    ...(madeUp === 0 ? [] : [`${madeUp} made up from their schemas`]),
    ...(withoutBody === 0 ? [] : [`${withoutBody} without a body`]),
    ...(impossible === 0 ? [] : [`${impossible} rejected, because no body can be made`]),
  ];
  const below = basePaths.filter((path) => path !== '');
  return [
    ...wrap(
      `${counted(operations, 'operation')}: ${parts.join(', ')}. ${counted(resources, 'resource')} inferred.`,
      '',
      0,
    ),
    ...(below.length === 0 ? [] : wrap(`Paths are below ${listText(below, 6)}.`, '', 0)),
  ];
}

function resourceLines(resource: ResourceExplanation): string[] {
  const { path, kind, itemPath, schema, key, scope, references, counts, confidence, reasons, beginning } = resource;
  const facts: readonly (readonly [string, string])[] = [
    ['item', itemPath ?? ''],
    ['schema', schema],
    ['key', key === '' || !resource.isKeyClientChosen ? key : `${key}, which clients may choose`],
    ['within', scope.join(', ')],
    ['refers', listText(references, 8)],
    ['counts', listText(counts, 8)],
    ['rows', beginning === undefined ? 'made when a path names its collection' : initialItemsLine(resource)],
  ];
  const { shown, rest } = bounded(reasons, SHOWN_REASONS);
  return [
    `${pc.cyan(printable(path))}  ${kind === 'singleton' ? 'one record, ' : ''}${confidenceText(confidence)}`,
    ...columns(
      facts.filter(([, value]) => value !== ''),
      '  ',
    ),
    ...shown.flatMap((reason) => reasonLines(reason, '  ')),
    ...(rest === 0 ? [] : [pc.dim(`  and ${rest} more (--json has them)`)]),
    '',
  ];
}

function initialItemsLine({ path, beginning }: ResourceExplanation): string {
  const { collection = '', text = '', places = [] } = beginning ?? {};
  const where = collection === path ? '' : `${collection}: `;
  return withLocation(`${where}${text}`, places[0]);
}

function confidenceText(confidence: string): string {
  const text = confidence === 'stated' ? 'stated outright' : `confidence ${confidence}`;
  return confidence === 'low' ? pc.red(text) : confidence === 'medium' ? pc.yellow(text) : pc.green(text);
}

function operationLines(explained: OperationExplanation): string[] {
  const { method, path, statuses, source, parameters, needs } = explained;
  const isStateful = source.from === 'state';
  // What the other behaviours do, their names say.
  const isPlain = isStateful && source.behaviour !== 'act';
  const shown = parameters.filter(({ in: location, role }) => location === 'query' || role !== 'none');
  const ended = needs.ended === undefined ? '' : `, but ended: ${needs.ended.status} ${needs.ended.code}`;
  const text = `${statuses.join(' or ')}  ${withLocation(source.text, source.place)}${ended}`;
  return [
    `${method.padEnd(6)} ${printable(path)}`,
    ...wrap(text, '       ', 5).map(isStateful ? pc.green : pc.yellow),
    ...(isPlain ? [] : source.reasons.flatMap((reason) => reasonLines(reason, '       '))),
    ...columns(
      shown.map(({ name, role, effect, place: at }) => [name, roleText(role), withLocation(effect, at)]),
      '       ',
    ),
  ];
}

/** As people say it. */
export function roleText(role: string): string {
  return role === 'none' ? 'not modelled' : role.replace('-', ' ');
}

export function reasonLines({ text, place }: Reason, indent: string): string[] {
  return wrap(`- ${withLocation(text, place)}`, indent, 2).map(pc.dim);
}

const SHOWN_RESOURCES = 24;
const SHOWN_GROUPS = 12;
const SHOWN_OPERATIONS = 3;

/** What a description of many operations comes down to: what is stored, and what is not, by reason. */
function overviewLines({ resources, operations }: Explanation): string[] {
  const low = resources.filter(({ confidence }) => confidence === 'low');
  return [
    pc.bold('What is kept'),
    ...cut(
      resources.map(({ path, key, confidence, kind }) => [confidence, kind === 'singleton' ? 'one record' : key, path]),
      SHOWN_RESOURCES,
    ),
    ...(low.length === 0
      ? []
      : [
          '',
          ...wrap(
            `Look at these first: ${listText(
              low.map(({ path }) => path),
              6,
            )}.`,
            '',
            0,
          ),
        ]),
    '',
    ...section('What is served without state, by reason', statelessOperations(operations)),
    ...section('Query parameters that are not modelled, by reason', ignoredParameters(operations)),
  ];
}

/** Something that an overview has no room for, and why it is as it is. */
interface ReasonedName {
  readonly reason: string;
  readonly name: string;
}

function section(title: string, names: readonly ReasonedName[]): string[] {
  if (names.length === 0) return [];
  const sorted = groupBy(names, ({ reason }) => reason).sort((left, right) => right.length - left.length);
  const items = sorted.map((group) => {
    const shown = group.map(({ name }) => name);
    return [String(group.length), `${group[0].reason}: ${listText(shown, SHOWN_OPERATIONS)}`];
  });
  return [pc.bold(title), ...cut(items, SHOWN_GROUPS), ''];
}

function cut(items: readonly (readonly string[])[], most: number): string[] {
  const { shown, rest } = bounded(items, most);
  return [...columns(shown, '  '), ...(rest === 0 ? [] : [pc.dim(`  and ${rest} more`)])];
}

/** Reasons that differ in names alone are one: `nothing tells what "merge" does to pull`. */
function reasonOf({ source }: OperationExplanation): string {
  const text = source.reasons[0]?.text ?? '';
  const [first = text] = text.split(': ');
  return first.startsWith('nothing says what "') ? 'nothing says what the action does' : first;
}

function statelessOperations(operations: readonly OperationExplanation[]): ReasonedName[] {
  return operations
    .filter(({ source }) => source.from !== 'state')
    .map((operation) => ({ reason: reasonOf(operation), name: `${operation.method} ${operation.path}` }));
}

function ignoredParameters(operations: readonly OperationExplanation[]): ReasonedName[] {
  return operations.flatMap(({ method, path, parameters, source }) => {
    const ignored = parameters.filter(({ in: location, role }) => location === 'query' && role === 'none');
    return (source.from === 'state' ? ignored : []).map(({ name, effect, group = effect }) => ({
      reason: group,
      name: `${name} of ${method} ${path}`,
    }));
  });
}
