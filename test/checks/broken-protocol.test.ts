import { RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { RUN_CHECKS } from '../../src/checks/run/registry';
import { changeBody, startBroken, withHeader, type Defect } from '../runner/peer';
import { CAUGHT_BY_ONE_ANSWER } from './broken-answers';
import { PROTOCOL_CASES } from './cases/index';
import { PET, withPutThatMakes, withSoldKept } from './exchanges';
import { judge, judgeRun, say, type Heard, type Said } from './talk';

const NEW_PET = '{"name":"Zoë","categoryId":1}';
const READ: Said = { to: 'GET /pets/1' };
const REMOVE: Said = { to: 'DELETE /pets/1' };

test.each(CAUGHT_BY_ONE_ANSWER)(
  '$check catches a server where $defect',
  async ({ said, breaks, describedAs, found }) => {
    const server = await startBroken({ answer: breaks });
    try {
      expect(judge(await say(server.url, said), describedAs)).toEqual(found);
    } finally {
      await server.close();
    }
  },
);

test.each(CAUGHT_BY_ONE_ANSWER.map(({ said }) => said))('nothing is found in the right answer to $to', async (said) => {
  const server = await startBroken({});
  try {
    expect(judge(await say(server.url, said))).toEqual([]);
  } finally {
    await server.close();
  }
});

test('every check of what always holds catches a broken server', () => {
  const caught = new Set(CAUGHT_BY_ONE_ANSWER.map(({ check }) => check));
  // What lets pages in is put before the engine of the mock: test/runner/browser-probes has servers that break it.
  const ids = RESPONSE_CHECKS.map(({ id }) => id).filter((id) => id !== 'cors' && Object.hasOwn(PROTOCOL_CASES, id));
  expect([...caught].sort()).toEqual(ids.sort());
});

const lower = (name: string): string => name.toLowerCase();
const isNthTo = (line: string, nth: number): (() => Defect) => {
  return () => {
    let count = 0;
    return {
      answer: (response, { method, target }) => {
        if (`${method} ${target}` === line) count += 1;
        return count === nth && `${method} ${target}` === line
          ? changeBody(response, (body) =>
              body.replace(/"(name|code)":"([^"]+)"/, (_, m, v) => `"${m}":"${lower(v)}_x"`),
            )
          : response;
      },
    };
  };
};

