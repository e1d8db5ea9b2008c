import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';

/** Things whose key has one name in what is read, another one in the list, and one in what is sent. */
const described = (things: string, variable: string, [item, row, sent]: readonly object[]): string =>
  smallApi(
    {
      [`GET /${things}`]: { answers: { 200: list(ref('Row')) } },
      [`POST /${things}`]: { body: ref('Sent'), answers: { 201: ref('Row') } },
      [`GET /${things}/{${variable}}`]: { answers: { 200: ref('Item'), 404: null } },
      [`PUT /${things}/{${variable}}`]: { body: ref('Sent'), answers: { 200: ref('Row'), 404: null } },
    },
    { Item: item!, Row: row!, Sent: sent! },
  );

const only = (name: string): object => object({ [name]: text }, [name]);

describe('a key that the list calls otherwise than the item', () => {
  test.each([
    ['pools', 'pool_name', 'name', object({ ips: list(text), pool_name: text })],
    ['teams', 'teamSlug', 'slug', object({ members: list(text), teamSlug: text })],
    ['vouchers', 'voucher_code', 'code', object({ voucher_code: text, discount: whole, terms: text })],
    ['topics', 'name', 'topic_name', object({ name: text, partitions: whole })],
  ])('has its own name in each: /%s/{%s} and %s', async (things, variable, name, item) => {
    const server = supertest(await serveText(described(things, variable, [item, only(name), only(name)])));
    await server
      .post(`/${things}`)
      .send({ [name]: 'one' })
      .expect(201, { [name]: 'one' });
    await server
      .post(`/${things}`)
      .send({ [name]: 'two' })
      .expect(201, { [name]: 'two' });
    await server.get(`/${things}`).expect(200, [{ [name]: 'one' }, { [name]: 'two' }]);
    const read = await server.get(`/${things}/one`).expect(200);
    expect(read.body).toMatchObject({ [variable]: 'one' });
    const renamed = await server
      .put(`/${things}/one`)
      .send({ [name]: 'three' })
      .expect(200, { [name]: 'three' });
    expect(renamed.headers['x-standin-problem']).toBeUndefined();
    const listed = await server.get(`/${things}`).expect(200);
    expect(listed.body.map((each: Record<string, string>) => each[name]).toSorted()).toEqual(['three', 'two']);
    await server.get(`/${things}/three`).expect(200, { ...read.body, [variable]: 'three' });
  });

  test.each([
    ['tickets', 'id', object({ id: text, title: text }), object({ ticket_id: text, title: text }), 'ticket_id'],
    ['parcels', 'parcelId', object({ parcelId: text, weight: whole }), object({ id: text, weight: whole }), 'id'],
    ['checks', 'check_id', object({ CheckID: text, state: text }), object({ check_id: text, state: text }), 'check_id'],
    ['badges', 'badge', object({ uuid: text, title: text }), object({ badge_uuid: text, title: text }), 'badge_uuid'],
  ])('is that of the item from the start: /%s/{%s}', async (things, variable, item, row, name) => {
    const server = supertest(await serveText(described(things, variable, [item, row, row]), { state: 'seeded' }));
    const listed = await server.get(`/${things}`).expect(200);
    expect(listed.body.length).toBeGreaterThan(1);
    for (const each of listed.body) {
      expect(each[name]).toEqual(expect.any(String));
      await server.get(`/${things}/${each[name]}`).expect(200);
    }
  });
});
