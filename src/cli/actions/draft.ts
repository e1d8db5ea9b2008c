import { isRequired } from '../../checks/request/parameters';
import { isJsonMediaType } from '../../core/http/media-type';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { knownKeys, sampleOf, valueFor } from '../../explain/route';
import type { DescriptionOptions } from '../../files/load-api';
import { CONTRACT_FORMAT } from '../../formats/contract/contract';
import type { ServerParts } from '../../library/create-mock-server';
import type { OperationPlan } from '../../mock/plans/operation-plan';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Parameter, Schema } from '../../openapi/model/operation';
import { writeYaml } from '../../openapi/read/yaml-text';
import { CONFIG_FORMAT } from '../options/config-keys';

/** A contract that is being drafted. */
export interface Draft {
  readonly title: string;
  /** Names of things that no step makes, with what leads to one at the mock. */
  readonly variables: readonly DraftVariable[];
  readonly steps: readonly DraftStep[];
}

export interface DraftVariable {
  readonly name: string;
  readonly value: JsonValue;
}

export interface DraftStep {
  readonly operation: Operation;
  /** With placeholders. */
  readonly parameters: JsonObject;
  readonly body: JsonValue | undefined;
  readonly status: number;
  readonly capture: { readonly name: string; readonly from: JsonValue } | undefined;
  /** Why it does not pass at the mock. */
  readonly pending: string | undefined;
  /** Why what it makes stays, where the run could not remove it. */
  readonly leaves?: string | undefined;
}

/** The step as a property of `steps`. */
export function stepValue({ operation, parameters, body, status, capture, pending, leaves }: DraftStep): JsonObject {
  return {
    operation: operation.id,
    ...(pending === undefined ? {} : { pending }),
    ...(leaves === undefined ? {} : { leaves }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { body }),
    expect: { status },
    ...(capture === undefined ? {} : { capture: { [capture.name]: capture.from } }),
  };
}

/** A value in which nothing is read as a placeholder. */
function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, literal(property as JsonValue)]));
}

/** Something that an earlier step makes, or that a variable names. */
export interface CapturedKey {
  readonly name: string;
  readonly value: JsonValue;
}

const PACKAGE = 'node_modules/standin';

export function contractText({ title, variables, steps }: Draft): string {
  const contract = {
    standin: CONTRACT_FORMAT,
    name: `Every operation of ${title === '' ? 'the API' : title}`,
    ...(variables.length === 0
      ? {}
      : { variables: Object.fromEntries(variables.map(({ name, value }) => [name, literal(value)])) }),
    steps: steps.map(stepValue),
  };
  return [
    `# yaml-language-server: $schema=../${PACKAGE}/contracts/contract.schema.json`,
    '# Written by standin init: one step for each operation, as it passes at the mock. It is yours to change: say what',
    '# else has to be true of the responses under expect, and add the rejections that matter.',
    ...(variables.length === 0
      ? []
      : ['# Variables name what no step makes; their defaults are items of the mock: --variable name=value.']),
    writeYaml(contract),
  ].join('\n');
}

interface ConfigFacts {
  readonly description: string;
  /** How it is read. */
  readonly reading: DescriptionOptions;
  /** Do the calls without a key that the runner adds pass at the mock? */
  readonly probesPass: boolean;
}

export function configText({ basePath }: ApiModel, { description, reading, probesPass }: ConfigFacts): string {
  const flags = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined));
  const config = {
    standin: CONFIG_FORMAT,
    description,
    mock: { port: 4010, ...flags },
    verify: {
      contracts: ['contracts'],
      baseUrl: `http://127.0.0.1:4010${basePath}`,
      ...flags,
      ...(probesPass ? {} : { authProbes: false }),
    },
  };
  return `# yaml-language-server: $schema=./${PACKAGE}/dist/generated/config.schema.json\n${writeYaml(config)}`;
}

/** What stands in the place of a variable of the path. */
interface ChosenParameter {
  /** As the contract names it. */
  readonly key: string;
  readonly value: JsonValue;
  /** Of what an earlier step made; `undefined` for what is there by itself. */
  readonly placeholder: string | undefined;
}

/** Values for the variables of a path: of what was made where that is known, else of rows of the mock. */
export function pathParameters(
  parts: ServerParts,
  plan: OperationPlan,
  made: ReadonlyMap<string, CapturedKey>,
): ChosenParameter[] {
  const { operation } = plan;
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const variables = inPath.map(({ name }) => ({ name, value: `{${name}}` }));
  const known = knownKeys(parts, { plan, variables });
  return inPath.flatMap((parameter): ChosenParameter[] => {
    const own = capturedKeyFor(plan, parameter.name, made);
    const key = keyOf(operation, parameter);
    if (own !== undefined) return [{ key, value: own.value, placeholder: `\${${own.name}}` }];
    const value = known.get(parameter.name) ?? valueFor(parts, parameter);
    return [{ key, value: value === undefined || isStructured(value) ? 'x' : value, placeholder: undefined }];
  });
}

function capturedKeyFor(
  { behaviour, parentItem }: OperationPlan,
  name: string,
  made: ReadonlyMap<string, CapturedKey>,
): CapturedKey | undefined {
  const binding = behaviour?.binding ?? parentItem?.binding;
  if (binding === undefined) return undefined;
  const { resource, scopeParameters, keyParameter, restrictions } = binding;
  if (name === keyParameter) return made.get(resource.path);
  const index = scopeParameters.indexOf(name);
  const parent =
    index < 0 ? restrictions.find((each) => each.parameter === name)?.parent : resource.scope[index]?.parent;
  return parent === undefined ? undefined : made.get(parent);
}

