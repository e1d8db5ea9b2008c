import {
  errorCode,
  isSafe,
  type ObservedExchange,
  operationOf,
  repeatedRequests,
  type RunCheckFinding,
  templateOf,
} from '../observed-exchange';
import { joinPath } from './around-write';
import type { History, RunCheck } from './history';
import { type Group, groupBy } from '../../core/text/group-by';
import type { ApiModel } from '../../openapi/model/api-model';
import { codePath, commonErrorContent, findResponse } from '../../openapi/view/responses';

/** The same rejection has the same code each time: programs decide by it. */
export const codeStable: RunCheck = {
  id: 'code-stable',
  area: 'errors',
  source: "the description's error schema; compare RFC 9457 §3.1.1",
  run(history) {
    const { exchanges, api } = history;
    const schema = commonErrorContent(api)?.schema;
    const groups = [...repeatedRequests(exchanges), ...sameInvalidCredentials(exchanges)];
    const said = new Set<ObservedExchange>();
    return groups.flatMap((group): RunCheckFinding[] => {
      const pair = firstChange(history, group);
      if (pair === undefined || said.has(pair.later)) return [];
      said.add(pair.later);
      const { earlier, later } = pair;
      const [what, how] = [
        `${later.method} ${templateOf(api, later)}`,
        `with ${later.status ?? 0} for the same reason, under another code`,
      ];
      return [
        {
          exchange: later,
          earlier,
          at: codePlace(api),
          message: `${what} is rejected ${how}`,
          identity: { rule: `${what} is refused ${how}` },
          expected: errorCode(api, earlier),
          actual: errorCode(api, later),
          spec: schema?.pointer,
        },
      ];
    });
  },
};

/** Where errors have their code. */
function codePlace(api: ApiModel): string {
  const path = codePath(api, commonErrorContent(api)?.schema);
  return joinPath('/response/body', path.length === 0 ? ['code'] : path);
}

/** Credentials are checked before everything else, so that it does not matter what the request is about. */
function sameInvalidCredentials(exchanges: readonly ObservedExchange[]): Group<ObservedExchange>[] {
  const rejected = exchanges.filter(
    ({ status, auth, operation }) => status === 401 && auth !== 'valid' && operation !== undefined,
  );
  return groupBy(rejected, ({ operation, auth }) => `${operation} ${auth}`);
}

/** Two neighbours of a group with one status and two codes, when nothing was written in between that may be the reason. */
function firstChange(
  history: History,
  group: readonly ObservedExchange[],
): { readonly earlier: ObservedExchange; readonly later: ObservedExchange } | undefined {
  for (const [index, later] of group.entries()) {
    const earlier = group[index - 1];
    if (earlier === undefined || earlier.status !== later.status || later.status === 429) continue;
    const codes = [errorCode(history.api, earlier), errorCode(history.api, later)];
    if (codes.includes(undefined) || codes[0] === codes[1]) continue;
    if (later.status !== 401 && mayHaveChanged(history, earlier, later)) continue;
    return { earlier, later };
  }
  return undefined;
}

/** What a read finds depends on its item; what a write meets depends on others as well. */
function mayHaveChanged(history: History, earlier: ObservedExchange, later: ObservedExchange): boolean {
  const item = isSafe(later) ? history.itemOf(later) : undefined;
  const writes =
    item === undefined ? history.anyWritesBetween(earlier, later) : history.writesBetween(item, earlier, later);
  return writes.length > 0;
}

/**
 * One code stands for one condition, and one condition has one status. That two conditions share a code is for
 * `code-expected` where a contract knows both.
 */
export const codeDistinct: RunCheck = {
  id: 'code-distinct',
  area: 'errors',
  source: "the description's error schema; compare RFC 9457 §3.1.1, §3.1.2",
  run({ exchanges, api }) {
    const told = toldStatuses(api);
    return rejectionsByCode(exchanges, api).flatMap(([code, all]) => {
      const isOther = (group: Group<ObservedExchange>): boolean => isToldApart(told, code, group);
      const rejections = all.filter((group) => !isOther(group));
      const clashes = clashesOf(api, code, rejections);
      const [other] = all.filter(isOther);
      if (other !== undefined) return [otherStatus(api, told, code, [other[0], rejections[0]?.[0] ?? other[0]])];
      // Once for each code, and once more where it turns out to be worse.
      return (['warning', 'error'] as const).flatMap((severity): RunCheckFinding[] => {
        const clash = clashes.find((each) => each.severity === severity);
        if (clash === undefined) return [];
        const { earlier, later } = clash;
        return [
          {
            exchange: later,
            earlier,
            severity,
            at: '/response/body',
            message: `The code ${code} stands for two statuses`,
            expected: `${earlier.status ?? 0}, as it was with ${earlier.method} ${earlier.path}`,
            actual: `${later.status ?? 0} ${code}`,
            spec: commonErrorContent(api)?.schema?.pointer,
          },
        ];
      });
    });
  },
};

