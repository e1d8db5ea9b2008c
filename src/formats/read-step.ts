import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import {
  AUTH_MODES,
  TOUCHES,
  type ParameterValue,
  type Phase,
  type Step,
  type StepHeader,
  type StepRequest,
} from './contract';
import { isHeaderName } from './header-name';
import { MemberReader, type FormatJudge, type PlacedValue } from './member-reader';
import { isScalar } from './placeholders';
import { scalarText } from '../json/scalar-text';
import { readBody, type ReadFile } from './read-body';
import { readCapture } from './read-capture';
import { readExpectation } from './read-expectation';
import { readRepeat } from './read-repeat';
import { readTags } from './read-tags';

/** What a contract needs to know of an operation that it names. */
export interface KnownOperation {
  readonly id: string;
  readonly method: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

const MEMBERS = [
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
const MOST_DURATION_MS = 3_600_000;
const METHOD = /^[A-Z]+$/;
// Origin-form without a fragment; what stands between the braces of a placeholder becomes part of it later.
const PATH = /^\/[!"$-~]*$/;
const IDENTITY_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** What steps are read by. */
export interface StepContext {
  readonly operations: readonly KnownOperation[];
  readonly readFile: ReadFile;
  readonly judge: FormatJudge;
}

export function readStep(item: PlacedValue, phase: Phase, context: StepContext): Step | undefined {
  const { operations, readFile, judge } = context;
  const members = MemberReader.open(item, 'step', MEMBERS, judge);
  if (members === undefined) return undefined;
  const request = readRequest(members, operations, judge);
  const name = members.text('name');
  const headers = members.entries('headers').flatMap((entry) => readHeader(entry, judge));
  const body = readBody(members, readFile, judge);
  const auth = readAuth(members, judge);
  const captures = members.entries('capture').flatMap((entry) => readCapture(entry, { request, body }, judge));
  const expect = readExpectation(members, judge);
  const tags = readTags(members, judge);
  const pending = members.text('pending');
  const leaves = members.text('leaves');
  const touches = members.word('touches', TOUCHES);
  const removes = members.text('removes');
  const repeat = readRepeat(members, judge);
  const maxDurationMs = members.whole('maxDurationMs', 1, MOST_DURATION_MS);
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

function readAuth(members: MemberReader, judge: FormatJudge): Step['auth'] {
  const value = members.value('auth');
  if (!isJsonObject(value)) return members.word('auth', AUTH_MODES) ?? 'valid';
  const named = MemberReader.open({ value, pointer: members.at('auth') }, 'way to authenticate', ['identity'], judge);
  const identity = named?.value('identity');
  if (typeof identity === 'string' && IDENTITY_NAME.test(identity)) return { identity };
  named?.refuse('identity', 'the name of an identity: a letter, then letters, digits, _ and -');
  return 'valid';
}

function titleOf(request: StepRequest): string {
  return request.kind === 'operation' ? request.operationId : `${request.method} ${request.path}`;
}

function readRequest(
  members: MemberReader,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
): StepRequest | undefined {
  const isRaw = members.has('method') || members.has('path');
  if (members.has('operation') && isRaw) {
    judge.refuse(members.pointer, 'The step has an operation and a method or a path', 'one of the two');
    return undefined;
  }
  return isRaw ? readRawRequest(members, judge) : readOperation(members, operations, judge);
}

function readRawRequest(members: MemberReader, judge: FormatJudge): StepRequest | undefined {
  const method = members.value('method');
  const path = members.value('path');
  if (members.has('parameters')) {
    judge.refuse(members.at('parameters'), 'Only the parameters of an operation can be named', 'them in the path');
  }
  if (typeof method !== 'string' || !METHOD.test(method))
    members.refuse('method', 'a method in upper case, such as GET');
  else if (typeof path !== 'string' || !PATH.test(path)) {
    members.refuse('path', 'a path that starts with /, percent-encoded where it has to be');
  } else return { kind: 'raw', method, path };
  return undefined;
}

function readOperation(
  members: MemberReader,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
): StepRequest | undefined {
  const id = members.text('operation');
  if (id === undefined) {
    if (!members.has('operation')) members.refuse('operation', 'an operationId, or a method and a path');
    return undefined;
  }
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) {
    const ids = operations.map((candidate) => candidate.id);
    const hint = 'Is it the right description? --spec chooses it.';
    judge.refuseName(members.at('operation'), `The description has no operation "${id}"`, id, ids, hint);
    return undefined;
  }
  const parameters = members.entries('parameters').flatMap((entry) => readParameter(entry, operation, judge));
  for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    const isGiven = parameters.some((parameter) => parameter.in === 'path' && parameter.name === name);
    const isRefused = members.entries('parameters').length > parameters.length;
    if (!isGiven && !isRefused) {
      judge.refuse(members.pointer, `${id} needs the path parameter "${name}"`, `parameters: { ${name}: … }`);
    }
  }
  return { kind: 'operation', operationId: id, parameters };
}

/** `id`, or `path.id` where two parameters share a name, as in a Link Object (OAS 3.0.3 §4.7.20). */
function readParameter(
  { name: key, value, pointer }: PlacedValue & { readonly name: string },
  { id, parameters }: KnownOperation,
  judge: FormatJudge,
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
    judge.refuseName(pointer, `${id} has no parameter "${key}"`, key, names);
    return [];
  }
  if (found.length > 1) {
    const qualified = found.map(({ in: location, name }) => `${location}.${name}`).join(' or ');
    judge.refuse(pointer, `${id} has several parameters "${key}"`, qualified);
    return [];
  }
  const isList = Array.isArray(value) && value.every(isScalar);
  if (!isList && !isScalar(value)) {
    judge.refuse(pointer, `The parameter "${key}" has no text`, 'a string, a number, a boolean or a list of these');
    return [];
  }
  return [{ name: parameter.name, in: parameter.in, value }];
}

function readHeader(
  { name, value, pointer }: PlacedValue & { readonly name: string },
  judge: FormatJudge,
): StepHeader[] {
  if (!isHeaderName(name)) {
    judge.refuse(pointer, `"${name}" is no name of a header`, 'a token (RFC 9110 §5.1)');
    return [];
  }
  if (value === null) return [{ name, value: null }];
  const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return values.flatMap((line, index): StepHeader[] => {
    // A line break would let the value write headers of its own.
    if (isScalar(line) && !/[\r\n\0]/.test(scalarText(line))) return [{ name, value: scalarText(line) }];
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    judge.refuse(at, `The header ${name} has no text`, 'one line of text, a list of them, or null for no such header');
    return [];
  });
}
