import { fieldOf, fieldsOf, type Located, objectField, rawOperations, resolveObject, rootOf } from '../read/references';
import type { SourceDocument } from '../read/source-document';
import { type BuildContext, buildOperation } from './build-operation';
import type { Operation } from './operation';

/**
 * A request that the service sends: a callback of an operation (OAS 3.0.3 §4.7.18), or a webhook (OAS 3.1.1 §4.8.1), which
 * descriptions of 3.0 write as `x-webhooks`.
 */
export interface DocumentedEvent {
  /** As the map of callbacks or webhooks names it: `onData`, `book.created`. */
  readonly name: string;
  readonly kind: 'callback' | 'webhook';
  /** Of the operation that the service sends. */
  readonly pointer: string;
  /** Pointers of what an extension about the event may stand at, the nearest first: the operation, and its path item. */
  readonly hintedAt: readonly string[];
  /** Pointer of the operation whose request says where it is sent; `undefined` for a webhook. */
  readonly registeredAt: string | undefined;
  /** Where it is sent, with runtime expressions in it: `{$request.body#/callbackUrl}/data`; `undefined` for a webhook. */
  readonly address: string | undefined;
  /** What is sent. Its path says nothing. */
  readonly request: Operation;
}

/** What a look at a description tells of its events, without reading them. */
export interface EventSigns {
  readonly hasWebhooks: boolean;
  /** Pointers of the operations that have callbacks. */
  readonly registering: ReadonlySet<string>;
}

export function eventSigns(document: SourceDocument): EventSigns {
  const hasSome = (at: Located | undefined): boolean => fieldsOf(at).length > 0;
  const operations = rawOperations(document).filter(({ operation }) => hasSome(fieldOf(operation, 'callbacks')));
  return {
    hasWebhooks: WEBHOOKS.some((map) => hasSome(fieldOf(rootOf(document), map))),
    registering: new Set(operations.map(({ operation }) => operation.pointer)),
  };
}

const WEBHOOKS = ['webhooks', 'x-webhooks'];

/** Every event of a description, in document order: callbacks by their operations, then webhooks. */
export function readEvents(context: BuildContext): DocumentedEvent[] {
  const { document } = context;
  const callbacks = rawOperations(document).flatMap(({ operation }) =>
    fieldsOf(fieldOf(operation, 'callbacks')).flatMap(({ name, ...at }) => {
      const callback = resolveObject(document, at);
      return fieldsOf(callback)
        .filter((each) => !each.name.startsWith('x-'))
        .flatMap(({ name: address, ...pathItem }) =>
          eventsOf(pathItem, name, context, { kind: 'callback', address, registeredAt: operation.pointer }),
        );
    }),
  );
  const webhooks = WEBHOOKS.flatMap((map) =>
    fieldsOf(fieldOf(rootOf(document), map)).flatMap(({ name, ...pathItem }) =>
      eventsOf(pathItem, name, context, { kind: 'webhook', address: undefined, registeredAt: undefined }),
    ),
  );
  return [...callbacks, ...webhooks];
}

type Origin = Pick<DocumentedEvent, 'kind' | 'address' | 'registeredAt'>;

const METHODS = ['post', 'put', 'patch', 'get', 'delete'];

function eventsOf(at: Located, name: string, context: BuildContext, origin: Origin): DocumentedEvent[] {
  const pathItem = resolveObject(context.document, at);
  if (pathItem === undefined) return [];
  return METHODS.flatMap((method) => {
    const operation = objectField(context.document, pathItem, method);
    if (operation === undefined) return [];
    const raw = { path: '/', method: method.toUpperCase(), operation, isAdditional: false, pathItem };
    const { pointer } = operation;
    const request = buildOperation(raw, name, context);
    return [{ name, ...origin, pointer, hintedAt: [pointer, pathItem.pointer], request }];
  });
}