/** What is required in the query and the headers, and no credential. */
export function requiredParameters(parts: ServerParts, operation: Operation): JsonObject {
  const schemes = operation.security.flat().map(({ name }) => parts.api.securitySchemes.get(name)?.parameterName);
  const needed = operation.parameters.filter((parameter) => {
    return parameter.in !== 'path' && isRequired(parameter) && !schemes.includes(parameter.name);
  });
  const entries = needed.flatMap((parameter): [string, JsonValue][] => {
    const value = valueFor(parts, parameter);
    return value === undefined || isStructured(value) ? [] : [[keyOf(operation, parameter), literal(value)]];
  });
  return Object.fromEntries(entries);
}

/** A contract has scalars and lists of them for parameters. */
function isStructured(value: JsonValue): boolean {
  return value === null || isJsonObject(value) || (Array.isArray(value) && value.some(isStructured));
}

/** `path.id` where two parameters share a name. */
function keyOf({ parameters }: Operation, { name, in: place }: Parameter): string {
  return parameters.filter((each) => each.name === name).length > 1 ? `${place}.${name}` : name;
}

/** So many bodies are generated in search of one that is taken. */
const MOST_BODIES = 3;
/** Properties that mostly have to differ from item to item, and that people read. */
const NAMES = /^(?:name|title|label|slug|username|login|displayName|display_name)$/;
const NAMING: ReadonlySet<string> = new Set(['create', 'replace', 'upsert']);
const RUN_ID = '1a2b3c4d';

/**
 * Bodies to try for an operation, the best first; one `undefined` where it takes none.
 *
 * @param keyFor - something to refer to, by the path of its resource
 */
export function* draftBodies(
  parts: ServerParts,
  plan: OperationPlan,
  keyFor: (path: string) => CapturedKey | undefined,
): Generator<JsonValue | undefined> {
  const entry = entryOf(plan);
  let isMade = false;
  for (const body of entry === undefined ? [] : bodiesOf(parts, entry)) {
    isMade = true;
    yield withPlaceholders(plan, entry?.schema, body, keyFor);
  }
  // Where none can be made the step is there all the same, and what is lacking is the reason why it is pending.
  if (!isMade || plan.operation.requestBody?.required !== true) yield undefined;
}

function* bodiesOf(parts: ServerParts, { schema, examples }: MediaTypeEntry): Generator<JsonValue> {
  const example = examples.find(({ value }) => schema?.accepts(value, 'request') !== false);
  if (example !== undefined) yield example.value;
  else if (schema === undefined) yield {};
  for (let ordinal = 0; schema !== undefined && ordinal < MOST_BODIES; ordinal++) {
    const value = sampleOf(parts, schema, ordinal);
    if (value !== undefined) yield value;
  }
}

/** What a body of a contract can be written as. */
function entryOf({ operation }: OperationPlan): MediaTypeEntry | undefined {
  const content = operation.requestBody?.content ?? [];
  const form = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
  return (
    content.find(({ mediaType }) => isJsonMediaType(mediaType) && !/json-patch\b/i.test(mediaType)) ??
    content.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    content.find(({ mediaType }) => form.test(mediaType)) ??
    content[0]
  );
}

/** With the keys of what it refers to, and with the id of the run in its name, as far as the schema allows that. */
function withPlaceholders(
  { behaviour }: OperationPlan,
  schema: Schema | undefined,
  value: JsonValue,
  keyFor: (path: string) => CapturedKey | undefined,
): JsonValue {
  const written = literal(value);
  if (!isJsonObject(value) || !isJsonObject(written) || behaviour === undefined) return written;
  const draft = new DraftBody(schema, value, written);
  for (const { property, to, form } of behaviour.resource.references) {
    const own = form === 'key' && property in value ? keyFor(to) : undefined;
    if (own !== undefined) draft.replace(property, `\${${own.name}}`, own.value);
  }
  if (NAMING.has(behaviour.kind)) draft.nameByRun();
  return draft.body;
}

/** A body as the contract has it, beside the one that is sent: what is put into it has to keep the schema. */
class DraftBody {
  readonly body: Record<string, JsonValue>;
  private readonly schema: Schema | undefined;
  private readonly sent: Record<string, JsonValue>;

  constructor(schema: Schema | undefined, sent: JsonObject, written: JsonObject) {
    this.schema = schema;
    this.sent = { ...sent };
    this.body = { ...written };
  }

  /** @returns false where the schema does not allow it, or there is no such property */
  replace(property: string, text: string, meant: JsonValue): boolean {
    const before = this.sent[property];
    if (before === undefined) return false;
    setProperty(this.sent, property, meant);
    if (this.schema?.accepts(this.sent, 'request') !== false) {
      setProperty(this.body, property, text);
      return true;
    }
    setProperty(this.sent, property, before);
    return false;
  }

  /** A name with the id of the run in it is free at every service, and tells whose it is. */
  nameByRun(): void {
    const name = Object.keys(this.sent).find((each) => NAMES.test(each) && typeof this.sent[each] === 'string');
    const given = name === undefined ? undefined : this.sent[name];
    if (name === undefined || typeof given !== 'string') return;
    const stem = given.replaceAll('${', '').slice(0, 20);
    [' ', '-', ''].some((joint) => this.replace(name, `${stem}${joint}\${runId}`, `${stem}${joint}${RUN_ID}`));
  }
}
