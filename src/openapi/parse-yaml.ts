import { LineCounter, parseDocument } from 'yaml';
import type { Place } from './source-document';
import type { ParsedYaml } from './yaml-hint';

/** The tree of a text in YAML 1.2 with the core schema, and the errors in it. */
export function parse(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    prettyErrors: false,
    uniqueKeys: true,
    schema: 'core',
    version: '1.2',
    merge: false,
  });
  return { document, text, lines };
}

export function placeIn(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
