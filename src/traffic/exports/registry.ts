import type { ExportKind } from './export-kind';

/* oxlint-disable typescript/no-require-imports -- loaded only by who writes one: the help has their names */
const load = (module: unknown): ExportKind => (module as { readonly kind: ExportKind }).kind;

/** Formats that contracts can be exported in, by the name of their flag, in the order of the help. */
export const EXPORTS = {
  arazzo: { about: 'an Arazzo 1.0.1 document', load: () => load(require('./arazzo')) },
  har: { about: 'a HAR 1.2 file of what the mock of the description responds', load: () => load(require('./har')) },
  postman: { about: 'a Postman 2.1 collection with tests', load: () => load(require('./postman')) },
  curl: { about: 'a bash script that needs curl and jq', load: () => load(require('./curl')) },
  hurl: { about: 'a Hurl file', load: () => load(require('./hurl')) },
};
/* oxlint-enable typescript/no-require-imports */

export type ExportName = keyof typeof EXPORTS;
export const EXPORT_NAMES = Object.keys(EXPORTS) as readonly ExportName[];
