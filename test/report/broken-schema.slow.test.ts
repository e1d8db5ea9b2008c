import { runContract } from '../../src/library/run-contract';
import { rootCauses } from '../../src/report/causes/root-causes';
import { DEFECTS } from '../mutants/catalogue/index';
import { startMutantProxy } from '../mutants/proxy';
import { createSecondPetstore, type SecondPetstore } from '../second-petstore/index';

let shop: SecondPetstore;
let target: string;
beforeAll(async () => {
  shop = createSecondPetstore();
  target = await shop.listen();
});
afterAll(() => shop.close());

// Each breaks one member of one component, which lists, reads and writes answer with.
test.each([
  { id: 'SH-04', at: '/categoryId', operations: ['createPet', 'getPet', 'listPets', 'replacePet'] },
  {
    id: 'SH-05',
    at: '/description',
    operations: ['createCategory', 'getCategory', 'listCategories', 'replaceCategory'],
  },
  { id: 'TY-05', at: '/status', operations: ['createPet', 'getPet', 'listInventory', 'listPets'] },
])('$id is one cause of body-schema, for every operation that shows it', async ({ id, at, operations }) => {
  const defect = DEFECTS.find((each) => each.id === id)!;
  const proxy = await startMutantProxy({ target, defect });
  try {
    const contracts = ['categories', 'lists-categories', 'pets-create', 'pets-replace', 'lists-pets'];
    const files = contracts.map((name) => `contracts/full/${name}.yaml`);
    const result = await runContract({ baseUrl: proxy.url, contracts: files, probesAuth: false });
    const causes = rootCauses(result).filter(({ check }) => check === 'body-schema');
    expect(causes).toHaveLength(1);
    expect(causes[0]!.at?.endsWith(at)).toBe(true);
    expect(causes[0]!.operations).toEqual(expect.arrayContaining(operations));
  } finally {
    await proxy.close();
  }
});
