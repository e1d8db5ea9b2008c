import { email, integer, orNull, reader, type Rule, text, word } from '../frame/input';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const money = text(4, 9, /^(?:0|[1-9][0-9]{0,5})\.[0-9]{2}$/);
const handle = text(3, 24, /^[a-z][a-z0-9-]{2,23}$/);
const tags: Rule = (value) => {
  if (!Array.isArray(value) || value.length > 5) return 'Has to be a list of 5 at most.';
  if (new Set(value).size < value.length) return 'Has the same twice.';
  return value.map(text(1, 20)).find((wrong) => wrong !== undefined);
};

const TOOL = { name: text(1, 80), category: word('hand', 'power', 'measuring', 'garden'), dailyRate: money };

export const readTool = reader(['name', 'category', 'dailyRate'], { ...TOOL, deposit: money, tags });
export const readPatch = reader([], { ...TOOL, deposit: orNull(money), tags });
export const readNote = reader(['text'], { text: text(1, 500), author: text(1, 40) });
export const readMember = reader(['fullName'], { fullName: text(1, 100), email, creditLimit: money });
export const readLoan = reader(['toolId', 'member', 'days'], {
  toolId: text(36, 36, UUID),
  member: handle,
  days: integer(1, 28),
});
export const readMovement = reader(['delta'], {
  delta: (value) => (value === 0 ? 'Has to be something.' : integer(-1000, 1000)(value)),
  reason: text(0, 200),
});
