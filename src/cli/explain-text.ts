import pc from 'picocolors';
import { counted } from '../errors/counted';
import { printable } from '../errors/printable';
import { overviewLines } from './explain-overview-text';
import type { Explanation, OperationExplanation, ResourceExplanation } from './explanation';
import { placed, type Reason } from './reason';
import { bounded, columns, listText, wrap } from './text-columns';

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
  const { title, version, resources, operations } = explanation;
  const isShort = isWhole || operations.length <= MOST_WHOLE;
  const lines = [
    pc.bold(printable(`${title} ${version}`)),
    ...summaryLines(explanation),
    '',
    ...(isShort ? [...resources.flatMap(resourceLines), ...operationsText(operations)] : overviewLines(explanation)),
    ...(isShort ? [] : ['--all prints every resource and operation, --json the same for programs.']),
    'standin explain DESCRIPTION METHOD PATH tells why one request gets its answer.',
    'What is wrong here can be put right in a file: standin explain --overrides FILE,',
    'or by x-standin in the description. See docs/resources.md.',
  ];
  return `${lines.join('\n')}\n`;
}

function operationsText(operations: readonly OperationExplanation[]): string[] {
  if (operations.length === 0) return ['The description has no paths: nothing is answered.', ''];
  return [pc.bold('Operations'), ...operations.flatMap(operationLines), ''];
}

function summaryLines({ summary, basePaths }: Explanation): string[] {
  const { operations, stateful, examples, madeUp, withoutBody, impossible, resources } = summary;
  const parts = [
    `${stateful} answered from state`,
    ...(examples === 0 ? [] : [`${examples} from examples`]),
    ...(madeUp === 0 ? [] : [`${madeUp} made up from their schemas`]),
    ...(withoutBody === 0 ? [] : [`${withoutBody} without a body`]),
    ...(impossible === 0 ? [] : [`${impossible} refused, because no body can be made`]),
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
    ['rows', beginning === undefined ? 'made when a path names its collection' : beginningText(resource)],
  ];
  const { shown, rest } = bounded(reasons, SHOWN_REASONS);
  return [
    `${pc.cyan(printable(path))}  ${kind === 'singleton' ? 'one record, ' : ''}${coloured(confidence)}`,
    ...columns(
      facts.filter(([, value]) => value !== ''),
      '  ',
    ),
    ...shown.flatMap((reason) => reasonLines(reason, '  ')),
    ...(rest === 0 ? [] : [pc.dim(`  and ${rest} more (--json has them)`)]),
    '',
  ];
}

function beginningText({ path, beginning }: ResourceExplanation): string {
  const { collection = '', text = '', places = [] } = beginning ?? {};
  const where = collection === path ? '' : `${collection}: `;
  return placed(`${where}${text}`, places[0]);
}

export function coloured(confidence: string): string {
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
  const text = `${statuses.join(' or ')}  ${placed(source.text, source.place)}${ended}`;
  return [
    `${method.padEnd(6)} ${printable(path)}`,
    ...wrap(text, '       ', 5).map(isStateful ? pc.green : pc.yellow),
    ...(isPlain ? [] : source.reasons.flatMap((reason) => reasonLines(reason, '       '))),
    ...columns(
      shown.map(({ name, role, effect, place: at }) => [name, roleText(role), placed(effect, at)]),
      '       ',
    ),
  ];
}

/** As people say it. */
export function roleText(role: string): string {
  return role === 'none' ? 'not modelled' : role.replace('-', ' ');
}

export function reasonLines({ text, place }: Reason, indent: string): string[] {
  return wrap(`- ${placed(text, place)}`, indent, 2).map(pc.dim);
}
