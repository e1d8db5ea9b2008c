import { parse } from 'yaml';
import { gradeContracts } from '../../src/library/grade';
import type { GradeResult } from '../../src/grade/grade-result';
import { temporaryFolder } from '../support/temporary-folder';
import { BOOKS, findDefect, THOROUGH } from './books';

const folder = temporaryFolder();

/** Assertions of the thorough contract to remove, the defect that it then misses, and the assertion to paste. */
const LEFT_OUT: readonly (readonly [words: string, from: string, to: string, id: string, pasted: object])[] = [
  [
    'a property of a response',
    "genre: novel, note: Second hand, addedAt: '${addedAt}' }",
    "genre: novel, addedAt: '${addedAt}' }",
    'other-value getBook /note',
    { expect: { body: { note: 'Second hand' } } },
  ],
  [
    'a value that another response gave',
    "expect: { status: 200, body: { title: 'Emma ${runId}', note: Worn, addedAt: '${addedAt}' } }",
    "expect: { status: 200, body: { title: 'Emma ${runId}', note: Worn } }",
    'other-value changeBook /addedAt',
    { expect: { body: { addedAt: '${addedAt}' } } },
  ],
  [
    'a header',
    '      headers: { Location: { $present: true } }\n',
    '',
    'without-header addBook 201 location',
    { expect: { headers: { location: { $present: true } } } },
  ],
  [
    'an entry of a list',
    "body: { $each: { genre: poetry }, $contains: { id: '${otherId}', title: 'Odes ${runId}' } }",
    "body: { $contains: { id: '${otherId}' } }",
    'other-value listBooks /*/title',
    { expect: { body: { $contains: { title: 'Odes ${runId}' } } } },
  ],
];

describe('a contract that compares less', () => {
  let weaker: GradeResult;
  beforeAll(async () => {
    const contract = LEFT_OUT.reduce((text, [words, from, to]) => {
      if (!text.includes(from)) throw new Error(`The contract does not contain ${words}`);
      return text.replace(from, () => to);
    }, THOROUGH);
    weaker = await gradeContracts({
      contracts: folder.write('books-contract.yaml', contract),
      description: folder.write('books.yaml', BOOKS),
      only: LEFT_OUT.map(([, , , id]) => id),
    });
  });

  test.each(LEFT_OUT)(
    'misses the change of %s, and the result has the assertion to paste',
    (_, _from, _to, id, pasted) => {
      const found = findDefect(weaker, id);
      expect(found.verdict).toBe('missed');
      expect(parse(found.assertion?.text ?? '')).toEqual(pasted);
      expect(found.assertion?.place).toMatch(/books-contract\.yaml:\d+:5$/);
    },
  );
});
