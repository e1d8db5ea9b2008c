import { isHeaderName } from '../../core/http/header-name';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { type FormatDiagnostics, type LocatedValue, PropertyReader } from '../property-reader';
import { readBody, type ReadFile } from './body-reader';
import { readCapture } from './capture-reader';
import {
  AUTH_MODES,
  type KnownOperation,
  type ParameterValue,
  type Phase,
  type Step,
  type StepHeader,
  type StepRequest,
  TOUCHES,
} from './contract';
import { readExpectation, readRepeat } from './expectation-reader';
import { isScalar } from './placeholders';

const STEP_KEYS = [
  'name',
  'tags',
  'pending',
  'leaves',
  'touches',
  'removes',
  'operation',
  'method',
  'path',
  'parameters',
  'headers',
  'body',
  'text',
  'form',
  'multipart',
  'file',
  'auth',
  'expect',
  'capture',
  'repeat',
  'maxDurationMs',
];
/** An hour, as for `--timeout`. */
const MAX_DURATION_MS = 3_600_000;
const METHOD = /^[A-Z]+$/;
// Origin-form without a fragment; what stands between the braces of a placeholder becomes part of it later.
const PATH = /^\/[!"$-~]*$/;
const IDENTITY_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** What steps are read by. */
interface StepContext {
  readonly operations: readonly KnownOperation[];
  readonly readFile: ReadFile;
  readonly diagnostics: FormatDiagnostics;
}

export function readStep(item: LocatedValue, phase: Phase, context: StepContext): Step | undefined {
  const { operations, readFile, diagnostics } = context;
  const properties = PropertyReader.open(item, 'step', STEP_KEYS, diagnostics);
  if (properties === undefined) return undefined;
  const request = readRequest(properties, operations, diagnostics);
  const name = properties.text('name');
  const headers = properties.entries('headers').flatMap((entry) => readHeader(entry, diagnostics));
  const body = readBody(properties, readFile, diagnostics);
  const auth = readAuth(properties, diagnostics);
  const captures = properties.entries('capture').flatMap((entry) => readCapture(entry, { request, body }, diagnostics));
  const expect = readExpectation(properties, diagnostics);
  const tags = readTags(properties, diagnostics);
  const pending = properties.text('pending');
  const leaves = properties.text('leaves');
  const touches = properties.word('touches', TOUCHES);
  const removes = properties.text('removes');
  const repeat = readRepeat(properties, diagnostics);
  const maxDurationMs = properties.whole('maxDurationMs', 1, MAX_DURATION_MS);
  if (request === undefined || expect === undefined) return undefined;
  const about = {
    name: name ?? titleOf(request),
    phase,
    tags,
    pending,
    leaves,
    touches,
    removes,
    pointer: item.pointer,
  };
  return { ...about, request, headers, body, auth, expect, captures, repeat, maxDurationMs };
}

function readAuth(properties: PropertyReader, validate: FormatDiagnostics): Step['auth'] {
  const value = properties.value('auth');
  if (!isJsonObject(value)) return properties.word('auth', AUTH_MODES) ?? 'valid';
  const named = PropertyReader.open(
    { value, pointer: properties.at('auth') },
    'way to authenticate',
    ['identity'],
    validate,
  );
  const identity = named?.value('identity');
  if (typeof identity === 'string' && IDENTITY_NAME.test(identity)) return { identity };
  named?.addExpected('identity', 'the name of an identity: a letter, then letters, digits, _ and -');
  return 'valid';
}

function titleOf(request: StepRequest): string {
  return request.kind === 'operation' ? request.operationId : `${request.method} ${request.path}`;
}

function readRequest(
  properties: PropertyReader,
  operations: readonly KnownOperation[],
  validate: FormatDiagnostics,
): StepRequest | undefined {
  const isRaw = properties.has('method') || properties.has('path');
  if (properties.has('operation') && isRaw) {
    validate.add(properties.pointer, 'The step has an operation and a method or a path', 'one of the two');
    return undefined;
  }
  return isRaw ? readRawRequest(properties, validate) : readOperation(properties, operations, validate);
}

function readRawRequest(properties: PropertyReader, validate: FormatDiagnostics): StepRequest | undefined {
  const method = properties.value('method');
  const path = properties.value('path');
  if (properties.has('parameters')) {
    validate.add(properties.at('parameters'), 'Only the parameters of an operation can be named', 'them in the path');
  }
  if (typeof method !== 'string' || !METHOD.test(method))
    properties.addExpected('method', 'a method in upper case, such as GET');
  else if (typeof path !== 'string' || !PATH.test(path)) {
    properties.addExpected('path', 'a path that starts with /, percent-encoded where it has to be');
  } else return { kind: 'raw', method, path };
  return undefined;
}

function readOperation(
  properties: PropertyReader,
  operations: readonly KnownOperation[],
  validate: FormatDiagnostics,
): StepRequest | undefined {
  const id = properties.text('operation');
  if (id === undefined) {
    if (!properties.has('operation')) properties.addExpected('operation', 'an operationId, or a method and a path');
    return undefined;
  }
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) {
    const ids = operations.map((candidate) => candidate.id);
    const hint = 'Is it the right description? --spec chooses it.';
    validate.addUnknownName(properties.at('operation'), `The description has no operation "${id}"`, id, ids, hint);
    return undefined;
  }
  const parameters = properties.entries('parameters').flatMap((entry) => readParameter(entry, operation, validate));
  for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    const isGiven = parameters.some((parameter) => parameter.in === 'path' && parameter.name === name);
    const isRejected = properties.entries('parameters').length > parameters.length;
    if (!isGiven && !isRejected) {
      validate.add(properties.pointer, `${id} needs the path parameter "${name}"`, `parameters: { ${name}: … }`);
    }
  }
  return { kind: 'operation', operationId: id, parameters };
}

