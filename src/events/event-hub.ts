import { randomUUID } from 'node:crypto';
import { headerValue } from '../core/http/headers';
import type { HttpResponse } from '../core/http/message';
import { JsonSyntaxError } from '../core/json/json-syntax-error';
import { equalJson, type JsonObject, type JsonValue } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { once } from '../core/text/memoize';
import { observeRequest } from '../formats/contract/runtime-expression';
import type { Mock } from '../mock/create-mock';
import type { DoneRequest } from '../mock/context/context';
import type { ReportDefect } from '../mock/pipeline/mock-engine';
import type { Sandbox } from '../mock/sandbox/sandbox';
import { MAIN_ID } from '../mock/sandbox/sandbox-selection';
import type { Change } from '../mock/state/state';
import { type EventSigns, eventSigns } from '../openapi/model/documented-events';
import type { Operation } from '../openapi/model/operation';
import { createRedaction } from '../redaction/redaction';
import { viewOf } from '../openapi/view/schema-view';
import { parseCollectionName } from '../resources/model/resource';
import { Deliveries, type Delivery, type PostMessage } from './deliveries';
import { EventBodies } from './event-body';
import { type Occurrence, occurrencesOf, subjectOf } from './event-occurrences';
import {
  callbackUrl,
  type EventTarget,
  isNamed,
  subscriptionShapes,
  type SubscriptionShape,
  targetOf,
} from './event-targets';
import { type EventPlan, planEvents } from './event-triggers';
import type { SignatureScheme } from '../security/message-signature';

/** How events are sent. */
export interface EventOptions {
  /** Where events go beside those who asked for them; `*` names all. */
  readonly targets: readonly { readonly event: string; readonly url: string }[];
  /** Hosts that may be sent to beside this machine. */
  readonly hosts: readonly string[];
  /** Signs what goes to targets that gave no secret. */
  readonly secret: string | undefined;
  readonly scheme: SignatureScheme;
  readonly post: PostMessage;
}

/** A callback that a request asked for. */
interface Registration {
  readonly pointer: string;
  readonly sandbox: string;
  readonly url: string;
  /** The item that the request made: `/orders 7`; `undefined` where it made none. */
  readonly subject: string | undefined;
  readonly collection: string | undefined;
}

/** What is known of the events of one description. */
interface Events {
  readonly signs: EventSigns;
  readonly subscriptions: readonly SubscriptionShape[];
  /** A second with a large description. */
  readonly plans: () => readonly EventPlan[];
  readonly bodies: () => EventBodies;
}

/** Of those who asked for callbacks, so many are remembered. */
const MOST_REGISTRATIONS = 1000;

/** What became of the events that a mock sent. */
export interface DeliveryControls {
  /** The latest thousand, oldest first. */
  deliveries(): readonly Delivery[];
  /**
   * Sends one again, under the same id, whatever became of it.
   *
   * @returns false where it is not remembered
   */
  sendAgain(id: string): boolean;
}

/** Sends the events of a description when requests change what is stored, to those who asked for them. */
export class EventHub {
  private readonly current: () => Mock;
  private readonly options: EventOptions;
  private readonly reportDefect: ReportDefect;
  private readonly deliveries: Deliveries;
  private registrations: Registration[] = [];
  private readonly known = new WeakMap<Mock, Events>();

  /** @param reportDefect - told of errors of ours: the request was answered, and nobody else would learn of them */
  constructor(current: () => Mock, options: EventOptions, reportDefect: ReportDefect) {
    this.current = current;
    this.reportDefect = reportDefect;
    this.options = options;
    this.deliveries = new Deliveries(options.scheme, options.post);
  }

