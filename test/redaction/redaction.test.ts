import { createRedaction, type Redaction } from '../../src/redaction/redaction';
import { reportRedaction } from '../../src/runner/result/step-redaction';
import { loadText } from '../openapi/load-text';

const DESCRIPTION = `openapi: 3.0.3
info: { title: Users, version: 1.0.0 }
paths:
  /users:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                name: { type: string }
                phrase: { type: string, format: password }
                vault: { type: object, writeOnly: true }
      responses: { '201': { description: new } }
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: door }
    bound: { type: http, scheme: HOBA }
`;

const api = loadText(DESCRIPTION).api;
const redaction: Redaction = createRedaction(api, api.operations[0], () => '***');

test.each([
  ['{"name":"ann","phrase":"hunter2"}', '{"name":"ann","phrase":"***"}'],
  ['{"vault":{"a":["hunter2"]}}', '{"vault":"***"}'],
  ['{"user":{"apiToken":"hunter2","pwd":12345}}', '{"user":{"apiToken":"***","pwd":"***"}}'],
  [
    '{"tokens":["hunter2",{"id":1}],"token":true,"secret":{"name":"a"}}',
    '{"tokens":["***",{"id":1}],"token":true,"secret":{"name":"a"}}',
  ],
  ['{"max_tokens":5,"next_page_token":"abc"}', '{"max_tokens":5,"next_page_token":"abc"}'],
  ['[{"op":"add","path":"/password","value":"hunter2"}]', '[{"op":"add","path":"/password","value":"***"}]'],
  ['{"a":1,"token":"hunter2', '{"a":1,"token":"***'],
  ['{"phrase":"hunter2', '***'],
  ['{"n": 1.50,\n "b": 9007199254740993}', '{"n": 1.50,\n "b": 9007199254740993}'],
])('a JSON body: %s', (text, shown) => {
  expect(redaction.body(text, 'application/vnd.api+json')).toBe(shown);
});

test.each([
  ['application/x-www-form-urlencoded', 'a=b&user%5Bpassword%5D=hunter2', 'a=b&user%5Bpassword%5D=***'],
  ['text/plain', 'login failed: token=hunter2; user: ann', 'login failed: token=***; user: ann'],
  [
    'text/html',
    '<meta name="csrf-token" content="hunter2"><p>Hi</p>',
    '<meta name="csrf-token" content="***"><p>Hi</p>',
  ],
  ['text/html', '<input name="csrf_token" value="hunter2"><p>Hi</p>', '<input name="csrf_token" value="***"><p>Hi</p>'],
  [
    'application/xml',
    '<u><name>ann</name><password a="b">hunter2</password></u>',
    '<u><name>ann</name><password a="b">***</password></u>',
  ],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x--\r\n',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n***\r\n--x--\r\n',
  ],
])('a body of %s', (type, text, shown) => {
  expect(redaction.body(text, type)).toBe(shown);
});

test('who masks is told what the secret is and how it is written there', () => {
  const told: unknown[] = [];
  const telling = createRedaction(api, api.operations[0], (secret, { kind, name, encoding }) => {
    told.push([secret, kind, name, encoding]);
    return '';
  });
  telling.headers(['Authorization', 'Bearer b1', 'Cookie', 'sid=c1', 'X-Secret', 'h1']);
  telling.target('//u:p%31@host/?api_key=q%201');
  telling.target('https://u:p%31@host/?api_key=q%201');
  telling.body('{"token":"j1"}', 'application/json');
  telling.body('token=f+1', 'application/x-www-form-urlencoded');
  telling.body('<token>a&amp;b</token>', 'application/xml');
  telling.body('{"token":"a\\"b"', 'text/plain');
  expect(told).toEqual([
    ['b1', 'header', 'Bearer', 'plain'],
    ['c1', 'cookie', 'sid', 'plain'],
    ['h1', 'header', 'x-secret', 'plain'],
    ['q%201', 'query', 'api_key', 'query'],
    ['p%31', 'userinfo', 'password', 'query'],
    ['q%201', 'query', 'api_key', 'query'],
    ['j1', 'property', 'token', 'plain'],
    ['f+1', 'property', 'token', 'query'],
    ['a&amp;b', 'property', 'token', 'markup'],
    ['a\\"b', 'property', 'token', 'json'],
  ]);
});

test('headers: of credentials the scheme, of cookies the names, and addresses without their secrets', () => {
  const sent = ['Authorization', 'Bearer hunter2', 'Cookie', 'a=hunter2; b=hunter2', 'X-Secret', 'hunter2'];
  const got = ['Set-Cookie', 'sid=hunter2; Path=/; HttpOnly', 'Location', '/cb#access_token=hunter2&state=1'];
  expect(redaction.headers([...sent, ...got, 'X-Request-Id', 'abc'])).toEqual([
    ...['Authorization', 'Bearer ***', 'Cookie', 'a=***; b=***', 'X-Secret', '***'],
    ...['Set-Cookie', 'sid=***; Path=/; HttpOnly', 'Location', '/cb#access_token=***&state=1'],
    ...['X-Request-Id', 'abc'],
  ]);
});

test('a target: what the description calls a key, what everybody calls one, and a password before the host', () => {
  const target = 'https://ann:hunter2@example.com/a?door=hunter2&api_key=hunter2&x=1&X-Amz-Signature=hunter2';
  expect(redaction.target(target)).toBe('https://ann:***@example.com/a?door=***&api_key=***&x=1&X-Amz-Signature=***');
});

test.each(['Bearer', 'digest', 'HOBA'])(
  'a report shows the scheme %s without credentials, which holds no secret',
  (scheme) => {
    const shown = reportRedaction(api, api.operations[0]);
    expect(shown.headers(['Authorization', scheme])).toEqual(['Authorization', scheme]);
    expect(shown.headers(['Authorization', 'Unknown'])).toEqual(['Authorization', '***']);
  },
);
