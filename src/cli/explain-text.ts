import pc from 'picocolors';
import { printable } from '../errors/printable';
import type { Explanation, OperationExplanation, Reason, ResourceExplanation } from './explanation';

const WIDTH = 80;
/** Reasons that are shown of one resource; `--json` has them all. */
const SHOWN_REASONS = 9;

/** The report of `standin explain`, for a terminal of 80 columns. */
export function explanationText(explanation: Explanation): string {
  const { title, version, summary, resources, operations } = explanation;
  const { examples, madeUp, withoutBody, stateful } = summary;
  const lines = [
    pc.bold(printable(`${title} ${version}`)),
    `${summary.operations} operations: ${stateful} answered from state, ${examples} from examples, ${madeUp} made up from`,
    `their schemas, ${withoutBody} without a body. ${summary.resources} resources were inferred.`,
    '',
    ...resources.flatMap(resourceLines),
    pc.bold('Operations'),
    ...operations.flatMap(operationLines),
    '',
    'What is wrong here can be put right in a file: standin explain --overrides FILE,',
    'or by x-standin in the description. See docs/resources.md.',
  ];
  return `${lines.join('\n')}\n`;
}

function resourceLines(resource: ResourceExplanation): string[] {
  const { path, kind, itemPath, schema, key, scope, references, confidence, reasons } = resource;
  const facts: readonly (readonly [string, string])[] = [
    ['item', itemPath ?? ''],
    ['schema', schema],
    ['key', key === '' || !resource.isKeyClientChosen ? key : `${key}, which clients may choose`],
    ['within', scope.join(', ')],
    ['refers', references.join(', ')],
  ];
  return [
    `${pc.cyan(printable(path))}  ${kind === 'singleton' ? 'one record, ' : ''}${coloured(confidence)}`,
    ...facts.flatMap(([name, value]) => (value === '' ? [] : wrap(`${name.padEnd(7)} ${printable(value)}`, '  ', 8))),
    ...reasons.slice(0, SHOWN_REASONS).flatMap((reason) => reasonLines(reason, '  ')),
    ...(reasons.length > SHOWN_REASONS
      ? [pc.dim(`  and ${reasons.length - SHOWN_REASONS} more (--json shows them)`)]
      : []),
    '',
  ];
}

function coloured(confidence: string): string {
  const text = confidence === 'stated' ? 'stated outright' : `confidence ${confidence}`;
  return confidence === 'low' ? pc.red(text) : confidence === 'medium' ? pc.yellow(text) : pc.green(text);
}

function operationLines({ method, path, answer, isStateful, reasons, notModelled }: OperationExplanation): string[] {
  return [
    `${method.padEnd(7)}${printable(path)}`,
    `       ${isStateful ? pc.green(answer) : pc.yellow(answer)}`,
    ...(isStateful ? [] : reasons.flatMap((reason) => reasonLines(reason, '       '))),
    ...notModelled.flatMap((text) => wrap(`not modelled: ${printable(text)}`, '       ', 2)),
  ];
}

export function reasonLines({ text, place }: Reason, indent: string): string[] {
  return wrap(`- ${printable(text)}${place === undefined ? '' : ` (${printable(place)})`}`, indent, 2).map(pc.dim);
}

/** Breaks a text into lines of 80 columns; those after the first are indented further. */
export function wrap(text: string, indent: string, further: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const limit = WIDTH - indent.length - (lines.length === 0 ? 0 : further);
    if (line !== '' && line.length + 1 + word.length > limit) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each, index) => `${indent}${index === 0 ? '' : ' '.repeat(further)}${each}`);
}
