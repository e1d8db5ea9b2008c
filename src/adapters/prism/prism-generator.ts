import type { JsonValue } from '../../json/json-value';
import { findResponse } from '../../openapi/find-response';
import type { ApiModel, Schema } from '../../openapi/model';
import { chooseContent } from '../../payload/choose-content';
import type { GeneratedPayload, PayloadGenerator } from '../../payload/payload-source';
import type { GenerationAnswer, Strategy } from './generation-job';
import { PrismThread } from './prism-thread';
import { responseDocument } from './response-document';

/**
 * The second leaves out what is not required, which is where most that cannot be made stands: a member that leads back
 * to its own schema, for one. The third knows no chance, and keeps a few rules that the random generator breaks.
 */
const STRATEGIES: readonly Strategy[] = ['full', 'required-only', 'static'];

const MAX_KEPT = 1000;

// One for all servers of the process: a worker holds 100 MB. It is started by the first body that is wanted.
const sharedThread = new PrismThread();

/**
 * Makes bodies with Prism's generators (`@stoplight/prism-http`) from the schema of a response, each judged by that
 * schema. The same operation, status and seed always get the same body, in this process and in any other. What could
 * not be made is remembered too: a schema that Prism hangs on holds up no second request.
 *
 * Loads nothing of Prism: that is left to a worker thread.
 */
export function createPrismGenerator(api: ApiModel, thread: PrismThread = sharedThread): PayloadGenerator {
  const made = new Map<string, Promise<GeneratedPayload>>();
  return {
    generate(operation, status, given, seed) {
      const schema = given ?? chooseContent(findResponse(operation, status))?.schema;
      const chance = `${operation.id} ${status}${seed === undefined ? '' : ` ${seed}`}`;
      const key = `${chance} ${schema?.pointer ?? ''}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      // Seeds come from requests, which may have any number of them.
      if (made.size >= MAX_KEPT) made.clear();
      const payload = generate(api, thread, schema, chance);
      made.set(key, payload);
      payload.catch(() => made.delete(key));
      return payload;
    },
  };
}

async function generate(
  api: ApiModel,
  thread: PrismThread,
  schema: Schema | undefined,
  seed: string,
): Promise<GeneratedPayload> {
  if (schema === undefined) return failed('the description has neither a schema nor an example for it');
  const document = responseDocument(api, schema);
  let firstReason: string | undefined;
  for (const strategy of STRATEGIES) {
    const outcome = await thread.run({ document, strategy, seed });
    if (outcome.kind === 'stopped') return failed(outcome.reason);
    const payload = judge(outcome, schema);
    if (payload.kind === 'generated') return payload;
    firstReason ??= payload.reason;
  }
  return failed(firstReason ?? '');
}

function judge(answer: GenerationAnswer, schema: Schema): GeneratedPayload {
  if (answer.kind === 'refused') return failed(answer.reason);
  const value = JSON.parse(answer.text) as JsonValue;
  const [violation] = schema.validate('response')(value);
  if (violation === undefined) return { kind: 'generated', value };
  const place = violation.pointer === '' ? 'the body' : violation.pointer;
  return failed(`what Prism makes breaks the schema (${place} ${violation.message})`);
}

function failed(reason: string): GeneratedPayload {
  return { kind: 'failed', reason };
}
