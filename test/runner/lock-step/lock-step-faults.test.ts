import { COURSE, differences, type Fault, inLockStep, onBody, onList } from './library';

const FAULTS: readonly { readonly is: string; readonly fault: Fault; readonly found: readonly string[] }[] = [
  {
    is: 'what was not sent is not its default',
    fault: { answer: onBody('POST /books', (body) => (body['note'] === null ? (body['state'] = 'lost') : undefined)) },
    found: ['error /response/body/state: "state" was not sent, and is not its default'],
  },
  {
    is: 'lists hold less than items, in letters as well',
    fault: { answer: onList((list) => list.map((book) => ({ ...book, title: String(book['title']).toUpperCase() }))) },
    found: [expect.stringMatching(/: "title" is not what was sent$/) as string],
  },
  {
    is: 'a list lacks what was just made',
    fault: { answer: onList((list) => list.filter(({ genre }) => genre !== 'drama')) },
    found: ['error /response/body: The list lacks an item of this run'],
  },
  {
    is: 'a filter is ignored',
    fault: {
      answer: ({ headers, ...answer }, call, books) => {
        if (call === 'GET /books') (answer.body as unknown[]).splice(0, 99, ...books.values());
        headers['X'] = 'y';
      },
    },
    found: [
      'error /response/body: The list has an item of this run that is not asked for',
      'error /response/body: The items are not in the order that "sort" asks for',
    ],
  },
  {
    is: 'what the description forbids is taken',
    fault: { takesAll: true },
    found: ['error /response/status: addBook is accepted, where the mock rejects it'],
  },
  {
    is: 'what the description allows is refused',
    fault: {
      answer: (answer, call) => {
        if (call !== 'PUT /books/{id}') return;
        Object.assign(answer, { status: 404, body: { code: 'no', message: 'no' } });
      },
    },
    found: ['error /response/status: replaceBook is rejected, where the mock accepts it'],
  },
  {
    is: 'a read shows another item',
    fault: {
      answer: (answer, call, books) => {
        if (call === 'GET /books/{id}' && answer.status === 200) answer.body = [...books.values()][0];
      },
    },
    found: ['error /response/body/id: The response shows another item than the mock does'],
  },
  {
    is: 'Location leads to another item',
    fault: {
      answer: (answer, call, books) => {
        if (call === 'POST /books' && answer.status === 201)
          answer.headers['Location'] = `/books/${[...books.keys()][0] ?? ''}`;
      },
    },
    found: ['error /response/headers/location: Location leads to another item than the one in the response'],
  },
];

test.each(FAULTS)('it is found that $is', async ({ fault, found }) => {
  expect(differences(await inLockStep(COURSE, fault))).toEqual(expect.arrayContaining([...found]));
});
