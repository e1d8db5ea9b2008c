import { type FilterExpression, FilterSyntaxError, parseFilter } from '../../src/lists/parse-filter';

function write(expression: FilterExpression): string {
  if (expression.kind === 'joined') return `${expression.how}(${expression.parts.map(write).join(' ')})`;
  return `${expression.field}:${expression.comparison}:${JSON.stringify(expression.value)}`;
}

test.each([
  ['userName eq "ada"', 'userName:equal:"ada"'],
  ['name.familyName co "O\\"Neil"', 'name.familyName:contains:"O\\"Neil"'],
  ['title pr', 'title:there:null'],
  ['A EQ "x" AND b ne "y"', 'all(A:equal:"x" b:not-equal:"y")'],
  ['a eq 1 or b eq 2 and c eq 3', 'any(a:equal:"1" all(b:equal:"2" c:equal:"3"))'],
  ['(a eq 1 or b eq 2) and not (c pr)', 'all(any(a:equal:"1" b:equal:"2") none(c:there:null))'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userType ne "Employee"', 'userType:not-equal:"Employee"'],
  ["Name eq 'O''Neil'", 'Name:equal:"O\'Neil"'],
  ["Address/City eq 'Bern' and Price gt 2.55", 'all(Address.City:equal:"Bern" Price:more-than:"2.55")'],
  ["contains(Name,'a b') and endswith(Name, 'z') eq false", 'all(Name:contains:"a b" none(Name:ends:"z"))'],
  ["substringof('ab', Name) or Kind in ('x', 'y')", 'any(Name:contains:"ab" Kind:one-of:["x","y"])'],
  [
    "made ge datetime'2026-01-01T00:00:00Z' and left eq null",
    'all(made:at-least:"2026-01-01T00:00:00Z" left:equal:null)',
  ],
  ['made lt 2026-01-01T00:00:00Z', 'made:less-than:"2026-01-01T00:00:00Z"'],
  ['equals(name,"Al, ma")', 'name:equal:"Al, ma"'],
  [`any(name,["a",'b'])`, 'name:one-of:["a","b"]'],
  ["any(name,'a','b')", 'name:one-of:["a","b"]'],
  ['in(owner.id,(1,2))', 'owner.id:one-of:["1","2"]'],
  ['greater-than(made,2024-01-01T00:00:00Z)', 'made:more-than:"2024-01-01T00:00:00Z"'],
  ["lessOrEqual(size,'5'),starts-with(name,'a')", 'all(size:at-most:"5" name:begins:"a")'],
  ["and(equals(a,'x'),or(not(equals(b,'y')),equals(c,null)))", 'all(a:equal:"x" any(none(b:equal:"y") c:equal:null))'],
])('%s', (text, expected) => {
  expect(write(parseFilter(text))).toBe(expected);
});

test.each([
  ['name eq', 'malformed', /a value is expected in place of the end/],
  ['name eq "x', 'malformed', /character 8 has no end/],
  ['name', 'malformed', /an operator behind "name" is expected/],
  ['(name pr', 'malformed', /"\)" is expected/],
  ['name pr pr', 'malformed', /"and", "or" or the end is expected in place of "pr"/],
  ['name like "x"', 'malformed', /"like" is not an operator/],
  ['', 'malformed', /a property is expected/],
  ['and(equals(a,1)', 'malformed', /"\)" is expected/],
  ["count(parts,'1')", 'unsupported', /count/],
  [`${'or('.repeat(5000)}equals(a,1)`, 'unsupported', /levels deep/],
  ['emails[type eq "work"]', 'unsupported', /emails\[…\]/],
  ["tolower(name) eq 'x'", 'unsupported', /tolower/],
  ['price add 5 gt 10', 'unsupported', /add/],
  [`${'('.repeat(5000)}a pr`, 'unsupported', /levels deep/],
  [`${'not '.repeat(5000)}a pr`, 'unsupported', /levels deep/],
])('%.30s is %s', (text, kind, message) => {
  const parse = (): unknown => parseFilter(text);
  expect(parse).toThrow(FilterSyntaxError);
  expect(parse).toThrow(message);
  expect(parse).toThrow(expect.objectContaining({ kind }));
});