/** By code: the statuses that the description of errors tells it for, as in "409 `conflict`" or "conflict (409)". */
function toldStatuses(api: ApiModel): ReadonlyMap<string, ReadonlySet<number>> {
  const schema = commonErrorContent(api)?.schema;
  const path = codePath(api, schema);
  const around = path.slice(0, -1).reduce((at, name) => {
    const property = at && api.propertiesOf(at).get(name);
    return property && api.schemaAt(property.pointer);
  }, schema);
  const property = around && api.propertiesOf(around).get(path.at(-1) ?? '');
  const { description: text, enum: values } = property?.schema ?? {};
  const told = new Map<string, ReadonlySet<number>>();
  if (typeof text !== 'string' || !Array.isArray(values)) return told;
  for (const code of values.filter((value) => typeof value === 'string')) {
    const word = `(?<!\\w)${code.replaceAll(/\W/g, '\\$&')}(?!\\w)`;
    const forms = [`(?<!\\d)([45]\\d\\d)[^\\w\\n,;.]{1,6}${word}`, `${word}[^\\w\\n,;.]{1,6}([45]\\d\\d)(?!\\d)`];
    const statuses = forms.flatMap((form) =>
      [...text.matchAll(new RegExp(form, 'g'))].map(([, status]) => Number(status)),
    );
    told.set(code, new Set(statuses));
  }
  return told;
}

/** Is a code told for other statuses than that of the rejections, and that one for other codes? */
function isToldApart(
  told: ReadonlyMap<string, ReadonlySet<number>>,
  code: string,
  rejections: Group<ObservedExchange>,
): boolean {
  const status = rejections[0].status ?? 0;
  const own = told.get(code);
  const isKnown = [...told.values()].some((statuses) => statuses.has(status));
  return own !== undefined && own.size > 0 && !own.has(status) && isKnown && !isExpectedByContract(rejections, code);
}

function otherStatus(
  api: ApiModel,
  told: ReadonlyMap<string, ReadonlySet<number>>,
  code: string,
  [exchange, earlier]: readonly [ObservedExchange, ObservedExchange],
): RunCheckFinding {
  const status = exchange.status ?? 0;
  const own = [...told].flatMap(([each, statuses]) => (statuses.has(status) ? [each] : []));
  return {
    exchange,
    earlier,
    at: codePlace(api),
    message: `A ${status} has the code ${code}, which the description tells for ${[...(told.get(code) ?? [])].join(', ')}`,
    expected: own.join(' or '),
    actual: code,
    spec: commonErrorContent(api)?.schema?.pointer,
  };
}

/** Two statuses of one code, and the first rejections that show them. */
interface Clash {
  readonly severity: 'warning' | 'error';
  readonly earlier: ObservedExchange;
  readonly later: ObservedExchange;
}

/** For each code its rejections by status, both in the order met. */
function rejectionsByCode(
  exchanges: readonly ObservedExchange[],
  api: ApiModel,
): (readonly [code: string, byStatus: Group<ObservedExchange>[]])[] {
  const coded = exchanges.filter((exchange) => errorCode(api, exchange) !== undefined);
  return groupBy(coded, (exchange) => errorCode(api, exchange) ?? '').map((group) => {
    return [errorCode(api, group[0]) ?? '', groupBy(group, ({ status }) => String(status))];
  });
}

/** Each status with each, whichever was met first: the order of the contracts is no part of the verdict. */
function clashesOf(api: ApiModel, code: string, byStatus: readonly Group<ObservedExchange>[]): Clash[] {
  return byStatus.flatMap((later, index) =>
    byStatus
      .slice(0, index)
      .filter((earlier) => !(isExpectedByContract(earlier, code) && isExpectedByContract(later, code)))
      .map((earlier): Clash => {
        const severity = isSameKind(api, earlier, later) ? 'warning' : 'error';
        return { severity, earlier: earlier[0], later: later[0] };
      }),
  );
}

/**
 * Are both rejections of the same kind, as 400 and 422 for what is not valid are, and does the description have both? A
 * 401 is of no other kind: whether to ask for a key must be told by its code.
 */
function isSameKind(api: ApiModel, one: Group<ObservedExchange>, other: Group<ObservedExchange>): boolean {
  const [first, second] = [one[0].status ?? 0, other[0].status ?? 0];
  if (first === 401 || second === 401 || Math.floor(first / 100) !== Math.floor(second / 100)) return false;
  return [...one, ...other].every((exchange) => {
    const operation = operationOf(api, exchange);
    return operation !== undefined && findResponse(operation, exchange.status ?? 0) !== undefined;
  });
}

/** A contract that asks for this code with this status knows why. */
function isExpectedByContract(rejections: Group<ObservedExchange>, code: string): boolean {
  return rejections.some(({ expected, status = 0 }) => {
    return expected?.statuses.includes(status) === true && expected.codes.includes(code);
  });
}
