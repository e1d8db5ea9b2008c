import type { Expectation } from './contract';
import { isHeaderName } from './header-name';
import { MemberReader, type FormatJudge } from './member-reader';
import { readMatcher } from './read-matcher';

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
  if (!members.has('status')) members.refuse('status', 'an HTTP status, or a list of them');
  return readAnswer(members, judge);
}

/** Reads `until` of `repeat`: an expectation whose status may be left out. */
export function readCondition(repeat: MemberReader, judge: FormatJudge): Expectation | undefined {
  const value = repeat.value('until');
  if (value === undefined) {
    repeat.refuse('until', 'until: { status: … } or until: { body: … }');
    return undefined;
  }
  const members = MemberReader.open({ value, pointer: repeat.at('until') }, 'condition', MEMBERS, judge);
  if (members === undefined) return undefined;
  if (MEMBERS.some((name) => members.has(name))) return readAnswer(members, judge);
  judge.refuse(members.pointer, 'The condition is empty: any answer would meet it', 'a status, code, body or headers');
  return undefined;
}

function readAnswer(members: MemberReader, judge: FormatJudge): Expectation {
  const statuses = readStatuses(members, judge);
  const codes = members.oneOrMore('code').flatMap(({ value: code, pointer }): string[] => {
    if (typeof code === 'string' && code !== '') return [code];
    judge.refuse(pointer, 'An error code is text', 'a code such as invalid_field');
    return [];
  });
  const body = members.value('body');
  const scope = { judge, isText: false, isGiven: false };
  const matcher = body === undefined ? undefined : readMatcher({ value: body, pointer: members.at('body') }, scope);
  const headers = members.entries('headers').flatMap((entry) => {
    if (!isHeaderName(entry.name)) {
      judge.refuse(entry.pointer, `"${entry.name}" is no name of a header`, 'a token (RFC 9110 §5.1)');
      return [];
    }
    const line = readMatcher(entry, { ...scope, isText: true });
    return line === undefined ? [] : [{ name: entry.name, matcher: line }];
  });
  return { statuses, codes, body: matcher, headers };
}

function readStatuses(members: MemberReader, judge: FormatJudge): number[] {
  const statuses = members.oneOrMore('status');
  if (statuses.length === 0 && members.has('status')) members.refuse('status', 'an HTTP status, or a list of them');
  return statuses.flatMap(({ value, pointer }) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599) return [value];
    judge.refuse(pointer, 'This is no final HTTP status', 'a number from 200 to 599');
    return [];
  });
}
