import type { ServerParts } from '../adapters/create-mock-server';
import { isJsonMediaType } from '../http/media-type';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { setMember } from '../json/member';
import type { OperationPlan } from '../mock/operation-plan';
import type { MediaTypeEntry, Schema } from '../openapi/model';
import { literal } from './draft';
import type { Made } from './draft-contract';
import { sampleOf } from './made-value';

/** So many bodies are made up in search of one that is taken. */
const MOST_BODIES = 3;
/** Members that mostly have to differ from item to item, and that people read. */
const NAMES = /^(?:name|title|label|slug|username|login|displayName|display_name)$/;
const NAMING: ReadonlySet<string> = new Set(['create', 'replace', 'upsert']);
const RUN_ID = '1a2b3c4d';

/** Bodies to try for an operation, the best first; one `undefined` where it takes none. */
export function* draftBodies(
  parts: ServerParts,
  plan: OperationPlan,
  made: ReadonlyMap<string, Made>,
): Generator<JsonValue | undefined> {
  const entry = entryOf(plan);
  let isMade = false;
  for (const body of entry === undefined ? [] : bodiesOf(parts, entry)) {
    isMade = true;
    yield finished(plan, entry?.schema, body, made);
  }
  // Where none can be made the step is there all the same, and what is lacking is the reason why it is pending.
  if (!isMade || plan.operation.requestBody?.required !== true) yield undefined;
}

function* bodiesOf(parts: ServerParts, { schema, examples }: MediaTypeEntry): Generator<JsonValue> {
  const example = examples.find(({ value }) => isValid(schema, value));
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

function isValid(schema: Schema | undefined, value: JsonValue): boolean {
  return schema === undefined || schema.validate('request')(value).length === 0;
}

/** With the keys of what was made, and with the id of the run in its name, as far as the schema allows that. */
function finished(
  { behaviour }: OperationPlan,
  schema: Schema | undefined,
  value: JsonValue,
  made: ReadonlyMap<string, Made>,
): JsonValue {
  const written = literal(value);
  if (!isJsonObject(value) || !isJsonObject(written) || behaviour === undefined) return written;
  const draft = new DraftBody(schema, value, written);
  for (const { member, to, form } of behaviour.resource.references) {
    const own = form === 'key' ? made.get(to) : undefined;
    if (own !== undefined) draft.replace(member, `\${${own.name}}`, own.value);
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

  /** @returns false where the schema does not allow it, or there is no such member */
  replace(member: string, text: string, meant: JsonValue): boolean {
    const before = this.sent[member];
    if (before === undefined) return false;
    setMember(this.sent, member, meant);
    if (isValid(this.schema, this.sent)) {
      setMember(this.body, member, text);
      return true;
    }
    setMember(this.sent, member, before);
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
