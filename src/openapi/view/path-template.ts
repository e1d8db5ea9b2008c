/** One segment of a path template: a literal, or one variable and nothing beside it that distinguishes items. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

/** A path template, taken apart. */
export interface PathTemplate {
  /** As written. */
  readonly path: string;
  readonly segments: readonly Segment[];
  /** The template with nameless variables: `/things/{}`. Templates of one shape mean the same place. */
  readonly shape: string;
}

/**
 * Takes a template apart. What only says how the response is written is left out: a slash at the end, `.json`,
 * `.{format}`. A verb behind a colon, `/things/{id}:cancel` or `/things:search`, becomes a segment of its own, and so does
 * a key in parentheses, `/Things({id})` or `/Things('{id}')` (OData 4.01 URL Conventions §4.3.1).
 *
 * @returns `undefined` for a segment with several variables, such as `{base}...{head}`: it names no item
 */
export function parseTemplate(path: string): PathTemplate | undefined {
  const segments: Segment[] = [];
  for (const text of path.split('/')) {
    if (text === '') continue;
    const parsed = parseSegment(text);
    if (parsed === undefined) return undefined;
    segments.push(...parsed);
  }
  return { path, segments, shape: shapeOf(segments) };
}

export function shapeOf(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === 'variable' ? '/{}' : `/${segment.text}`)).join('');
}

function parseSegment(text: string): Segment[] | undefined {
  const withVerb = /^(.+):([A-Za-z][\w-]*)$/.exec(text);
  if (withVerb !== null) {
    const before = parseSegment(withVerb[1] ?? '');
    return before === undefined ? undefined : [...before, { kind: 'literal', text: withVerb[2] ?? '' }];
  }
  const keyed = /^([^{}()]+)\((?:\{([^{}]*)\}|'\{([^{}]*)\}')\)$/.exec(text);
  if (keyed !== null) {
    return [
      { kind: 'literal', text: keyed[1] ?? '' },
      { kind: 'variable', name: keyed[2] ?? keyed[3] ?? '' },
    ];
  }
  const bare = text.replace(/(?<=.)\.(?:json|\{format\})$/i, '');
  const name = /^\{([^{}]*)\}$/.exec(bare)?.[1];
  if (name !== undefined) return [{ kind: 'variable', name }];
  return /[{}]/.test(bare) ? undefined : [{ kind: 'literal', text: bare }];
}

/** Are two segments the same literal, or a variable each? */
export function isSameSegment(left: Segment, right: Segment | undefined): boolean {
  if (left.kind === 'variable') return right?.kind === 'variable';
  return right?.kind === 'literal' && right.text === left.text;
}

/** Names of the variables, in order. */
export function variablesOf(segments: readonly Segment[]): string[] {
  return segments.flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []));
}

/** The last literal, which names what the path is about; `''` when there is none. */
export function lastLiteral(segments: readonly Segment[]): string {
  return segments.findLast((segment) => segment.kind === 'literal')?.text ?? '';
}

/** The template without its last segment, as it would be written. */
export function withoutLast({ segments }: PathTemplate): PathTemplate {
  const rest = segments.slice(0, -1);
  return templateFrom(rest);
}

/** The template of segments, as it would be written. */
export function templateFrom(segments: readonly Segment[]): PathTemplate {
  return { path: pathText(segments), segments, shape: shapeOf(segments) };
}

/** A path of segments, as it would be written. */
export function pathText(segments: readonly Segment[]): string {
  if (segments.length === 0) return '/';
  return segments.map((segment) => (segment.kind === 'variable' ? `/{${segment.name}}` : `/${segment.text}`)).join('');
}