  /** A request was answered. What it caused is sent when it is stored. */
  noticed(request: DoneRequest, response: HttpResponse): void {
    const { operation, sandbox, sandboxes } = request;
    if (operation === undefined || response.status >= 400) return;
    const stored = sandboxes.store?.settled(sandbox);
    const send = (): void => {
      try {
        const events = this.eventsOf(this.current());
        if (this.mayBeWanted(events, operation, request)) this.send(events, request, operation, response);
      } catch (error) {
        this.reportDefect(error, request.head);
      }
    };
    // What is not stored after all has not happened.
    if (stored === undefined) send();
    else stored.then(send, () => undefined);
  }

  /** Events are not even read where nobody asked for any. */
  private mayBeWanted(
    { signs, subscriptions }: Events,
    operation: Operation,
    { changes, sandbox }: DoneRequest,
  ): boolean {
    const { hasWebhooks, registering } = signs;
    if (!hasWebhooks && registering.size === 0) return false;
    if (registering.has(operation.pointer) || this.options.targets.length > 0) return true;
    if (changes.length === 0) return false;
    return (
      this.registrations.length > 0 ||
      subscriptions.some((shape) => itemsOf(this.current(), sandbox, shape).next().done === false)
    );
  }

  get controls(): DeliveryControls {
    return { deliveries: () => this.deliveries.all(), sendAgain: (id) => this.deliveries.again(id) };
  }

  private eventsOf(mock: Mock): Events {
    let events = this.known.get(mock);
    if (events === undefined) {
      const { context, model } = mock;
      const { api, options, resources } = context;
      events = {
        signs: eventSigns(api.document),
        subscriptions: subscriptionShapes(model.resources, viewOf(api)),
        plans: once(() => planEvents(api, model)),
        bodies: once(() => new EventBodies(api, resources, options.seed)),
      };
      this.known.set(mock, events);
    }
    return events;
  }

  private send(events: Events, request: DoneRequest, operation: Operation, response: HttpResponse): void {
    const { changes, sandbox } = request;
    const isModelled = this.current().model.bindings.has(operation);
    // A reply that was kept is given again, and nothing is asked for once more.
    if (isModelled && changes.length === 0) return;
    this.forget(sandbox, changes, ({ before }) => before === undefined);
    this.register(events, request, operation, response);
    for (const occurrence of occurrencesOf(events.plans(), { operation, changes, isModelled }))
      for (const target of this.targetsOf(events, occurrence, sandbox))
        this.deliver(events, occurrence, target, request);
    this.forget(sandbox, changes, ({ after }) => after === undefined);
  }

  /** What was asked for with an item that is gone is not about a later one of its key. */
  private forget(sandbox: Sandbox, changes: readonly Change[], isMeant: (change: Change) => boolean): void {
    if (this.registrations.length === 0) return;
    const subjects = new Set(changes.filter(isMeant).map(subjectOf));
    this.registrations = this.registrations.filter(
      (each) => each.sandbox !== (sandbox.id ?? MAIN_ID) || each.subject === undefined || !subjects.has(each.subject),
    );
  }

  private deliver({ bodies }: Events, occurrence: Occurrence, target: EventTarget, request: DoneRequest): void {
    const { sandbox, context } = request;
    const { plan, subject } = occurrence;
    const id = `msg_${randomUUID()}`;
    const made = bodies().make(occurrence, { id, nowMs: context.clock.now() });
    this.deliveries.add({
      id,
      event: plan.type,
      sandbox: sandbox.id ?? MAIN_ID,
      method: plan.event.request.method,
      url: target.url,
      body: made.kind === 'made' ? made.text : undefined,
      mediaType: made.kind === 'made' ? made.mediaType : undefined,
      secret: target.secret ?? this.options.secret,
      lane: `${sandbox.id ?? MAIN_ID} ${target.url} ${subject}`,
      clock: context.clock,
      redaction: () => createRedaction(context.api, plan.event.request, () => '[redacted]'),
      refusal: made.kind === 'made' ? this.refusalOf(target.url) : `its body breaks the description: ${made.reason}`,
    });
  }

