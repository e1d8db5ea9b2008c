// Inside jest, errors of Node itself come from another realm: `instanceof Error` does not know them. These look instead.

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return textMember(thrown, 'message') ?? String(thrown);
}

/** The code of an error of Node, such as `ENOENT`; `undefined` for anything else. */
export function codeOf(thrown: unknown): string | undefined {
  return textMember(thrown, 'code');
}

/** The call of the system that failed, such as `connect`; `undefined` for anything else. */
export function syscallOf(thrown: unknown): string | undefined {
  return textMember(thrown, 'syscall');
}

/** The stack of whatever was thrown, or its message. */
export function stackOf(thrown: unknown): string {
  return textMember(thrown, 'stack') ?? messageOf(thrown);
}

function textMember(thrown: unknown, name: string): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
}
