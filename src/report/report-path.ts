import { isAbsolute, relative } from 'node:path';

/** A file with a line and a column, both 1-based. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Reads `file:line:column`; a text without numbers is a file, at its first line. */
export function parsePlace(place: string): FilePlace {
  const [, file = place, line = '1', column = '1'] = /^(.+):(\d+):(\d+)$/s.exec(place) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

/**
 * A path as reports have it: from the current folder, with forward slashes, so that the machine a report was made on
 * makes no difference.
 */
export function reportPath(file: string): string {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}
