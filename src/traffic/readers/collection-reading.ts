import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { counted } from '../../core/text/printable';
import type { RecordedExchange, RecordedResponse } from '../exchange/recorded-exchange';
import { textBody } from './bodies';
import { itemsAt, numberAt, objectAt, objectsAt, textAt } from './loose-values';
import { readPostmanRequest } from './postman-request';
import { headersOf } from './postman-url';
import { type PostmanContext, PostmanVariables, valuesOf } from './postman-variables';
import { type ReadItem, type ReadProblem, type TrafficSource, wholeProblem } from './reader';
import { VariableMarks } from './variable-marks';

/** What the parts of a collection are called in its file. */
interface PartNames {
  readonly items: string;
  readonly examples: string;
  readonly request: string;
  readonly variables: string;
}

/** Where a collection stands in its file, as a JSON pointer with `#` before it, and how its parts are called there. */
interface CollectionPlace {
  readonly at: string;
  readonly names: PartNames;
}

/**
 * Reads the requests of a collection in their order.
 *
 * @param collection - as Postman has it, in version 2.1; of another format what it is in those words
 */
export function readCollection(
  source: TrafficSource,
  collection: JsonObject,
  { at, names }: CollectionPlace,
): Iterable<ReadItem> {
  return new CollectionReading(source, names).read(collection, at);
}

class CollectionReading {
  private readonly source: TrafficSource;
  private readonly names: PartNames;
  private readonly marks = new VariableMarks();
  private scripts = 0;
  private requests = 0;

  constructor(source: TrafficSource, names: PartNames) {
    this.source = source;
    this.names = names;
  }

  *read(collection: JsonObject, at: string): Iterable<ReadItem> {
    const context: PostmanContext = {
      variables: new PostmanVariables(new Map(), this.marks, this.source.values),
      auth: undefined,
      file: (path) => this.source.beside(path),
      keepsBody: false,
    };
    yield* this.readItems(collection, context, at);
    yield* this.remarks(at);
  }

  private *remarks(at: string): Iterable<ReadProblem> {
    const { asked } = this.marks;
    if (asked.length > 0) {
      const problem = `${counted(asked.length, 'variable')} without a value in the collection: ${asked.join(', ')}`;
      yield this.problem(`${at}/${this.names.variables}`, problem, 'kept as secrets without a value');
    }
    if (this.scripts > 0)
      yield this.problem(
        '',
        `${counted(this.scripts, 'script')} of the collection`,
        'not run: what they set is not known',
      );
    if (this.requests === 0) yield wholeProblem(this.source, 'The collection has no requests that can be read');
  }

  /** The items of a collection or a folder, in their order: that of a run. */
  private *readItems(parent: JsonObject, outer: PostmanContext, at: string): Iterable<ReadItem> {
    this.countScripts(parent);
    const { auth } = parent;
    const context = {
      ...outer,
      variables: outer.variables.with(valuesOf(parent)),
      auth: isJsonObject(auth) ? auth : outer.auth,
    };
    for (const [index, item] of itemsAt(parent, 'item').entries()) {
      const place = joinPointer(`${at}/${this.names.items}`, index);
      if (!isJsonObject(item)) yield this.problem(place, 'The item is not an object', 'left out');
      else if (Array.isArray(item['item'])) yield* this.readItems(item, context, place);
      else yield* this.readItem(item, context, place);
    }
  }

  private *readItem(item: JsonObject, outer: PostmanContext, at: string): Iterable<ReadItem> {
    this.countScripts(item);
    const request = ownProperty(item, 'request');
    if (request === undefined || request === null) {
      yield this.problem(at, 'The item has no request', 'left out');
      return;
    }
    const behaviour = objectAt(item, 'protocolProfileBehavior');
    const context = {
      ...outer,
      variables: outer.variables.with(valuesOf(item)),
      keepsBody: behaviour['disableBodyPruning'] === true,
    };
    const name = textAt(item, 'name');
    const examples = objectsAt(item, 'response');
    if (examples.length === 0)
      yield* this.exchange(request, undefined, context, { at: `${at}/${this.names.request}`, name });
    for (const [index, example] of examples.entries()) {
      const place = joinPointer(`${at}/${this.names.examples}`, index);
      const sent = isJsonObject(example['originalRequest']) ? withAuthOf(request, example['originalRequest']) : request;
      const title = examples.length === 1 ? name : [name, textAt(example, 'name')].filter(Boolean).join(': ');
      yield* this.exchange(sent, example, context, { at: place, name: title });
    }
  }

  private *exchange(
    value: JsonValue,
    example: JsonObject | undefined,
    context: PostmanContext,
    { at, name }: { readonly at: string; readonly name: string | undefined },
  ): Iterable<ReadItem> {
    const { sent, problems } = readPostmanRequest(value, context);
    for (const { problem, done } of problems) yield this.problem(at, problem, done);
    if (sent === undefined) return;
    const response = example === undefined ? undefined : responseOf(example, context.variables);
    if (example !== undefined && response === undefined)
      yield this.problem(at, 'The saved response has no status', 'kept as a request alone');
    this.requests += 1;
    const times = { startedAt: undefined, endedAt: undefined };
    const exchange: RecordedExchange = {
      source: `${this.source.file}${at}`,
      ...times,
      ...sent,
      response,
      ...(response === undefined ? { isRequestAlone: true } : {}),
      notes: [],
      name,
      ...(this.marks.declared.length === 0 ? {} : { declaredSecrets: this.marks.declared }),
    };
    yield exchange;
  }

  private countScripts(item: JsonObject): void {
    const scripts = objectsAt(item, 'event').filter((event) => {
      const exec = objectAt(event, 'script')['exec'];
      const lines = Array.isArray(exec) ? exec : [exec];
      return lines.some((line) => typeof line === 'string' && line.trim() !== '');
    });
    this.scripts += scripts.length;
  }

  private problem(at: string, problem: string, done: string): ReadProblem {
    return { file: this.source.file, at, problem, done };
  }
}

/** What was sent for an example is saved without the credentials that its request has. */
function withAuthOf(request: JsonValue, original: JsonObject): JsonObject {
  const auth = isJsonObject(request) ? request['auth'] : undefined;
  return auth === undefined || isJsonObject(original['auth']) ? original : { ...original, auth };
}

function responseOf(example: JsonObject, variables: PostmanVariables): RecordedResponse | undefined {
  const status = numberAt(example, 'code');
  if (status === undefined || status < 100 || status > 999) return undefined;
  return { status, headers: headersOf(example, variables), body: textBody(textAt(example, 'body') ?? '') };
}
