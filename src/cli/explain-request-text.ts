import pc from 'picocolors';
import { printable } from '../errors/printable';
import { reasonLines, wrap } from './explain-text';
import type { RequestExplanation } from './explain-request';

/** Why one request gets its answer, for a terminal of 80 columns. */
export function requestText(explained: RequestExplanation): string {
  const { request, operation, route, runnersUp, parameters, security, behaviour, reasons, status, body } = explained;
  const fact = (name: string, value: string | undefined): string[] =>
    value === undefined || value === '' ? [] : wrap(`${name.padEnd(11)}${printable(value)}`, '', 11);
  const lines = [
    pc.bold(printable(request)),
    ...fact('operation', `${operation}, ${route.text}${route.place === undefined ? '' : ` (${route.place})`}`),
    ...fact('not', runnersUp.length === 0 ? '' : `${runnersUp.join(', ')}: a literal beats a variable, left to right`),
    ...parameters.flatMap((text, index) => fact(index === 0 ? 'parameters' : '', text)),
    ...fact('security', `${security}${security === 'none' ? '' : ' (not asked for here)'}`),
    ...fact('answered', behaviour),
    ...reasons.flatMap((reason) => reasonLines(reason, ' '.repeat(11))),
    ...fact('collection', explained.collection),
    ...fact('key', explained.key),
    ...explained.notModelled.flatMap((text) => fact('not model.', text)),
    ...fact('documented', explained.otherStatuses.length === 0 ? '' : `${explained.otherStatuses.join(', ')} as well`),
    ...fact('refused', explained.refused),
    '',
    status < 400 ? pc.green(String(status)) : pc.red(String(status)),
    ...explained.headers.map(printable),
    '',
    ...(body === '' ? [] : [printable(body)]),
  ];
  return `${lines.join('\n')}\n`;
}
