import { isJsonObject, type JsonObject, type JsonValue, setProperty, valueAlong } from '../../core/json/json-value';
import { headerValue } from '../../core/http/headers';
import { isSameValue } from '../../checks/run/sent-values';
import type { ApiModel } from '../../openapi/model/api-model';
import { type Call, isSuccess } from '../flow/call';
import { keyOwner } from '../flow/key-owner';
import { keyText } from '../../runner/ownership/item-routes';
import { keyGiven, keyMade, keyPath, makesOne, shownItems } from '../flow/producers';
import { rewriteSent, type StepContext } from './step-context';

/** Something that the recording made, as far as is known of it. */
export interface OwnThing {
  /** Path of its resource. */
  readonly resource: string;
  /** Variables of the path before the key, as they were sent. */
  readonly scope: string;
  key: string;
  /** The call that made it. */
  readonly madeBy: Call;
  /** How many of the resource there were before. */
  readonly ordinal: number;
  /** Properties as the client sent them last, and the service has shown them since: as recorded, as a contract has them. */
  readonly known: Map<string, { readonly recorded: JsonValue; readonly written: JsonValue }>;
  isRemoved: boolean;
}

/** Follows what the calls make, change and remove. */
export class OwnThings {
  private readonly things: OwnThing[] = [];
  /** Records of these under their keys, which come and go with them. */
  private readonly parts: OwnThing[] = [];
  private readonly api: ApiModel;

  constructor(api: ApiModel) {
    this.api = api;
  }

  all(): readonly OwnThing[] {
    return this.things;
  }

  /** The thing that a call is about: by its path, else by what a POST to the collection sends as the key. */
  named(call: Call): OwnThing | undefined {
    const { binding } = call;
    if (binding?.keyParameter === undefined) return this.namedInBody(call);
    const key = textOf(call, binding.keyParameter);
    if (key === undefined) return undefined;
    const [resource, scope] = [binding.resource.path, scopeOf(call)];
    return this.find(resource, scope, key) ?? this.part(resource, scope, key);
  }

  private part(resource: string, scope: string, key: string): OwnThing | undefined {
    const known = this.parts.findLast((each) => each.resource === resource && each.scope === scope && each.key === key);
    if (known !== undefined) return known;
    const owner = keyOwner(this.api, resource);
    const whole = owner === resource ? undefined : this.find(owner, '', key);
    if (whole === undefined) return undefined;
    const part = new Part(whole, resource, scope);
    this.parts.push(part);
    return part;
  }

  /** The thing that a POST to the collection changes. */
  namedInBody(call: Call): OwnThing | undefined {
    const { binding, requestBody } = call;
    if (binding?.behaviour !== 'create' || !isSuccess(call)) return undefined;
    const key = keyText(valueAlong(requestBody, [...(binding.request?.path ?? []), ...keyPath(binding.resource)]));
    const thing = key === undefined ? undefined : this.find(binding.resource.path, scopeOf(call), key);
    return thing?.isRemoved === true ? undefined : thing;
  }

  find(resource: string, scope: string, key: string): OwnThing | undefined {
    return this.things.findLast((each) => each.resource === resource && each.scope === scope && each.key === key);
  }

  /** Those of the resource of a list, which its path names. */
  listedBy(call: Call): OwnThing[] {
    const { binding } = call;
    if (binding === undefined) return [];
    const scope = scopeOf(call);
    return [...this.things, ...this.parts].filter(
      (each) => each.resource === binding.resource.path && (binding.isAcross || each.scope === scope),
    );
  }

  /** Takes in what a call did. @returns what it made, if it made something */
  follow(context: StepContext, call: Call): OwnThing | undefined {
    if (call.binding === undefined || !isSuccess(call)) return undefined;
    const named = this.named(call);
    const thing = named instanceof Part ? undefined : named;
    if (this.makes(call, thing)) {
      // What came in its place has another key.
      if (thing !== undefined) thing.isRemoved = true;
      return this.add(context, call);
    }
    const given = keyGiven(call);
    if (given !== undefined && thing === undefined) return this.add(context, call);
    if (named !== undefined) change(context, call, named);
    if (given !== undefined && thing !== undefined) thing.key = given;
    return undefined;
  }

  private makes(call: Call, named: OwnThing | undefined): boolean {
    const { binding, status } = call;
    const behaviour = binding?.behaviour;
    if (makesOne(call)) return named === undefined || ![undefined, named.key].includes(keyMade(call)?.key);
    return behaviour === 'upsert' && named === undefined && status === 201;
  }

