import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { type SourceFinding, SpecError } from '../../core/errors/standin-error';
import { compareNumbers, isJsonNumber, type JsonNumber, numberFromLexeme } from '../../core/json/exact-number';
import { parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { TellProgress } from '../../core/text/progress';
import type { SourceDocument, SourceLocation } from './source-document';
import { adviseOnYaml, type ParsedYaml, type YamlAdvice } from './yaml-syntax-hints';
import { locationInYaml, parseYaml, withToleratedErrors } from './yaml-text';

/** Larger texts would take minutes and gigabytes: the parser keeps a tree of every character. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** More nodes than this through aliases is an attack, not a description ("billion laughs"). */
const MAX_ALIASED_NODES = 100_000;
const MAX_DEPTH = 500;
/** So many syntax errors are explained. */
const MAX_HINTS = 20;
const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** How a text is read. */
export interface ReadOptions {
  /** Read what other readers take although YAML 1.2 does not have it, and tell of it in the document's findings. */
  readonly isTolerant?: boolean | undefined;
  readonly onProgress?: TellProgress | undefined;
}

/**
 * Reads YAML 1.2 with the core schema: dates stay strings, `no` stays a string, big integers keep their digits.
 *
 * @throws SpecError `SPEC_SYNTAX` with every syntax error and its place
 */
export function readYaml(
  text: string,
  file: string,
  { isTolerant = false, onProgress }: ReadOptions = {},
): SourceDocument {
  if (text.length > MAX_CHARACTERS) {
    const message = `the YAML text has ${text.length} characters, more than ${MAX_CHARACTERS}`;
    throw new SpecError('SPEC_SYNTAX', `${file} is too large: ${message}`, {
      findings: [{ rule: 'yaml-value', severity: 'error', file, line: 1, column: 1, pointer: '', message }],
      hint: 'JSON is read up to 64 MiB.',
    });
  }
  const parsed = parseYaml(
    text,
    onProgress &&
      (() => {
        onProgress({ phase: 'reading', what: file, done: 0, total: 0 });
      }),
  );
  const { parsed: taken, findings } = isTolerant ? withToleratedErrors(parsed, file) : { parsed, findings: [] };
  const { document, lines } = taken;
  const placeAt = (offset: number): SourceLocation => locationInYaml(lines, offset);
  if (document.errors.length > 0) {
    throw new SpecError('SPEC_SYNTAX', `${file} is not valid YAML`, {
      findings: syntaxFindings(taken, file, placeAt),
    });
  }
  const values = new PlainValues(document, file, placeAt, isTolerant);
  const root = values.convert(document.contents, 0);
  return {
    file,
    root,
    findings: [...findings, ...values.findings],
    locationOf(pointer) {
      const node = nearestNode(document, pointer);
      return node?.range ? placeAt(node.range[0]) : undefined;
    },
  };
}

/** The parser repeats an error for each level that it closes; each is reported once. */
function syntaxFindings(
  parsed: ParsedYaml,
  file: string,
  placeAt: (offset: number) => SourceLocation,
): SourceFinding[] {
  const findings = new Map<string, SourceFinding>();
  const { errors } = parsed.document;
  // Of a property within a property on one line the parser says as well that its key runs over lines.
  const nested = new Set(errors.filter(({ code }) => code === 'BLOCK_AS_IMPLICIT_KEY').map(({ pos }) => pos[0]));
  // Each advice may look through the whole document, and the first errors are mostly the cause of the rest.
  const adviceOn = (error: YAMLError): YamlAdvice => (findings.size < MAX_HINTS ? adviseOnYaml(error, parsed) : {});
  for (const error of errors) {
    const { code, message, pos } = error;
    if (code === 'MULTILINE_IMPLICIT_KEY' && nested.has(pos[0])) continue;
    // The parser recurses: it reports that the stack was full, at several levels sometimes.
    const isTooDeep = code === 'RESOURCE_EXHAUSTION';
    findings.set(isTooDeep ? code : `${pos[0]} ${message}`, {
      ...(isTooDeep ? { rule: 'yaml-value', message: TOO_DEEP } : { rule: 'yaml-syntax', message, ...adviceOn(error) }),
      severity: 'error',
      file,
      pointer: '',
      ...placeAt(pos[0]),
    });
  }
  return [...findings.values()];
}

/** Turns YAML nodes into plain values. */
class PlainValues {
  private aliasedNodes = 0;
  private readonly document: Document;
  private readonly file: string;
  private readonly placeAt: (offset: number) => SourceLocation;
  private readonly isTolerant: boolean;
  readonly findings: SourceFinding[] = [];

  constructor(document: Document, file: string, placeAt: (offset: number) => SourceLocation, isTolerant: boolean) {
    this.document = document;
    this.file = file;
    this.placeAt = placeAt;
    this.isTolerant = isTolerant;
  }

  convert(node: unknown, depth: number, insideAlias = false): JsonValue {
    if (depth > MAX_DEPTH) throw this.refuse(node, TOO_DEEP);
    if (insideAlias && ++this.aliasedNodes > MAX_ALIASED_NODES) {
      throw this.refuse(node, `aliases expand to more than ${MAX_ALIASED_NODES} nodes`);
    }
    if (isScalar(node)) return this.scalar(node.value, node);
    if (isAlias(node)) return this.alias(node, depth);
    if (isMap(node)) return this.map(node, depth, insideAlias);
    if (node !== null && typeof node === 'object' && 'items' in node && Array.isArray(node.items)) {
      return node.items.map((item) => this.convert(item, depth + 1, insideAlias));
    }
    return null;
  }

  private map(node: YAMLMap, depth: number, insideAlias: boolean): JsonValue {
    const merged: [string, JsonValue][] = [];
    const properties: [string, JsonValue][] = [];
    for (const pair of node.items) {
      const nodes = this.isTolerant && isMergeKey(pair.key) ? mergedNodes(pair.value, this.document) : undefined;
      if (nodes === undefined) properties.push([this.key(pair.key), this.convert(pair.value, depth + 1, insideAlias)]);
      else merged.push(...this.merge(pair.key, nodes, depth));
    }
    // Of two that are merged the first counts, and what is written beside them before both. fromEntries defines
    // properties, so that `__proto__` is data.
    return Object.fromEntries([...merged.reverse(), ...properties]);
  }

  /** The properties that a merge key brings in (YAML 1.1, "Merge Key Language-Independent Type"). */
  private merge(key: unknown, nodes: readonly Node[], depth: number): [string, JsonValue][] {
    if (this.findings.length === 0) {
      this.findings.push({
        rule: 'yaml-form',
        severity: 'warning',
        file: this.file,
        pointer: '',
        message: 'YAML 1.2 has no merge keys; << is read as in YAML 1.1, wherever it is in this file',
        ...this.placeOf(key),
      });
    }
    return nodes.flatMap((node) => {
      const value = this.convert(node, depth + 1, true);
      return typeof value === 'object' && value !== null ? (Object.entries(value) as [string, JsonValue][]) : [];
    });
  }

  private placeOf(node: unknown): Partial<SourceLocation> {
    return isNode(node) && node.range ? this.placeAt(node.range[0]) : {};
  }

  private alias(node: Alias, depth: number): JsonValue {
    const target = resolveAlias(node, this.document);
    // The parser takes the name as it is, and would make nothing of it.
    if (target === undefined)
      throw this.refuse(
        node,
        `the alias *${node.source} has no anchor &${node.source} before it`,
        `A text that begins with * is quoted: '*${node.source}'`,
      );
    return this.convert(target, depth + 1, true);
  }

  private scalar(value: unknown, node: unknown): JsonValue {
    if (value === null || value === undefined) return null;
    if (typeof value === 'bigint') {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      const exact = isScalar(node) && node.source !== undefined ? exactNumber(node.source, value) : value;
      if (isJsonNumber(exact)) return exact;
    }
    throw this.refuse(node, 'not a value that JSON has');
  }

  /** Keys are strings in OpenAPI; an unquoted status code arrives as an integer. */
  private key(key: unknown): string {
    if (isScalar(key)) {
      const { value, source } = key;
      if (typeof value === 'string') return value;
      return source ?? String(value);
    }
    throw this.refuse(key, 'a key that is not a scalar');
  }

  private refuse(node: unknown, message: string, hint?: string): SpecError {
    const finding: SourceFinding = {
      rule: 'yaml-value',
      severity: 'error',
      file: this.file,
      pointer: '',
      message,
      hint,
      ...this.placeOf(node),
    };
    return new SpecError('SPEC_SYNTAX', `${this.file} holds a value that OpenAPI cannot use`, { findings: [finding] });
  }
}

/** A decimal that says more than a double holds, such as `0.12345678901234567890` and `1e400`; else the number as it is. */
function exactNumber(source: string, value: number): JsonNumber {
  if (!JSON_NUMBER.test(source)) return value;
  const exact = numberFromLexeme(source);
  return Number.isFinite(value) && compareNumbers(exact, value) === 0 ? value : exact;
}

/** Of the numbers that YAML has, those that JSON has too (RFC 8259 §6). */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The nodes that aliases stand for, by document. */
const ALIAS_TARGETS = new WeakMap<Document, ReadonlyMap<Alias, Node>>();

/**
 * The node that an alias stands for: the last one before it that has its anchor (YAML 1.2 §3.2.2.2). `alias.resolve()` of
 * the library walks the whole document for each alias.
 */
function resolveAlias(alias: Alias, document: Document): Node | undefined {
  let targets = ALIAS_TARGETS.get(document);
  if (targets === undefined) ALIAS_TARGETS.set(document, (targets = findAliasTargets(document)));
  return targets.get(alias);
}

function findAliasTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const target = anchored.get(node.source);
      if (target !== undefined) targets.set(node, target);
    },
  });
  return targets;
}

