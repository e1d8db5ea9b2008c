import { counted } from '../../core/text/printable';
import type { ApiModel } from '../../openapi/model/api-model';
import { successes } from '../../openapi/view/operation-bodies';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { type Call, readCalls } from '../flow/call';

/** Traffic in which requests that came alone have the response that the description documents. */
interface AssumedTraffic {
  /** In their order; without those of which nothing says what to expect. */
  readonly exchanges: readonly CleanExchange[];
  /** What a reader has to know of it, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Gives requests that came without a response the success that the description documents, the lowest of several, without
 * a body: its schema is checked, and nothing can be carried on from it.
 */
export function withAssumedResponses(api: ApiModel, all: readonly CleanExchange[], basePath: string): AssumedTraffic {
  const alone = all.filter(isAlone);
  if (alone.length === 0) return { exchanges: all, notes: [] };
  const statuses = new Map<CleanExchange, number>();
  const notes: string[] = [];
  for (const [index, call] of readCalls(api, alone, basePath).entries()) {
    const exchange = alone[index] ?? call.exchange;
    const status = successOf(call);
    if (status === undefined) notes.push(unknownNote(call));
    else statuses.set(exchange, status);
  }
  const exchanges = all.flatMap((exchange): CleanExchange[] => {
    const status = statuses.get(exchange);
    if (status !== undefined) return [{ ...exchange, response: { status, headers: [], body: undefined } }];
    return isAlone(exchange) ? [] : [exchange];
  });
  const [their, them] = statuses.size === 1 ? ['its step expects', 'it'] : ['their steps expect', 'them'];
  const told = `${counted(statuses.size, 'request')} came without a response: ${their} the success that the description documents, and nothing is carried on from ${them}`;
  return { exchanges, notes: [...(statuses.size === 0 ? [] : [told]), ...notes] };
}

function isAlone({ response, isRequestAlone }: CleanExchange): boolean {
  return response === undefined && isRequestAlone === true;
}

/** Of a range, `2XX`, it is the lowest too; a `default` names none. */
function successOf({ operation }: Call): number | undefined {
  const [lowest] = operation === undefined ? [] : successes(operation).filter(({ status }) => status !== 'default');
  return lowest === undefined ? undefined : Number(lowest.status.replace(/xx$/i, '00'));
}

function unknownNote({ method, path, operation, exchange }: Call): string {
  const reason =
    operation === undefined ? 'the description has no operation for it' : 'the description documents no success of it';
  return `${method} ${path} (${exchange.source}) has no response, and ${reason}: no step`;
}
