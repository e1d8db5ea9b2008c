import { joinPointer } from '../json/json-pointer';
import { isJsonNumber } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Expectation } from './contract';
import { MemberReader, type FormatJudge } from './member-reader';
import { scalarText } from './placeholders';

const MEMBERS = ['status', 'code', 'body', 'headers'];

/** Reads `expect` of a step. The status is required: without it a step would assert nothing of its own. */
export function readExpectation(step: MemberReader, judge: FormatJudge): Expectation | undefined {
  const value = step.value('expect');
  if (value === undefined) {
    step.refuse('expect', 'expect: { status: … }');
    return undefined;
  }
  const members = MemberReader.open({ value, pointer: step.at('expect') }, 'expectation', MEMBERS, judge);
  if (members === undefined) return undefined;
  const statuses = readStatuses(members, judge);
  const codes = members.oneOrMore('code').flatMap(({ value: code, pointer }): string[] => {
    if (typeof code === 'string' && code !== '') return [code];
    judge.refuse(pointer, 'An error code is text', 'a code such as invalid_field');
    return [];
  });
  const body = members.value('body');
  if (body !== undefined) refuseReserved(body, members.at('body'), judge);
  const headers = members.entries('headers').flatMap(({ name, value: header, pointer }) => {
    if (typeof header === 'string' || isJsonNumber(header)) return [{ name, value: scalarText(header) }];
    judge.refuse(pointer, `The header ${name} is text`, 'a string');
    return [];
  });
  return { statuses, codes, body, headers };
}

function readStatuses(members: MemberReader, judge: FormatJudge): number[] {
  const statuses = members.oneOrMore('status');
  if (statuses.length === 0) members.refuse('status', 'an HTTP status, or a list of them');
  return statuses.flatMap(({ value, pointer }) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599) return [value];
    judge.refuse(pointer, 'This is no final HTTP status', 'a number from 200 to 599');
    return [];
  });
}

/** Members that start with `$` are kept for matchers, so that adding them will change no contract that loads now. */
function refuseReserved(value: JsonValue, pointer: string, judge: FormatJudge): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseReserved(item, joinPointer(pointer, index), judge);
    });
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const at = joinPointer(pointer, name);
      if (name.startsWith('$')) judge.refuse(at, `"${name}" is kept for matchers, which this version does not have`);
      else refuseReserved(member, at, judge);
    }
  }
}