function nearestNode(document: Document, pointer: string): Node | undefined {
  let node: unknown = document.contents;
  let nearest: Node | undefined = isNode(node) ? node : undefined;
  for (const segment of parsePointer(pointer)) {
    if (isAlias(node)) node = resolveAlias(node, document);
    const next = child(node, segment, document);
    if (next === undefined) break;
    node = next.value;
    nearest = next.anchor;
  }
  return nearest;
}

/** The value under a segment, and the node that people would look at: the key, where there is one. */
function child(node: unknown, segment: string, document: Document): { value: unknown; anchor: Node } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && keyText(item.key.value, item.key.source) === segment);
    if (!isPair(pair) || !isNode(pair.key)) return mergedChild(node, segment, document);
    return { value: pair.value, anchor: pair.key };
  }
  if (node !== null && typeof node === 'object' && 'items' in node && Array.isArray(node.items)) {
    const item: unknown = node.items[Number(segment)];
    return isNode(item) ? { value: item, anchor: item } : undefined;
  }
  return undefined;
}

/** A property that a merge key brought in. */
function mergedChild(map: YAMLMap, segment: string, document: Document): ReturnType<typeof child> {
  for (const { key, value } of map.items) {
    if (!isMergeKey(key)) continue;
    for (const node of mergedNodes(value, document) ?? []) {
      const found = child(node, segment, document);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function keyText(value: unknown, source: string | undefined): string {
  return typeof value === 'string' ? value : (source ?? String(value));
}

/** Is this the key `<<` of YAML 1.1, without quotes? */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

/**
 * The maps that stand behind a merge key: one, or a list of them.
 *
 * @returns `undefined` where something else stands there, so that the key is an ordinary one
 */
function mergedNodes(value: unknown, document: Document): readonly Node[] | undefined {
  const nodes: unknown[] = isSeq(value) ? value.items : [value];
  const targets = nodes.map((node) => (isAlias(node) ? resolveAlias(node, document) : node));
  return targets.length > 0 && targets.every((node) => isMap(node)) ? targets : undefined;
}
