/** Something wrong in a file that was read: an API description, a fixture, a rules file or a contract. */
export interface SourceFinding {
  /** Stable id of the rule that spoke, for example `ref-resolves`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** Path as the user gave it. */
  readonly file: string;
  /** 1-based; absent when the place is not known. */
  readonly line?: number | undefined;
  /** 1-based, in UTF-16 code units; absent when the place is not known. */
  readonly column?: number | undefined;
  /** JSON pointer (RFC 6901) into the file; `''` is the whole of it. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** `file:line:column`, as far as it is known. Editors and terminals make a link of it. */
export function formatPlace(finding: Pick<SourceFinding, 'file' | 'line' | 'column'>): string {
  if (finding.line === undefined) return finding.file;
  return `${finding.file}:${finding.line}:${finding.column ?? 1}`;
}
