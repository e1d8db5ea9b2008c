import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { ApiModel } from '../../openapi/model';
import type { Finding } from '../finding';
import { shownValue } from '../response/shown';
import { historyOf, type History } from './history';
import { isDone, showsItem, type Item } from './item';
import { isAfter, type ObservedExchange } from './observed-exchange';
import { isOtherSpelling, isSameValue } from './returned-value';
import { isEverShown } from './shown-members';
import { runFinding, type RunCheck, type RunFinding } from './run-check';
import { answerProperties, sentMembers, type SentMember } from './sent-members';

/** What was sent comes back: in the answer to the write, and in the next read as long as nothing else was written. */
export const echo: RunCheck = {
  id: 'echo',
  source: 'RFC 9110 §9.3.4, §15.3.2; OAS 3.0.3 §4.7.24; WFC 904',
  run(exchanges, api) {
    const history = historyOf(exchanges, api);
    return exchanges
      .filter((exchange) => isWrite(exchange) && isDone(api, exchange))
      .flatMap((write) => {
        const { item, read, reads } = nextRead(history, write);
        const inAnswer = lostMembers(history, write, write);
        // That an answer shows a part of the item only is for its schema to judge, if a read shows the rest.
        const wrong = inAnswer.filter(({ name }) => read === undefined || isShown(write, name));
        const named = new Set(inAnswer.map(({ name }) => name));
        const inRead = read === undefined ? [] : lostMembers(history, write, read);
        return [
          ...wrong.map((lost) => {
            const isShownAtAll = isShown(write, lost.name);
            return report(
              history,
              write,
              write,
              lost,
              item,
              isShownAtAll && !isSpelling(write, lost) ? 'error' : 'warning',
            );
          }),
          ...inRead.flatMap((lost): RunFinding[] => {
            if (read === undefined || (named.has(lost.name) && isShown(write, lost.name))) return [];
            const isLate = reads.some(
              (later) => isAfter(later, read) && !holds(lostMembers(history, write, later), lost),
            );
            // What no answer ever shows may be kept and never told.
            const isHidden = !isShown(read, lost.name) && !isEverShown(history, lost.member.property);
            if (isHidden || isSpelling(read, lost)) return [report(history, read, write, lost, item, 'warning')];
            return [report(history, read, write, lost, item, isLate ? 'late' : 'error')];
          }),
        ];
      });
  },
};

/** A member that was sent and did not come back as it was. */
interface LostMember {
  readonly name: string;
  readonly member: SentMember;
}

function isWrite(exchange: ObservedExchange): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(exchange.method) && isJsonObject(exchange.requestBody);
}

/** The first read that shows the write and nothing else, and those after it. */
function nextRead(
  history: History,
  write: ObservedExchange,
): {
  readonly item: Item | undefined;
  readonly read: ObservedExchange | undefined;
  readonly reads: ObservedExchange[];
} {
  const item = history.itemOf(write);
  const reads = item === undefined ? [] : history.readsAfter(item, write);
  const shown = reads.filter((read) => {
    return (
      item !== undefined &&
      read.status === 200 &&
      showsItem(history.api, read) &&
      history.writesBetween(item, write, read).length === 0
    );
  });
  return { item, read: shown[0], reads: shown };
}

function lostMembers({ api }: History, write: ObservedExchange, answer: ObservedExchange): LostMember[] {
  const { body } = answer;
  if (!isJsonObject(body)) return [];
  return sentMembers(api, write, answer).flatMap((member): LostMember[] => {
    const { name, schema } = member.property;
    const got = Object.hasOwn(body, name) ? body[name] : undefined;
    if (got === undefined && isWrapped(body, member)) return [];
    if (isSameValue(member.value, got, schema) || isAgainstSchema(api, answer, member, got)) return [];
    return [{ name, member }];
  });
}

/** Is the member there as it was sent, one level deeper: `{ "version": 1, "tag": { "name": … } }`? */
function isWrapped(body: JsonObject, { property: { name, schema }, value }: SentMember): boolean {
  return Object.values(body).some(
    (wrapper) => isJsonObject(wrapper) && Object.hasOwn(wrapper, name) && isSameValue(value, wrapper[name], schema),
  );
}

/** One cause, one finding: what an answer must have, and of which form, `body-schema` says. */
function isAgainstSchema(
  api: ApiModel,
  answer: ObservedExchange,
  { property: { name, pointer } }: SentMember,
  got: JsonValue | undefined,
): boolean {
  if (got === undefined) return answerProperties(api, answer)?.get(name)?.required === true;
  return (api.schemaAt(pointer)?.validate('response')(got).length ?? 0) > 0;
}

function isShown({ body }: ObservedExchange, name: string): boolean {
  return isJsonObject(body) && Object.hasOwn(body, name);
}

/** Does the member come back in another spelling, which its format allows? */
function isSpelling({ body }: ObservedExchange, { name, member: { property, value } }: LostMember): boolean {
  return isJsonObject(body) && isOtherSpelling(value, body[name], property.schema);
}

function holds(members: readonly LostMember[], { name }: LostMember): boolean {
  return members.some((member) => member.name === name);
}

function report(
  { exchanges }: History,
  answer: ObservedExchange,
  write: ObservedExchange,
  { name, member }: LostMember,
  item: Item | undefined,
  kind: 'error' | 'warning' | 'late',
): RunFinding {
  const got = isJsonObject(answer.body) ? answer.body[name] : undefined;
  const writer = write.operation ?? `${write.method} ${write.path}`;
  const where = answer === write ? 'in the answer' : `in the next read of ${item?.path ?? ''}`;
  const late = kind === 'late' ? ', and does only some time later (eventual)' : '';
  const finding: Finding = {
    check: 'echo',
    severity: kind === 'error' ? 'error' : 'warning',
    at: joinPointer('/response/body', name),
    // Which answer shows it first depends on what else was under way.
    message: `The member "${name}" that ${writer} sent does not come back as it was${late}`,
    expected: shownValue(member.value),
    actual: `${shownValue(got)}, ${where}`,
    spec: member.property.pointer,
  };
  return runFinding(exchanges, answer, write, finding);
}