/** `id`, or `path.id` where two parameters share a name, as in a Link Object (OAS 3.0.3 §4.7.20). */
function readParameter(
  { name: key, value, pointer }: LocatedValue & { readonly name: string },
  { id, parameters }: KnownOperation,
  validate: FormatDiagnostics,
): ParameterValue[] {
  const isSame = (left: string, right: string, location: string): boolean =>
    location === 'header' ? left.toLowerCase() === right.toLowerCase() : left === right;
  const named = parameters.filter((parameter) => isSame(parameter.name, key, parameter.in));
  const found =
    named.length > 0
      ? named
      : parameters.filter((parameter) => isSame(`${parameter.in}.${parameter.name}`, key, parameter.in));
  const [parameter] = found;
  if (parameter === undefined) {
    const names = parameters.map(({ name }) => name);
    validate.addUnknownName(pointer, `${id} has no parameter "${key}"`, key, names);
    return [];
  }
  if (found.length > 1) {
    const qualified = found.map(({ in: location, name }) => `${location}.${name}`).join(' or ');
    validate.add(pointer, `${id} has several parameters "${key}"`, qualified);
    return [];
  }
  const isList = Array.isArray(value) && value.every(isScalar);
  if (!isList && !isScalar(value)) {
    validate.add(pointer, `The parameter "${key}" has no text`, 'a string, a number, a boolean or a list of these');
    return [];
  }
  return [{ name: parameter.name, in: parameter.in, value }];
}

function readHeader(
  { name, value, pointer }: LocatedValue & { readonly name: string },
  validate: FormatDiagnostics,
): StepHeader[] {
  if (!isHeaderName(name)) {
    validate.add(pointer, `"${name}" is no name of a header`, 'a token (RFC 9110 §5.1)');
    return [];
  }
  if (value === null) return [{ name, value: null }];
  const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return values.flatMap((line, index): StepHeader[] => {
    // A line break would let the value write headers of its own.
    if (isScalar(line) && !/[\r\n\0]/.test(scalarText(line))) return [{ name, value: scalarText(line) }];
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    validate.add(at, `The header ${name} has no text`, 'one line of text, a list of them, or null for no such header');
    return [];
  });
}

// Tags are given on a command line, several of them with commas between.
const TAG = /^[^\s,]+$/;

/** Reads `tags`: a list of words. */
export function readTags(properties: PropertyReader, validate: FormatDiagnostics): string[] {
  return properties.list('tags').flatMap(({ value, pointer }): string[] => {
    if (typeof value === 'string' && TAG.test(value)) return [value];
    validate.add(pointer, 'A tag is a word', 'text without white space and commas');
    return [];
  });
}
