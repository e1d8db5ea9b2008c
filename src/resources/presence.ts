import type { Operation } from '../openapi/model';
import { successes } from './bodies';
import type { Inference, ResourceDraft } from './draft';

/** Does a GET answer nothing but that something is there: 204 and no body, else 404? */
export function tellsPresence({ index }: Inference, operation: Operation): boolean {
  const answers = successes(operation);
  return (
    index.methodOf(operation) === 'GET' &&
    answers.some(({ status }) => status === '204') &&
    answers.every(({ content }) => content.length === 0)
  );
}

/** Is an operation such a GET of an item that another one puts there, or takes away? */
export function checksItem(inference: Inference, operation: Operation, { itemTemplate }: ResourceDraft): boolean {
  const { index } = inference;
  const onItem = index.nodes.get(itemTemplate?.shape ?? '')?.operations ?? [];
  return tellsPresence(inference, operation) && onItem.some((each) => ['PUT', 'DELETE'].includes(index.methodOf(each)));
}

/** Does a PUT take nothing and answer nothing? Then all it can do is to put there what its path names. */
export function putsThere({ index }: Inference, operation: Operation): boolean {
  const isEmpty = successes(operation).every(({ content }) => content.length === 0);
  return index.methodOf(operation) === 'PUT' && operation.requestBody === undefined && isEmpty;
}
