import { parsePointer } from '../../core/json/json-pointer';
import { isJsonNumber } from '../../core/json/exact-number';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { JsonType, Matcher } from '../../formats/contract/matcher';
import type { RuntimeExpression } from '../../formats/contract/runtime-expression';
import type { CaptureTypes } from './capture-types';
import type { Losses } from './export-kind';
import type { ExportedStep } from './exported-steps';
import { markedName, plainText, splitPlaceholders, variableName, wholePlaceholder } from './template';

type Lose = (what: string) => void;

/** What the body must be, each part by a JSONPath. */
export function bodyAsserts({ expectedBody, name }: ExportedStep, types: CaptureTypes, losses: Losses): string[] {
  if (expectedBody === undefined) return [];
  if (expectedBody.kind === 'absent') return ['bytes count == 0'];
  const asserts = new Asserts(types, (what) => {
    losses.add(name, `expect.body ${what}`);
  });
  return asserts.of(expectedBody, '$');
}

/** What headers must be. */
export function headerAsserts({ expectedHeaders, name }: ExportedStep, types: CaptureTypes, losses: Losses): string[] {
  return expectedHeaders.flatMap(({ name: header, matcher }) => {
    const asserts = new Asserts(types, (what) => {
      losses.add(name, `expect.headers ${header} ${what}`);
    });
    return asserts.about(matcher, `header ${hurlString(header)}`, 'the whole', true);
  });
}

const BOUNDS = { $min: '>=', $max: '<=', $above: '>', $below: '<' } as const;
/** Predicates of Hurl 7 and newer. */
const TYPES: Readonly<Partial<Record<JsonType, string>>> = {
  string: 'isString',
  boolean: 'isBoolean',
  integer: 'isInteger',
  number: 'isNumber',
  null: '== null',
  array: 'isList',
  object: 'isObject',
};

class Asserts {
  private readonly types: CaptureTypes;
  private readonly lose: Lose;

  constructor(types: CaptureTypes, lose: Lose) {
    this.types = types;
    this.lose = lose;
  }

  /** @param path - a JSONPath */
  of(matcher: Matcher, path: string): string[] {
    switch (matcher.kind) {
      case 'all':
        return matcher.matchers.flatMap((part) => this.of(part, path));
      case 'object':
        return matcher.members.flatMap((member) => this.of(member.matcher, `${path}${step(member.name)}`));
      case 'list':
        return [
          `jsonpath ${hurlString(path)} count == ${matcher.items.length}`,
          ...matcher.items.flatMap((item, index) => this.of(item, `${path}[${index}]`)),
        ];
      default:
        return this.about(matcher, `jsonpath ${hurlString(path)}`, path, false);
    }
  }

  /** @param query - of Hurl: what is looked at @param place - the same for people */
  about(matcher: Matcher, query: string, place: string, isText: boolean): string[] {
    if (matcher.kind === 'all') return matcher.matchers.flatMap((part) => this.about(part, query, place, isText));
    const predicate = this.predicate(matcher, isText);
    if (predicate !== undefined) return [`${query} ${predicate}`];
    this.lose(`${place}: $${matcher.kind}`);
    return [];
  }

  private predicate(matcher: Matcher, isText: boolean): string | undefined {
    return 'matcher' in matcher ? this.nested(matcher, isText) : this.leaf(matcher, isText);
  }

  private leaf(matcher: Exclude<Matcher, { matcher: Matcher }>, isText: boolean): string | undefined {
    switch (matcher.kind) {
      case 'value':
        return this.equals(isText ? scalarText(matcher.value) : matcher.value);
      case 'present':
        return 'exists';
      case 'absent':
        return 'not exists';
      case 'type':
        return matcher.types.length === 1 ? TYPES[matcher.types[0] ?? 'null'] : undefined;
      case 'pattern':
        return pattern(plainText(matcher.source));
      case 'enum':
        return this.oneOf(matcher.values);
      case 'bound':
        return bound(matcher, isText);
      default:
        return undefined;
    }
  }

  private nested(matcher: Extract<Matcher, { matcher: Matcher }>, isText: boolean): string | undefined {
    if (matcher.kind === 'length') return atLeastOne(matcher.matcher);
    if (matcher.kind === 'not') return this.negation(matcher.matcher, isText);
    const isOfText =
      matcher.kind === 'contains' && matcher.matcher.kind === 'value' && matcher.unlessItems === undefined;
    return isOfText ? this.includes(matcher.matcher) : undefined;
  }