  private add(context: StepContext, call: Call): OwnThing | undefined {
    const resource = call.binding?.resource.path;
    const key = keyOfNew(call);
    if (key === undefined || resource === undefined) return undefined;
    const ordinal = this.things.filter((each) => each.resource === resource).length;
    const about = { resource, scope: scopeOf(call), key, madeBy: call, ordinal };
    const thing: OwnThing = { ...about, known: new Map(), isRemoved: false };
    this.things.push(thing);
    learn(context, call, thing);
    return thing;
  }
}

/** A record of an own thing that has its key: there as long as the thing is, unless it is removed by itself. */
class Part implements OwnThing {
  readonly known: OwnThing['known'] = new Map();
  readonly resource: string;
  readonly scope: string;
  private readonly whole: OwnThing;
  private isGone = false;

  constructor(whole: OwnThing, resource: string, scope: string) {
    this.whole = whole;
    this.resource = resource;
    this.scope = scope;
  }

  get key(): string {
    return this.whole.key;
  }
  get madeBy(): Call {
    return this.whole.madeBy;
  }
  get ordinal(): number {
    return this.whole.ordinal;
  }
  get isRemoved(): boolean {
    return this.isGone || this.whole.isRemoved;
  }
  set isRemoved(isGone: boolean) {
    this.isGone = isGone;
  }
}

function change(context: StepContext, call: Call, thing: OwnThing): void {
  switch (call.binding?.behaviour) {
    case 'remove':
      thing.isRemoved = true;
      break;
    case 'read':
    case 'act':
      forget(call, thing);
      break;
    case 'replace':
    case 'upsert':
      thing.known.clear();
      learn(context, call, thing);
      break;
    default:
      learn(context, call, thing);
  }
}

/** What was sent is known of it now, but for what the response shows otherwise. */
function learn(context: StepContext, call: Call, { known }: OwnThing): void {
  const sent = valueAlong(call.requestBody, call.binding?.request?.path ?? []);
  if (!isJsonObject(sent)) return;
  const [first] = shownItems(call);
  // A response with nothing of what was sent, such as the key alone, does not tell what was kept.
  const shown = Object.keys(sent).some((name) => first?.item[name] !== undefined) ? first?.item : undefined;
  const written = rewriteItem(context, call, sent);
  for (const [name, recorded] of Object.entries(sent)) {
    const value = isKept(context, name, recorded, shown) ? written[name] : undefined;
    if (value !== undefined) known.set(name, { recorded, written: value });
    else known.delete(name);
  }
  if (shown !== undefined) forget(call, { known });
}

/** A service may write a time of the session in another way, or take its own clock for now. */
function isKept({ times }: StepContext, name: string, recorded: JsonValue, shown: JsonObject | undefined): boolean {
  if (recorded === null || (typeof recorded === 'string' && times.has(recorded))) return false;
  return shown === undefined || isSameValue(recorded, shown[name]);
}

function rewriteItem(context: StepContext, call: Call, sent: JsonObject): JsonObject {
  const root = (call.binding?.request?.path ?? []).map((name) => `/${name}`).join('');
  const written: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(sent))
    setProperty(written, name, rewriteSent(context, call, 'body', value, `${root}/${name}`));
  return written;
}

/** What the service shows otherwise now is not known any more. */
function forget(call: Call, { known }: Pick<OwnThing, 'known'>): void {
  const shown = shownItems(call)[0]?.item;
  if (shown === undefined) return;
  for (const [name, { recorded }] of known)
    if (shown[name] !== undefined && !isSameValue(recorded, shown[name])) known.delete(name);
}

function keyOfNew(call: Call): string | undefined {
  const made = keyMade(call)?.key ?? keyGiven(call);
  if (made !== undefined) return made;
  const { binding, exchange } = call;
  if (binding?.keyParameter !== undefined) return textOf(call, binding.keyParameter);
  const location = headerValue(exchange.response?.headers ?? [], 'location');
  const last = location === undefined ? undefined : /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  return last === undefined ? undefined : decodeURIComponent(last);
}

function textOf(call: Call, variable: string): string | undefined {
  const sent = call.parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === variable);
  return sent === undefined ? undefined : keyText(sent.value);
}

function scopeOf(call: Call): string {
  return (call.binding?.scopeParameters ?? []).map((name) => textOf(call, name) ?? '').join('/');
}
