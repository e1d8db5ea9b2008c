import { problem, type ProblemCode } from '../core/http/problem';
import type { SourceFinding } from '../core/errors/standin-error';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { PendingWork } from '../core/time/pending-work';
import type { ExplainedMock } from '../explain/explained-mock';
import type { GradeResult } from '../grade/grade-result';
import type { RunResult } from '../runner/result/run-result';
import type { Input, InputTypes, InputValues, Rejection } from '../server/actions/action';
import { decodeInput } from '../server/actions/decode';
import type { AdminServer } from '../server/perform-action';

/** Contracts that an agent names: files below the working folder, or the text of one. */
export interface NamedContracts {
  readonly files: readonly string[] | undefined;
  /** YAML or JSON. */
  readonly text: string | undefined;
}

/** What the functions of the package do for an agent; each is loaded when it is first asked for. */
export interface AgentLibrary {
  /** Everything that is wrong with the description. */
  check(): Promise<readonly SourceFinding[]>;
  /**
   * Replays contracts at a mock of their own, or at a target.
   *
   * @param target - one of {@link AgentHost.targets}
   * @throws StandinError for contracts that cannot be used
   */
  run(
    contracts: NamedContracts,
    target: string | undefined,
    mayWrite: boolean,
    signal: AbortSignal,
  ): Promise<RunResult>;
  /**
   * @param only - operations that are looked at; all when it is empty
   * @throws StandinError for contracts that cannot be used, and for names that nothing has
   */
  grade(
    contracts: NamedContracts,
    only: readonly string[],
    maxDefects: number,
    signal: AbortSignal,
  ): Promise<GradeResult>;
  /** Files with contracts below the working folder. */
  contractFiles(): readonly string[];
  /** @throws ConfigError for a file that is not there, or not below the working folder */
  readContract(file: string): string;
  /**
   * Writes a contract that can be read.
   *
   * @throws ContractError for a text that is none, ConfigError for a place outside the working folder, and for a file that is
   *   there unless it may be replaced
   */
  writeContract(file: string, text: string, replaces: boolean): void;
  /** How contracts are written, for people, as Markdown. */
  contractFormat(): string;
}

/** The mock that agents work with, and what they may. */
export interface AgentHost {
  readonly server: AdminServer;
  readonly mock: () => ExplainedMock;
  readonly library: AgentLibrary;
  /** Of the mock, as others reach it: `http://localhost:4010`. */
  readonly address: string;
  /** May they change the mock, and write contracts? */
  readonly mayWrite: boolean;
  /** Base URLs of services that contracts may be replayed at. */
  readonly targets: readonly string[];
  /** The last run that an agent began. */
  readonly last: { run: RunResult | undefined };
  /** Calls of tools that have not ended yet: one whose agent is gone ends after the request in hand. */
  readonly calls: PendingWork;
}

type Inputs = Readonly<Record<string, Input>>;

/** Why a tool does not do what it was asked for. A class of its own: what tools show may have a code and a message, too. */
export class Refused {
  readonly code: string;
  readonly message: string;
  /** How to go on, where there is more to say. */
  readonly hint: string | undefined;

  constructor({ code, message }: Pick<Rejection, 'code' | 'message'>, hint?: string) {
    this.code = code;
    this.message = message;
    this.hint = hint;
  }
}

export function refused(code: ProblemCode, message: string): Refused {
  return new Refused(problem(code, message));
}

/** What a tool gives: JSON, a text, or why it does not. */
export type ToolResult = JsonValue | Refused;

/** Something that an agent can do. */
export interface AgentTool<Given extends Inputs = Inputs> {
  readonly name: string;
  /** For the agent: what it does, and when to use it. */
  readonly about: string;
  readonly input: Given;
  /** `reads`: nothing is another one afterwards; `changes`: the mock, or a file; only where agents may write. */
  readonly effect: 'reads' | 'changes';
  /** @param signal - aborted when the agent wants no answer any more */
  run(
    host: AgentHost,
    input: InputValues<Given>,
    sandbox: string | undefined,
    signal: AbortSignal,
  ): ToolResult | Promise<ToolResult>;
}