/** Servers that are wrong only when several answers are seen together. */
const RUN_DEFECTS: readonly {
  check: string;
  defect: string;
  breaks: () => Defect;
  said: readonly Said[];
  found: readonly string[];
  describedAs?: (text: string) => string;
}[] = [
  {
    check: 'deleted-gone',
    defect: 'nothing is removed',
    breaks: () => ({
      request: (sent) => (sent.method === 'DELETE' ? { ...sent, method: 'HEAD' } : sent),
      answer: (response, { method }) =>
        method === 'DELETE' ? { ...response, status: 204, headers: [], body: undefined } : response,
    }),
    said: [READ, REMOVE, READ],
    found: ['error deleted-gone 2'],
  },
  {
    check: 'created-readable',
    defect: 'a creation is lost',
    breaks: () => ({
      request: (sent) => (sent.method === 'GET' ? { ...sent, target: '/pets/999999' } : sent),
    }),
    said: [{ to: 'POST /pets', send: NEW_PET }, { to: 'GET /pets/{id}' }],
    found: ['error created-readable 1'],
  },
  {
    check: 'echo',
    defect: 'letters beyond ASCII are lost',
    breaks: () => ({ answer: (response) => changeBody(response, (body) => body.replace('ë', 'e')) }),
    said: [{ to: 'POST /pets', send: NEW_PET }],
    found: ['error echo 0'],
  },
  {
    check: 'identity',
    defect: 'every pet gets the same id',
    breaks: () => ({ answer: (response) => changeBody(response, (body) => body.replace(/"id":\d+/, '"id":8')) }),
    said: [
      { to: 'POST /pets', send: NEW_PET },
      { to: 'POST /pets', send: NEW_PET },
    ],
    found: ['error identity 1'],
  },
  {
    check: 'code-stable',
    defect: 'codes are made up as it goes',
    breaks: isNthTo('GET /pets/999', 2),
    said: [{ to: 'GET /pets/999' }, { to: 'GET /pets/999' }],
    found: ['error code-stable 1'],
  },
  {
    check: 'code-distinct',
    defect: 'all errors have one code',
    breaks: () => ({
      answer: (response) => changeBody(response, (body) => body.replace(/"code":"\w+"/, '"code":"error"')),
    }),
    said: [{ to: 'GET /pets/999' }, { to: 'GET /pets/none' }],
    found: ['warning code-distinct 1'],
  },
  {
    check: 'etag-changes',
    defect: 'tags stay as they are',
    breaks: () => ({
      answer: (response, { method }) => (method === 'GET' ? withHeader(response, 'ETag', '"1"') : response),
    }),
    said: [READ, { to: 'PUT /pets/1', send: NEW_PET }, READ],
    found: ['error etag-changes 2'],
  },
  {
    check: 'put-idempotent',
    defect: 'a second replacement has another effect',
    breaks: isNthTo('PUT /pets/1', 2),
    said: [
      { to: 'PUT /pets/1', send: NEW_PET },
      { to: 'PUT /pets/1', send: NEW_PET },
    ],
    found: ['error echo 1', 'error put-idempotent 1'],
  },
  {
    check: 'read-repeatable',
    defect: 'a read gives something else now and then',
    breaks: isNthTo('GET /pets/1', 2),
    said: [READ, READ],
    found: ['error etag-changes 1', 'warning read-repeatable 1'],
  },
  {
    check: 'lists',
    defect: 'the link to the next page leads to the same page',
    breaks: () => ({
      answer: (response, { target }) => withHeader(response, 'Link', `<http://localhost${target}>; rel="next"`),
    }),
    said: [{ to: 'GET /pets?limit=1' }],
    found: ['error lists 0'],
  },
  {
    check: 'head-like-get',
    defect: 'HEAD says that there is nothing to read',
    breaks: () => ({
      answer: (response, { method }) => (method === 'HEAD' ? withHeader(response, 'Content-Length', '0') : response),
    }),
    said: [READ, { to: 'HEAD /pets/1' }, READ],
    found: ['error head-like-get 1'],
  },
  {
    check: 'list-like-item',
    defect: 'the list has other names',
    breaks: () => ({
      answer: (response, { target }) =>
        target === '/pets' ? changeBody(response, (body) => body.replace(/"name":"[^"]*"/g, '"name":"?"')) : response,
    }),
    said: [READ, { to: 'GET /pets' }, READ],
    found: ['error list-like-item 1'],
  },
  {
    check: 'creation-time',
    defect: 'each read of a pet is of when it was made',
    breaks: () => {
      let reads = 0;
      return {
        answer: (response, { method }) =>
          method === 'GET'
            ? changeBody(response, (body) => body.replace('}', `,"createdAt":"2026-01-31T11:00:0${(reads += 1)}Z"}`))
            : response,
      };
    },
    said: [READ, { to: 'PUT /pets/1', send: NEW_PET }, READ],
    found: ['error creation-time 2'],
  },
  {
    check: 'put-creates',
    describedAs: withPutThatMakes,
    defect: 'a replacement makes what is not there, and says nothing of it',
    breaks: () => ({
      answer: (response, { method }) =>
        method === 'PUT' ? changeBody({ ...response, status: 200 }, () => PET.replace('5', '1')) : response,
    }),
    said: [REMOVE, READ, { to: 'PUT /pets/1', send: NEW_PET }],
    found: ['error put-creates 2'],
  },
  {
    check: 'allow-complete',
    defect: 'OPTIONS does not tell of PUT',
    breaks: () => ({
      answer: (response, { method }) =>
        method === 'OPTIONS'
          ? withHeader({ ...response, status: 204, body: undefined }, 'Allow', 'GET, HEAD')
          : response,
    }),
    said: [{ to: 'PUT /pets/1', send: NEW_PET }, { to: 'OPTIONS /pets/1' }],
    found: ['error allow-complete 1'],
  },
  {
    check: 'removed-values',
    defect: 'a replacement keeps the description of a category',
    breaks: () => ({
      answer: (response) =>
        changeBody(response, (body) => body.replace(/("id":1,"name":"Owls")}/, '$1,"description":"They hoot"}')),
    }),
    said: [
      { to: 'PUT /categories/1', send: '{"name":"Owls","description":"They hoot"}' },
      { to: 'PUT /categories/1', send: '{"name":"Owls"}' },
      { to: 'GET /categories/1' },
    ],
    found: ['error removed-values 2'],
  },
  {
    check: 'said-rules',
    describedAs: withSoldKept,
    defect: 'a pet is removed that is sold',
    breaks: () => ({
      answer: (response) => changeBody(response, (body) => body.replace('"available"', '"sold"')),
    }),
    said: [READ, REMOVE],
    found: ['error said-rules 1'],
  },
];

async function talk(breaks: Defect, said: readonly Said[], describedAs?: (text: string) => string): Promise<string[]> {
  const server = await startBroken(breaks);
  try {
    const heard: Heard[] = [];
    for (const one of said) {
      // The id in the first answer, which the rest may ask for.
      const id = /"id":(\d+)/.exec(heard[0]?.answer.body?.toString() ?? '')?.[1] ?? '';
      heard.push(await say(server.url, { ...one, to: one.to.replace('{id}', id) }));
    }
    return judgeRun(heard, describedAs);
  } finally {
    await server.close();
  }
}

test.each(RUN_DEFECTS)('$check catches a server where $defect', async ({ breaks, said, found, describedAs }) => {
  expect(await talk(breaks(), said, describedAs)).toEqual(found);
  expect(await talk({}, said, describedAs)).toEqual([]);
});

test('every check over a run catches a broken server', () => {
  expect(RUN_DEFECTS.map(({ check }) => check)).toEqual(RUN_CHECKS.map(({ id }) => id));
});
