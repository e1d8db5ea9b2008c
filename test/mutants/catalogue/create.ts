import { good, type Defect } from '../defect';
import { omit, textOf, type Fields } from '../json';
import { Hidden, notFound } from '../memory';
import { editFields, fieldsOf, succeeded } from '../message';

/** In capitals, or in small letters if it was in capitals already. */
const otherCase = (name: string): string => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

export const CREATE_DEFECTS: readonly Defect[] = [
  {
    id: 'CR-01',
    needs: ['V'],
    title: 'a pet that was added cannot be read',
    clause: 'getPet: 200 for a pet that exists',
    start: () => {
      const hidden = new Hidden();
      return async (exchange) => {
        const answer = await exchange.pass();
        const isRead = exchange.place.operation === 'getPet';
        if (good('createPet')(exchange, answer) && exchange.fires()) hidden.add('pets', textOf(fieldsOf(answer).id));
        return isRead && hidden.has(exchange.place) ? notFound(exchange) : answer;
      };
    },
    witness: async (client) => (await client.get((await client.pet()).path)).status === 404,
  },
  {
    id: 'CR-02',
    needs: ['L'],
    title: 'a pet that was added is not in the list',
    clause: 'listPets: the pets that match every given filter',
    start: () => {
      const hidden = new Hidden();
      return async (exchange) => {
        const answer = await exchange.pass();
        if (good('createPet')(exchange, answer) && exchange.fires()) hidden.add('pets', textOf(fieldsOf(answer).id));
        return exchange.place.operation === 'listPets' ? hidden.apply(exchange.place, answer) : answer;
      };
    },
    witness: async (client) => {
      const { id } = await client.pet();
      return !(await client.idsOf('/pets')).includes(textOf(id));
    },
  },
  {
    id: 'CR-04',
    needs: ['V'],
    title: 'the optional description is dropped when a category is added',
    clause: 'createCategory: what was sent comes back',
    start: () => (exchange) => {
      const { call, place } = exchange;
      const isDescribed = place.operation === 'createCategory' && fieldsOf(call).description !== undefined;
      if (!isDescribed || !exchange.fires()) return exchange.pass();
      return exchange.pass(editFields(call, (fields) => omit(fields, 'description')));
    },
    witness: async (client) => {
      const { path } = await client.category({ description: 'Small' });
      return (await client.get(path)).fields.description === undefined;
    },
  },
  {
    id: 'CR-05',
    needs: ['V', 'D'],
    title: 'a pet added without status is pending',
    clause: 'createPet: without a status the pet is available',
    start: () => (exchange) => {
      const { call, place } = exchange;
      const fields = fieldsOf(call);
      const isOpen = place.operation === 'createPet' && 'name' in fields && fields.status === undefined;
      if (!isOpen || !exchange.fires()) return exchange.pass();
      return exchange.pass(editFields(call, (sent) => ({ ...sent, status: 'pending' })));
    },
    witness: async (client) => (await client.pet()).reply.fields.status === 'pending',
  },
  {
    id: 'CR-07',
    needs: ['V'],
    title: 'the response shows the name that was sent, but another one is kept',
    clause: 'createPet, createCategory: the resource in the answer is the stored one',
    start: () => async (exchange) => {
      const { call, place } = exchange;
      const { name } = fieldsOf(call);
      const isNew = ['createPet', 'createCategory'].includes(place.operation ?? '');
      if (!isNew || typeof name !== 'string' || otherCase(name) === name || !exchange.fires()) return exchange.pass();
      const answer = await exchange.pass(editFields(call, (fields) => ({ ...fields, name: otherCase(name) })));
      return succeeded(answer) ? editFields(answer, (fields: Fields) => ({ ...fields, name })) : answer;
    },
    witness: async (client) => {
      const { path, reply } = await client.category({ name: 'Rodent' });
      return reply.fields.name === 'Rodent' && (await client.get(path)).fields.name === 'RODENT';
    },
  },
];
