import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '../core/http/message';
import { equalJson, type JsonObject } from '../core/json/json-value';
import { ConfigError } from '../core/errors/standin-error';
import { once } from '../core/text/memoize';
import { PendingWork } from '../core/time/pending-work';
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
import type { DeliveryControls, NewDelivery, PostMessage } from './delivery';
import { EventFaults, readEventFault } from './event-faults';
import type { MessageRecord } from './event-records';
import { PendingEvents } from './pending-events';
import { askedCallbacks } from './asked-callbacks';
import { EventBodies } from './event-body';
import { documentedScheme, EventHeaders } from './event-headers';
import { type Occurrence, occurrencesOf, subjectOf } from './event-occurrences';
import { type EventTarget, isNamed, subscriptionShapes, type SubscriptionShape, targetOf } from './event-targets';
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
  /** Left out: as the description of an event says by the name of a header, else Standard Webhooks. */
  readonly scheme: SignatureScheme | undefined;
  /** What goes wrong on purpose from the start. */
  readonly faults: readonly string[];
  readonly post: PostMessage;
}

/** What is known of the events of one description. */
interface Events {
  readonly signs: EventSigns;
  readonly subscriptions: readonly SubscriptionShape[];
  /** A second with a large description. */
  readonly plans: () => readonly EventPlan[];
  readonly bodies: () => EventBodies;
  readonly headers: () => EventHeaders;
  /** What is sent, by the pointer of its event. */
  readonly requests: () => ReadonlyMap<string, Operation>;
}

/** Sends the events of a description when requests change what is stored, to those who asked for them. */
export class EventHub {
  private readonly current: () => Mock;
  private readonly options: EventOptions;
  private readonly reportDefect: ReportDefect;
  private readonly pending: PendingEvents;
  private readonly faults = new EventFaults();
  private readonly known = new WeakMap<Mock, Events>();
  /** Requests whose events wait until their changes are stored. */
  private readonly unstored = new PendingWork();

  /**
   * @param reportDefect - told of errors of ours: the request was answered, and nobody else would learn of them
   * @param onChange - called where something became of a message
   */
  constructor(current: () => Mock, options: EventOptions, reportDefect: ReportDefect, onChange: () => void) {
    this.current = current;
    this.reportDefect = reportDefect;
    this.options = options;
    this.faults.set(options.faults);
    this.pending = new PendingEvents({
      post: options.post,
      onChange,
      sandboxes: () => current().engine.sandboxes,
      remake: (record, id, sandbox) => this.remade(record, id, sandbox),
    });
  }

  /** Goes on with what a store has. */
  resume(): void {
    if (this.current().engine.sandboxes.store !== undefined && this.hasEvents()) this.pending.start();
  }

  /** Another process goes on with the state, and with what is on its way. */
  stop(): void {
    this.pending.stop();
  }