  /** A description that somebody else wrote must not make this machine ask others. */
  private refusalOf(url: string): string | undefined {
    const { hostname, host } = new URL(url);
    const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
    if (isLocal || this.options.hosts.includes(hostname) || this.options.hosts.includes(host)) return undefined;
    return `${host} is not this machine; --webhook-allow ${hostname} lets it be sent there`;
  }

  /** Each address once, whoever named it. */
  private targetsOf({ plans, subscriptions }: Events, { plan, subject }: Occurrence, sandbox: Sandbox): EventTarget[] {
    const names = [...new Set([plan.type, plan.event.name])];
    const targets = new Map<string, EventTarget>();
    const add = (target: EventTarget): void => {
      if (!targets.has(target.url)) targets.set(target.url, target);
    };
    const asked =
      plan.event.kind === 'callback'
        ? this.registeredFor(plan, subject, sandbox)
        : subscriptions.flatMap((shape) =>
            [...itemsOf(this.current(), sandbox, shape)].map((item) => targetOf(shape, item, names)),
          );
    for (const target of asked) if (target !== undefined) add(target);
    // What is a webhook as well is sent as that.
    const isWebhookToo = plans().some(({ event, type }) => event.kind === 'webhook' && type === plan.type);
    if (plan.event.kind === 'webhook' || !isWebhookToo)
      for (const { event, url } of this.options.targets)
        if (names.some((name) => isNamed(event, name))) add({ url, secret: undefined });
    return [...targets.values()];
  }

  /** What was asked for with an item is about that item, unless it is about others altogether. */
  private registeredFor({ event }: EventPlan, subject: string, sandbox: Sandbox): EventTarget[] {
    const [collection] = subject.split(' ');
    return this.registrations
      .filter((each) => each.pointer === event.pointer && each.sandbox === (sandbox.id ?? MAIN_ID))
      .filter((each) => each.collection !== collection || each.subject === subject)
      .map(({ url }) => ({ url, secret: undefined }));
  }

  /** Notes where the callbacks of a request go. */
  private register({ plans }: Events, request: DoneRequest, operation: Operation, response: HttpResponse): void {
    const own = plans().filter(({ registeredBy }) => registeredBy === operation);
    if (own.length === 0) return;
    const { head, body, sandbox, call, changes } = request;
    const origin = new URL(call?.baseUrl ?? 'http://localhost').origin;
    const observed = {
      body: jsonOf(response.body),
      header: (name: string) => headerValue(response.headers, name),
      status: response.status,
      request: observeRequest(
        { ...head, body: body ?? new Uint8Array() },
        origin,
        `${this.current().context.basePath}${operation.path}`,
      ),
    };
    const change = changes.find(({ before, after }) => before === undefined && after !== undefined);
    const seen = new Set<string>();
    for (const { event } of own) {
      const url = seen.has(event.pointer) ? undefined : callbackUrl(event.address ?? '', observed);
      seen.add(event.pointer);
      if (url === undefined) continue;
      const subject = change && subjectOf(change);
      const collection = change?.collection;
      this.registrations.push({ pointer: event.pointer, sandbox: sandbox.id ?? MAIN_ID, url, subject, collection });
    }
    this.registrations = this.registrations.slice(-MOST_REGISTRATIONS);
  }
}

/** Those that somebody made, changed or gave as fixtures: nobody asked for what the description makes up at the start. */
function* itemsOf({ initial }: Mock, { live }: Sandbox, { resource }: SubscriptionShape): Generator<JsonObject> {
  for (const [name, collection] of live.snapshot().collections) {
    if (parseCollectionName([resource], name) === undefined) continue;
    const made = initial.seeds?.collection(name);
    for (const [key, item] of collection.entries()) {
      const before = made?.get(key);
      if (before === undefined || !equalJson(before, item)) yield item;
    }
  }
}

function jsonOf(body: HttpResponse['body']): JsonValue | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
