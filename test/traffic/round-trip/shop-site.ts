import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from './round-trip';

// The front end of a shop as a site serves it: a page with its style, script and picture, which calls the API of
// another origin, asks again and again what there is, and reports to those who watch its use.

const PAGE = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>The shop</title>
<link rel="stylesheet" href="/shop.css">
<h1>The shop</h1>
<form id="add"><input name="name" required><button>Add</button></form>
<p id="said" role="status"></p>
<ul id="pets"></ul>
<img src="/logo.svg" alt="">
<script type="module" src="/shop.js"></script>
</html>
`;

const SCRIPT = `
const api = new URLSearchParams(location.search).get('api');
const key = 'test-key';
const said = document.querySelector('#said');
const list = document.querySelector('#pets');
const tags = new Map();
let category;

async function call(method, path, body, headers = {}) {
  const response = await fetch(api + path, {
    method,
    headers: {
      Authorization: 'Bearer ' + key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value = text === '' ? undefined : JSON.parse(text);
  navigator.sendBeacon(api + '/analytics/collect', JSON.stringify({ event: method + ' ' + path.split('?')[0] }));
  if (!response.ok) throw new Error(response.status + ' ' + (value?.code ?? ''));
  if (response.headers.get('etag') !== null) tags.set(path, response.headers.get('etag'));
  return value;
}

function button(text, act) {
  const element = document.createElement('button');
  element.textContent = text;
  element.addEventListener('click', () => attempt(act));
  return element;
}

async function attempt(act) {
  said.textContent = '…';
  try {
    said.textContent = (await act()) ?? 'done';
  } catch (error) {
    said.textContent = 'refused: ' + error.message;
  }
}

function row(pet) {
  const path = '/pets/' + pet.id;
  const item = document.createElement('li');
  item.dataset.name = pet.name;
  item.append(pet.name + ' (' + pet.status + ') ');
  item.append(
    button('Show', async () => {
      const shown = await call('GET', path);
      const { quantity } = await call('GET', '/inventory/' + pet.id);
      return shown.name + ', ' + quantity + ' in stock';
    }),
    button('Reserve', async () => {
      const { id, ...fields } = await call('GET', path);
      await call('PUT', path, { ...fields, status: 'pending' }, { 'If-Match': tags.get(path) });
      await show();
    }),
    button('Restock', () => call('PATCH', '/inventory/' + pet.id, { quantity: 4 }).then(() => show())),
    button('Order', async () => {
      const order = await call('POST', '/store/orders', { petId: pet.id, quantity: 2 });
      return 'ordered ' + order.quantity;
    }),
    button('Cancel order', async () => {
      const [order] = await call('GET', '/store/orders?petId=' + pet.id);
      await call('DELETE', '/store/orders/' + order.id);
    }),
    button('Remove', () => call('DELETE', path).then(() => show())),
  );
  return item;
}

async function show() {
  const pets = await call('GET', '/pets?categoryId=' + category.id);
  list.replaceChildren(...pets.map(row));
}

document.querySelector('#add').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = new FormData(event.target).get('name');
  void attempt(() => call('POST', '/pets', { name, categoryId: category.id }).then(() => show()));
});

// What there is at the door, and a corner of the shop for what is made here.
await Promise.all([call('GET', '/categories'), call('GET', '/pets'), call('GET', '/inventory')]);
category = await call('POST', '/categories', { name: 'Rodents', description: 'Très mignons' });
await show();
const polling = setInterval(() => call('GET', '/store/orders?complete=false'), 250);
window.closeShop = async () => {
  clearInterval(polling);
  await call('DELETE', '/categories/' + category.id);
};
document.title = 'The shop is open';
`;

const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html; charset=utf-8', PAGE],
  '/shop.css': ['text/css', 'body { font-family: sans-serif }'],
  '/shop.js': ['text/javascript', SCRIPT],
  '/logo.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  ],
};

/** Serves the front end. `?api=` of its page is where the API is. */
export async function openShop(): Promise<Service> {
  const server = createServer((request, response) => {
    const [type, text] = FILES[(request.url ?? '/').split('?')[0] ?? '/'] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
