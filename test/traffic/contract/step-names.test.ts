import { exchange } from '../recorded';
import { contractOf } from './derived';

function namesOf(text: string): string[] {
  return [...text.matchAll(/- name: (.*)/g)].map(([, name = '']) => name);
}

test('lists are named by what not every one of them is asked for', () => {
  const pets = [{ id: 1 }];
  const text = contractOf([
    exchange('GET /pets?all=true&deep=false', { answered: pets }),
    exchange('GET /pets?all=true&deep=false&owner=ada', { answered: pets }),
    exchange('GET /pets?all=true&deep=true', { answered: pets }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text)).toEqual(['list pets', 'list pets by owner ada', 'list pets (2)', 'read a pet']);
});

test('lists of other words stay apart', () => {
  const text = contractOf([
    exchange('GET /pets?status=sold', { answered: [{ id: 1 }] }),
    exchange('GET /pets?status=pending', { answered: [{ id: 1 }] }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text).slice(0, 2)).toEqual(['list pets by status sold', 'list pets by status pending']);
});

test('a single list is named by what it is asked for', () => {
  const text = contractOf([
    exchange('GET /pets?status=sold', { answered: [{ id: 1 }] }),
    exchange('GET /pets/1', { answered: { id: 1 } }),
  ]);
  expect(namesOf(text)[0]).toBe('list pets by status sold');
});