  private equals(value: JsonValue): string | undefined {
    const text = this.literal(value);
    return text === undefined ? undefined : `== ${text}`;
  }

  private literal(value: JsonValue): string | undefined {
    if (Array.isArray(value) || isJsonObject(value)) return undefined;
    if (typeof value !== 'string') return stringifyJson(value);
    const whole = wholePlaceholder(value);
    if (whole !== undefined && !this.types.isText(whole)) return `{{${variableName(whole)}}}`;
    const parts = splitPlaceholders(value).map((piece) =>
      typeof piece === 'string' ? escaped(piece) : `{{${variableName(piece.name)}}}`,
    );
    return `"${parts.join('')}"`;
  }

  /** There is no word for one of several: of texts a pattern says it. */
  private oneOf(values: readonly JsonValue[]): string | undefined {
    const [only] = values;
    if (values.length === 1 && only !== undefined) return this.equals(only);
    const texts = values.flatMap((value) => (typeof value === 'string' ? (plainText(value) ?? []) : []));
    if (texts.length < values.length) return undefined;
    return pattern(`^(${texts.map((text) => text.replace(SYNTAX, '\$&')).join('|')})$`);
  }

  private includes(inner: Matcher): string | undefined {
    const text = inner.kind === 'value' ? this.literal(inner.value) : undefined;
    return text === undefined ? undefined : `contains ${text}`;
  }

  private negation(inner: Matcher, isText: boolean): string | undefined {
    if (inner.kind === 'not' || inner.kind === 'all') return undefined;
    const predicate = this.predicate(inner, isText);
    if (predicate?.startsWith('not ') === true) return predicate.slice('not '.length);
    return predicate === undefined ? undefined : `not ${predicate}`;
  }
}

function bound({ bound: name, limit }: Extract<Matcher, { kind: 'bound' }>, isText: boolean): string | undefined {
  return isText || !isJsonNumber(limit) ? undefined : `${BOUNDS[name]} ${scalarText(limit)}`;
}

/** `count` is of lists alone, so that of lengths this one can be said, for texts and lists alike. */
function atLeastOne(matcher: Matcher): string | undefined {
  const isOne = matcher.kind === 'bound' && matcher.bound === '$min' && equalJson(matcher.limit, 1);
  return isOne ? 'not isEmpty' : undefined;
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replaceAll("'", "\\'")}']`;
}

function pattern(source: string | undefined): string | undefined {
  return source === undefined ? undefined : `matches ${regex(source)}`;
}

function regex(source: string): string {
  return `/${source.replace(/(?<!\\)\//g, '\\/')}/`;
}

function escaped(text: string): string {
  return text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replaceAll('{{', '{\\u{7b}');
}

export function hurlString(text: string): string {
  return `"${escaped(text)}"`;
}

/** What is kept of a response. */
export function captureLines(
  { captures, name: step }: ExportedStep,
  types: CaptureTypes,
  encoded: ReadonlySet<string>,
  losses: Losses,
): string[] {
  return captures.flatMap(({ name, expression, pattern, known }) => {
    const query = known === undefined ? queryOf(expression) : knownQuery(known);
    if (query === undefined) {
      losses.add(step, `capture.${name}`);
      return [];
    }
    const filter = pattern === undefined ? '' : ` regex ${regex(pattern)}`;
    const variable = variableName(name);
    return [
      `${variable}: ${query}${filter}`,
      ...(encoded.has(name) && types.isText(name) ? [`${variable}_url: ${query}${filter} urlEncode`] : []),
    ];
  });
}

function queryOf(expression: RuntimeExpression): string | undefined {
  switch (expression.kind) {
    case 'header':
      return `header ${hurlString(expression.name)}`;
    case 'status':
      return 'status';
    case 'body': {
      const path = parsePointer(expression.pointer).map((token) => (/^\d+$/.test(token) ? `[${token}]` : step(token)));
      return `jsonpath ${hurlString(`$${path.join('')}`)}`;
    }
    case 'url':
      return 'url';
    default:
      return undefined;
  }
}

/** A value of the request: only one that is a variable already has a query. */
function knownQuery(known: JsonValue): string | undefined {
  const name = typeof known === 'string' ? markedName(known) : undefined;
  return name === undefined ? undefined : `variable ${hurlString(variableName(name))}`;
}