  /** Does the description have callbacks or webhooks? */
  hasEvents(): boolean {
    const { hasWebhooks, registering } = this.eventsOf(this.current()).signs;
    return hasWebhooks || registering.size > 0;
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
    else void this.unstored.track(stored.then(send, () => undefined));
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
      sandbox.live.outbox.idsOf('callback').size > 0 ||
      subscriptions.some((shape) => itemsOf(this.current(), sandbox, shape).next().done === false)
    );
  }

  get controls(): DeliveryControls {
    const { deliveries } = this.pending;
    return {
      deliveries: () => deliveries.all(),
      sendAgain: (id) => deliveries.again(id),
      waitForDeliveries: async () => {
        await this.unstored.idle();
        await this.pending.idle();
      },
      eventFaults: () => this.faults.list(),
      setEventFaults: (...faults) => {
        if (faults.length > 0 && this.current().context.options.faults.isOff)
          throw new ConfigError('CONFIG_INVALID', 'Faults are off, and those of events with them', {
            hint: 'Start the mock without --faults off.',
          });
        this.faults.set(faults);
      },
    };
  }

  private eventsOf(mock: Mock): Events {
    let events = this.known.get(mock);
    if (events === undefined) {
      const { context, model, overrides } = mock;
      const { api, options, resources } = context;
      events = {
        signs: eventSigns(api.document),
        subscriptions: subscriptionShapes(model.resources, viewOf(api)),
        plans: once(() => planEvents(api, model, overrides)),
        bodies: once(() => new EventBodies(api, resources, options.seed)),
        headers: once(() => new EventHeaders(api, options.seed)),
        requests: once(() => new Map(api.events().map(({ pointer, request }) => [pointer, request]))),
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
    const { basePath } = this.current().context;
    for (const callback of askedCallbacks(events.plans(), request, response, `${basePath}${operation.path}`))
      this.pending.register(sandbox, callback);
    for (const occurrence of occurrencesOf(events.plans(), { operation, changes, isModelled }))
      for (const target of this.targetsOf(events, occurrence, sandbox))
        this.deliver(events, occurrence, target, request);
    this.forget(sandbox, changes, ({ after }) => after === undefined);
  }

  /** What was asked for with an item that is gone is not about a later one of its key. */
  private forget(sandbox: Sandbox, changes: readonly Change[], isMeant: (change: Change) => boolean): void {
    if (sandbox.live.outbox.idsOf('callback').size === 0) return;
    const subjects = new Set(changes.filter(isMeant).map(subjectOf));
    this.pending.forget(sandbox, ({ subject }) => subject !== null && subjects.has(subject));
  }

  private deliver({ bodies }: Events, occurrence: Occurrence, target: EventTarget, request: DoneRequest): void {
    const { sandbox, context } = request;
    const { plan, subject } = occurrence;
    const id = `msg_${randomUUID()}`;
    const nowMs = context.clock.now();
    const made = bodies().make(occurrence, { id, nowMs });
    const secret = target.secret ?? this.options.secret;
    const { pointer } = plan.event;
    const fault = this.faults.take([plan.type, plan.event.name], secret !== undefined);
    this.pending.deliveries.add({
      ...this.about({ id, pointer, type: plan.type, atMs: nowMs }, sandbox),
      ...{ id, pointer, fault, secret },
      event: plan.type,
      method: plan.event.request.method,
      url: target.url,
      body: made.kind === 'made' ? made.text : undefined,
      mediaType: made.kind === 'made' ? made.mediaType : undefined,
      ownSecret: target.secret,
      lane: `${sandbox.id ?? MAIN_ID} ${target.url} ${subject}`,
      refusal: made.kind === 'made' ? this.refusalOf(target.url) : `its body breaks the description: ${made.reason}`,
    });
  }

  /** What of a message follows from its event, and from where it is made. */
  private about(
    {
      id,
      pointer,
      type,
      atMs,
    }: { readonly id: string; readonly pointer: string; readonly type: string; readonly atMs: number },
    sandbox: Sandbox,
  ): Pick<NewDelivery, 'sandbox' | 'clock' | 'redaction' | 'headers' | 'scheme'> {
    const mock = this.current();
    const { api } = mock.context;
    const request = this.eventsOf(mock).requests().get(pointer);
    return {
      sandbox: sandbox.id ?? MAIN_ID,
      clock: sandbox.clock,
      redaction: once(() => createRedaction(api, request, () => '[redacted]')),
      headers: request === undefined ? [] : this.eventsOf(mock).headers().make(request, type, { id, nowMs: atMs }),
      scheme: this.options.scheme ?? (request && documentedScheme(request)) ?? 'standard',
    };
  }

  /** A message of which a state or a store tells. */
  private remade(record: MessageRecord, id: string, sandbox: Sandbox): NewDelivery {
    const { event, pointer, method, url, body, mediaType, secret, atMs, dueMs, tries, fault } = record;
    // A message that came along from another sandbox waits for none of the messages there.
    const lane = `${sandbox.id ?? MAIN_ID}${record.lane.slice(record.sandbox.length)}`;
    return {
      ...this.about({ id, pointer, type: event, atMs }, sandbox),
      ...{ id, event, pointer, method, url, lane },
      body: body ?? undefined,
      mediaType: mediaType ?? undefined,
      secret: secret ?? this.options.secret,
      ownSecret: secret ?? undefined,
      fault: fault === null ? undefined : readEventFault(fault),
      refusal: this.refusalOf(url),
      progress: { atMs, dueMs, tries },
    };
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
    return this.pending
      .callbacks(sandbox)
      .filter((each) => each.pointer === event.pointer)
      .filter((each) => each.collection !== collection || each.subject === subject)
      .map(({ url }) => ({ url, secret: undefined }));
  }
}

/** Those that somebody made, changed or gave as fixtures, and no seeds. A snapshot would make the next write copy all. */
function* itemsOf({ initial }: Mock, { live }: Sandbox, { resource }: SubscriptionShape): Generator<JsonObject> {
  for (const name of live.names()) {
    if (parseCollectionName([resource], name) === undefined) continue;
    const made = initial.seeds?.collection(name);
    for (const [key, item] of live.collection(name).entries()) {
      const before = made?.get(key);
      if (before === undefined || !equalJson(before, item)) yield item;
    }
  }
}
