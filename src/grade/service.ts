import type { HttpRequest, HttpResponse, Transport } from '../core/http/message';
import { createMock, type Mock, type MockParts } from '../mock/create-mock';
import { collectionOf } from '../mock/state/state';
import { takeBackChanges } from '../mock/state/draft';
import { createInProcessTransport } from '../network/target';
import { type ApiModel, buildModel } from '../openapi/model/api-model';
import { createPayloadSource } from '../payload/payload-source';
import { createPrismGenerator } from '../prism/prism-generator';
import { findOperation } from '../runner/exchange/request';
import type { Mutant } from './mutants/mutant';

/** What mocks are made from. */
export interface ServiceParts {
  readonly api: ApiModel;
  readonly mock: Omit<MockParts, 'clock' | 'payloads' | 'reportDefect'>;
  /** Before every path of the description. */
  readonly basePath: string;
  /** What the clocks show at first, in milliseconds since the epoch. */
  readonly beganAt: number;
}

/** A request that was answered, in the order of sending. */
export interface Answered {
  /** Id of the operation; `undefined` where the description has none. */
  readonly operation: string | undefined;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

/** A service without a socket that answers the same requests the same way whenever it is begun anew. */
export interface Service {
  /** Everything is as at first. @returns the way to it, and what was answered since */
  begin(): { readonly transport: Transport; readonly answered: readonly Answered[] };
}

/** Time of a service goes on by so much with each request, so that nothing depends on how quick a run is. */
const STEP_MS = 1000;

/**
 * Makes the mock of a description, or one that makes a mistake.
 *
 * @throws whatever keeps a mutated description from being mocked
 */
export function createService({ api, mock: parts, basePath, beganAt }: ServiceParts, mutant?: Mutant): Service {
  const defect = mutant?.defect;
  const { edit, options } = defect?.kind === 'mock' ? defect : { edit: undefined, options: undefined };
  const own = edit === undefined ? api : buildModel({ ...api.document, root: edit(api.document.root) });
  let requests = 0;
  const mock = createMock(own, {
    ...parts,
    options: { ...parts.options, ...options },
    clock: { now: () => beganAt + requests * STEP_MS },
    payloads: createPayloadSource({ api: own, generator: () => createPrismGenerator(own) }),
    // It is answered with 500, which every run sees.
    reportDefect: () => undefined,
  });
  return {
    begin() {
      mock.reset();
      requests = 0;
      const answered: Answered[] = [];
      const inner = createInProcessTransport(mock.engine);
      const transport: Transport = {
        async send(request) {
          requests += 1;
          const operation = findOperation(api, request.method, request.target.slice(basePath.length), request.headers);
          const answer =
            defect?.kind === 'exchange' && concerns(mutant, operation?.id)
              ? await defect.answer({ request, ...handOn(mock, inner) })
              : await inner.send(request);
          answered.push({ operation: operation?.id, request, response: answer });
          return answer;
        },
      };
      return { transport, answered };
    },
  };
}

/** Does a mutant act at an operation? */
export function concerns(mutant: Mutant | undefined, operation: string | undefined): boolean {
  if (mutant?.operations === undefined) return mutant !== undefined;
  return operation !== undefined && mutant.operations.has(operation);
}

function handOn({ engine }: Mock, transport: Transport) {
  const sandbox = engine.sandboxes.main;
  return {
    send: (request: HttpRequest) => transport.send(request),
    changes() {
      const number = sandbox.journal.remembered().at(-1);
      return number === undefined ? [] : sandbox.journal.requestOf(number).entry.changes;
    },
    takeBack(changes: Parameters<typeof takeBackChanges>[1]) {
      takeBackChanges(sandbox.live, changes);
    },
    keysOf(collection: string) {
      const entries = collectionOf(sandbox.snapshot(), collection)?.entries() ?? [];
      return [...entries].map(([key]) => String(key));
    },
  };
}
