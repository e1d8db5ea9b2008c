import { KEY } from './peer';

type Fields = Readonly<Record<string, unknown>>;

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** Makes things at a server, for tools that ask for what is there and cannot make it. */
export function thingsAt(url: string): Readonly<Record<string, () => Promise<Fields>>> {
  let made = 0;
  const make = async (path: string, body: Fields): Promise<Fields> => {
    const response = await fetch(url + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
    return (await response.json()) as Fields;
  };
  const categories = (): Promise<Fields> =>
    make('/categories', { name: `Hamsters ${(made += 1)} of a peer`, description: 'Small and awake at night.' });
  const pets = async (): Promise<Fields> =>
    make('/pets', { name: 'Biscuit', categoryId: (await categories())['id'], status: 'available' });
  const store = async (): Promise<Fields> =>
    make('/store/orders', { petId: (await pets())['id'], quantity: 1, shipDate: '2026-02-01T09:00:00Z' });
  return { categories, pets, store, inventory: pets };
}
