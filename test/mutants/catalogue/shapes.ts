import { good, onAnswer, type Defect } from '../defect';
import { isFields, omit } from '../json';
import { edited, succeeded } from '../message';

const EMPTY = Buffer.alloc(0);

export const SHAPE_DEFECTS: readonly Defect[] = [
  {
    id: 'SH-01',
    needs: ['S'],
    title: 'a pet is read without its name',
    clause: 'Pet requires name',
    start: onAnswer(
      good('getPet'),
      edited((fields) => omit(fields, 'name')),
    ),
    witness: async (client) => (await client.get((await client.pet()).path)).fields.name === undefined,
  },
  {
    id: 'SH-02',
    needs: ['S'],
    title: 'pets have no name in lists',
    clause: 'Pets: items are Pet, which requires name',
    start: onAnswer(
      good('listPets'),
      edited((fields) => omit(fields, 'name')),
    ),
    witness: async (client) => {
      const { path, id } = await client.pet();
      const [listed] = (await client.get(`/pets?id=${path.slice('/pets/'.length)}`)).items;
      return listed?.id === id && listed.name === undefined;
    },
  },
  {
    id: 'SH-04',
    needs: ['S'],
    title: 'the category of a pet comes as an object',
    clause: 'NewPet.categoryId: int64',
    start: onAnswer(
      good('getPet', 'listPets', 'createPet', 'replacePet'),
      edited(({ categoryId = null, ...others }) => ({ ...others, categoryId: { id: categoryId } })),
    ),
    witness: async (client) => isFields((await client.get((await client.pet()).path)).fields.categoryId),
  },
  {
    id: 'SH-05',
    needs: ['S'],
    title: 'an absent description is sent as null',
    clause: 'NewCategory.description: string, not nullable',
    start: onAnswer(
      good('getCategory', 'listCategories', 'createCategory', 'replaceCategory'),
      edited((fields) => ({ ...fields, description: fields.description ?? null })),
    ),
    witness: async (client) => (await client.category()).reply.fields.description === null,
  },
  {
    id: 'SH-08',
    needs: ['S', 'V'],
    title: 'adding a pet returns its id alone',
    clause: 'createPet 201: Pet, which requires name and categoryId',
    start: onAnswer(
      good('createPet'),
      edited(({ id = null }) => ({ id })),
    ),
    witness: async (client) => Object.keys((await client.pet()).reply.fields).join() === 'id',
  },
  {
    id: 'SH-10',
    needs: ['S'],
    title: 'reads return an empty body that is labelled JSON',
    clause: 'the 200 of every GET documents a body',
    start: onAnswer(
      ({ call, place }, answer) => call.method === 'GET' && place.id !== undefined && succeeded(answer),
      (answer) => ({ ...answer, body: EMPTY }),
    ),
    witness: async (client) => {
      const { status, text } = await client.get((await client.category()).path);
      return status === 200 && text === '';
    },
  },
  {
    id: 'SH-11',
    needs: ['V', 'D'],
    title: 'the optional description goes by another name',
    clause: 'NewCategory.description; what was sent comes back',
    start: onAnswer(
      good('getCategory', 'listCategories', 'createCategory', 'replaceCategory'),
      edited(({ description, ...others }) =>
        description === undefined ? others : { ...others, category_description: description },
      ),
    ),
    witness: async (client) => {
      const { fields } = (await client.category({ description: 'Small' })).reply;
      return fields.description === undefined && fields['category_description'] === 'Small';
    },
  },
];
