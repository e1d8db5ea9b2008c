import type { Operation } from '../openapi/model';
import { requestSchema } from './bodies';
import { keyInBody } from './key-elsewhere';
import { shapeOf, templateFrom, type Segment } from './path-template';
import type { Reading } from './reading';
import type { SchemaReader } from './schema-reader';

/** `POST /thing/cancel {thing_id}` is `POST /thing/{thing_id}/cancel`, where a thing is read by that key. */
export function readActions(readings: Map<Operation, Reading>, reader: SchemaReader): void {
  const keys = new Map(
    [...readings.values()].flatMap(({ template: { segments }, elsewhere, method }): [string, string][] => {
      const [name] = method === 'GET' ? elsewhere.keys() : [];
      return name === undefined ? [] : [[shapeOf(segments.slice(0, -1)), name]];
    }),
  );
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const parted = reading.method === 'POST' && reading.elsewhere.size === 0 ? partLast(segments) : undefined;
    const name = parted === undefined ? undefined : keys.get(shapeOf(parted.before));
    if (parted === undefined || name === undefined) continue;
    const at = keyInBody(requestSchema(operation), (each) => each === name, reader);
    if (at === undefined) continue;
    const template = templateFrom([
      ...parted.before,
      { kind: 'variable', name },
      { kind: 'literal', text: parted.word },
    ]);
    const reason = `is ${reading.method} ${template.path} in other words`;
    readings.set(operation, { method: 'POST', template, elsewhere: new Map([[name, at]]), reason });
  }
}

/** The last word of a path, behind a slash or a dot, and what stands before it. */
function partLast(segments: readonly Segment[]): { before: readonly Segment[]; word: string } | undefined {
  const last = segments.at(-1);
  if (last?.kind !== 'literal' || segments.some(({ kind }) => kind === 'variable')) return undefined;
  const [, noun = '', word = ''] = /^(.+)\.([A-Za-z]+)$/.exec(last.text) ?? [];
  if (word !== '') return { before: [...segments.slice(0, -1), { kind: 'literal', text: noun }], word };
  return segments.length < 2 ? undefined : { before: segments.slice(0, -1), word: last.text };
}
