import type { FormatJudge, MemberReader } from './member-reader';

// Tags are given on a command line, several of them with commas between.
const TAG = /^[^\s,]+$/;

/** Reads `tags`: a list of words. */
export function readTags(members: MemberReader, judge: FormatJudge): string[] {
  return members.list('tags').flatMap(({ value, pointer }): string[] => {
    if (typeof value === 'string' && TAG.test(value)) return [value];
    judge.refuse(pointer, 'A tag is a word', 'text without white space and commas');
    return [];
  });
}