/** A tool whose `run` knows the types of its input. */
export function tool<const Given extends Inputs>(definition: AgentTool<Given>): AgentTool {
  return definition;
}

/** What most tools take beside their own input. */
const SANDBOX: Input = { in: 'body', type: 'name', about: 'the sandbox that is meant; without it the main state' };

/** A tool takes one object, whatever an action of the table reads from a query and a body. */
function inputOf({ input }: Pick<AgentTool, 'input'>): Inputs {
  return {
    ...Object.fromEntries(Object.entries(input).map(([name, each]) => [name, { ...each, in: 'body' }])),
    sandbox: SANDBOX,
  };
}

/** Reads what an agent sent by the table of inputs. */
export function readToolInput(
  given: AgentTool,
  sent: JsonObject,
): { readonly input: InputValues; readonly sandbox: string | undefined } | Rejection {
  const { sandbox, ...input } = inputOf(given);
  const table = { ...input, within: sandbox ?? SANDBOX };
  const read = decodeInput({ input: table }, [], withTexts(table, renamed(sent)));
  if ('code' in read) return { ...read, message: read.message.replace(/\bwithin\b/g, 'sandbox') };
  const { within, ...others } = read.input;
  return { input: others, sandbox: within as string | undefined };
}

/** A number for a text, such as a key as items have it; only agents read one thing and write the other. */
function withTexts(input: Inputs, sent: JsonObject): JsonObject {
  const isText = (name: string): boolean => ['string', 'name'].includes(input[name]?.type ?? '');
  const given = Object.entries(sent).map(([name, value]): [string, JsonValue] => [
    name,
    isText(name) && (typeof value === 'number' || typeof value === 'bigint') ? String(value) : value,
  ]);
  return Object.fromEntries(given);
}

/** The table of actions reads a sandbox from the query, which a tool has not. */
function renamed({ sandbox, ...others }: JsonObject): JsonObject {
  return sandbox === undefined ? others : { ...others, within: sandbox };
}

const SCHEMAS: Readonly<Record<keyof InputTypes, JsonObject>> = {
  string: { type: 'string' },
  name: { type: 'string', minLength: 1 },
  integer: { type: 'integer', minimum: 0 },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  strings: { type: 'array', items: { type: 'string' } },
  integers: { type: 'array', items: { type: 'integer', minimum: 0 } },
  object: { type: 'object' },
  json: {},
};

/** What a tool takes, as a JSON Schema (2020-12). */
export function toolSchema(given: AgentTool): JsonObject {
  const inputs = Object.entries(inputOf(given));
  const required = inputs.filter(([, each]) => each.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      inputs.map(([name, each]) => [name, name === 'key' ? keySchema(each) : schemaOf(each)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** As items have it. */
function keySchema(input: Input): JsonObject {
  return { ...schemaOf(input), type: ['string', 'integer'] };
}

function schemaOf({ type, about, isNullable, most, example }: Input): JsonObject {
  const { type: kind, ...schema } = SCHEMAS[type];
  return {
    ...(kind === undefined ? {} : { type: isNullable === true ? [kind, 'null'] : kind }),
    ...schema,
    ...(most === undefined ? {} : { maximum: most }),
    description: example === undefined ? about : `${about}; such as ${example}`,
  };
}

/** What is JSON by the way it was made; what is `undefined` in it is left out. Numbers stay as exact as they are. */
export function asJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : asJson(each)));
  // Exact numbers are objects of a class.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value as JsonValue;
  const known = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(known.map(([name, each]) => [name, asJson(each)]));
}

/** Characters of a result at the most: an agent pays for each, and asks for a part of what is larger. */
const LONGEST_RESULT = 24_000;

/** A result as a text; what is cut of it is said. */
export function resultText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  if (text.length <= LONGEST_RESULT) return text;
  return `${text.slice(0, LONGEST_RESULT)}\n… cut: these are ${LONGEST_RESULT} of ${text.length} characters. Ask for less: a search, a limit, an offset, or one thing.`;
}
