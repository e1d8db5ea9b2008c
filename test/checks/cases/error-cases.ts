import { pet, refusal, type Answer, type CheckCases } from '../answer';

const AT_MESSAGE = 'error /response/body/message: ';
const KEY = 'k3y/with+signs==';

/** Texts that were written for developers of the server. */
const INTERNAL: readonly (readonly [name: string, text: string])[] = [
  ['Node', 'TypeError: x\n    at findOne (/srv/app/dist/orders/repository.js:41:19)'],
  ['Node, inside', 'Error\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)'],
  ['JavaScript', "Cannot read properties of undefined (reading 'id')"],
  ['older JavaScript', "Cannot read property 'id' of null"],
  ['Java', 'at com.example.shop.OrderService.find(OrderService.java:41)'],
  ['Java, an exception', 'nested exception is org.hibernate.exception.ConstraintViolationException: could not execute'],
  ['Python', 'Traceback (most recent call last):\n  File "/app/shop.py", line 3, in find'],
  ['Python, an error', "'NoneType' object has no attribute 'id'"],
  ['.NET', 'at Shop.Orders.Find(Int64 id) in C:\\src\\Orders.cs:line 41'],
  ['.NET, an exception', 'System.NullReferenceException was thrown'],
  ['PHP', 'Uncaught Error in /var/www/shop/orders.php:41'],
  ['PHP, a frame', '#0 /var/www/shop/index.php(12): find()'],
  ['Go', 'panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:'],
  ['Go, a frame', '\t/srv/shop/orders.go:41 +0x1d'],
  ['Ruby', "/srv/shop/app/orders.rb:41:in `find'"],
  ['Rust', "thread 'main' panicked at src/orders.rs:41:5"],
  ['MySQL', 'You have an error in your SQL syntax; check the manual'],
  ['PostgreSQL', 'duplicate key value violates unique constraint "orders_pkey"'],
  ['SQLite', 'UNIQUE constraint failed: orders.id'],
  ['PDO', 'SQLSTATE[42S02]: Base table or view not found'],
  ['Oracle', 'ORA-00942: table or view does not exist'],
  ['SQL', 'in SELECT id, name FROM orders WHERE id = 1'],
  ['a database that is away', 'connect ECONNREFUSED 10.0.0.7:5432'],
];

/** Texts that read a little like those, and are for clients. */
const HARMLESS: readonly string[] = [
  'The body is not valid JSON: Unexpected end of JSON at line 1, column 9: expected a value',
  'The field /petId names 99, which does not exist in /pets',
  'The error is at /pets/1:2, see https://docs.example.com/errors.html',
  'The field /name must match ^[a-z]+$ and have at most 100 characters <100>',
  'Select a status from the list; the order was deleted from the store where it was',
  'a < b and c > d',
  'Das ging leider nicht: „größer“ ≠ kleiner.',
  'The exception list is empty. No Error.',
];

export const ERROR_CASES: Readonly<Record<string, CheckCases>> = {
  internals: {
    speaks: [
      ...INTERNAL.map(([name, text]): [string, Answer, string] => [
        name,
        refusal(400, text),
        `${AT_MESSAGE}The error holds a`,
      ]),
      ['HTML', refusal(404, '<h1>Not Found</h1>'), `${AT_MESSAGE}The message is written in HTML`],
      [
        'a stack in a member that nobody documented',
        refusal(500, 'no', {
          body: JSON.stringify({ code: 'a', message: 'b', status: 500, debug: { stack: [INTERNAL[0]![1]] } }),
        }),
        'error /response/body/debug/stack/0: The error holds a place in a script',
      ],
      [
        'a stack in the page of a framework',
        refusal(500, 'no', { body: `<pre>${INTERNAL[0]![1]}</pre>` }),
        'error /response/body: The error holds a place in a script',
      ],
    ],
    silent: [
      ...HARMLESS.map((text): [string, Answer] => [`"${text.slice(0, 30)}"`, refusal(400, text)]),
      ['a page without any, which is said already', refusal(404, 'no', { body: '<h1>Not Found</h1>' })],
      [
        'a code that is the name of a class',
        refusal(400, 'no', { body: '{"code":"com.example.shop.NotFoundException","message":"no","status":400}' }),
      ],
      [
        'HTML in another member',
        refusal(400, 'no', { body: '{"code":"a","message":"b","status":400,"help":"<p>c</p>"}' }),
      ],
    ],
    idle: [
      ['a success', pet({ body: '{"name":"/srv/app/a.js:1:1"}' })],
      ['no body', { of: 'getPet', status: 404 }],
    ],
  },
  'secret-echo': {
    speaks: [
      ['the key in the message', refusal(401, `unknown key ${KEY}`, { secrets: ['another-key', KEY] }), AT_MESSAGE],
      ['the key as URLs write it', refusal(401, encodeURIComponent(KEY), { secrets: [KEY] }), AT_MESSAGE],
      ['the key in base64', refusal(401, Buffer.from(KEY).toString('base64'), { secrets: [KEY] }), AT_MESSAGE],
      [
        'the key as the name of a member',
        refusal(401, 'no', { body: JSON.stringify({ keys: { [KEY]: { [KEY]: 1 } } }), secrets: [KEY] }),
        'error /response/body/keys: ',
      ],
      [
        'the key in a redirect',
        { status: 302, headers: { Location: `/login?key=${encodeURIComponent(KEY)}` }, secrets: [KEY] },
        'error /response/headers/location: The response repeats a credential',
      ],
      ['the key in a page', { status: 404, body: `<p>${KEY}`, secrets: [KEY] }, 'error /response/body: '],
    ],
    silent: [['an error without it', refusal(401, 'unknown key', { secrets: [KEY] })]],
    idle: [
      ['a success, which may be the key itself', pet({ body: JSON.stringify({ key: KEY }), secrets: [KEY] })],
      ['a key that could be any word', refusal(404, 'no', { secrets: ['no'] })],
      ['a request without credentials', refusal(401, KEY)],
    ],
  },
};
