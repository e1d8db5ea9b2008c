import { smallMock } from './small-mock';

const body = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const LAMPS = `paths:
  /lamps:
    post:
      requestBody: { ${body("{ $ref: '#/components/schemas/NewLamp' }")} }
      responses: { '201': { description: made, ${body("{ $ref: '#/components/schemas/Lamp' }")} } }
  /lamps/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, ${body("{ $ref: '#/components/schemas/Lamp' }")} } } }
    patch:
      requestBody: { ${body("{ $ref: '#/components/schemas/NewLamp' }")} }
      responses: { '200': { description: changed, ${body("{ $ref: '#/components/schemas/Lamp' }")} } }
components:
  schemas:
    NewLamp:
      type: object
      properties:
        light:
          type: object
          properties:
            colour: { type: string }
            isOn: { type: boolean, default: false }
            watts: { type: integer, default: 90 }
            glow: { type: object, properties: { halo: { type: string, default: none }, size: { type: integer } } }
    Lamp:
      type: object
      required: [id]
      properties:
        id: { type: string }
        light:
          type: object
          required: [isOn]
          properties:
            colour: { type: string }
            isOn: { type: boolean, example: true }
            watts: { type: integer, maximum: 60 }
            glow: { type: object, properties: { halo: { type: string }, size: { type: integer } } }
`;

test('what is left out of an object that is sent is what its schema for requests says', async () => {
  const { send } = smallMock(LAMPS);
  const { body: made } = await send('POST', '/lamps', { light: { colour: 'red', glow: { size: 2 } } });
  // 90 is more than a lamp can have.
  const light = { colour: 'red', isOn: false, glow: { size: 2, halo: 'none' } };
  expect(made).toMatchObject({ light });
  expect(Object.keys((made as { light: object }).light)).not.toContain('watts');
});

test('what is sent stays, and a change gets no defaults', async () => {
  const { send } = smallMock(LAMPS);
  const { body: made } = await send('POST', '/lamps', { light: { isOn: true, watts: 20 } });
  const { id, light } = made as { id: string; light: object };
  expect(light).toEqual({ isOn: true, watts: 20 });
  const { body: changed } = await send('PATCH', `/lamps/${id}`, { light: { colour: 'blue' } });
  expect(changed).toMatchObject({ light: { colour: 'blue', isOn: true } });
});

test('an object that is not sent is not made for its defaults', async () => {
  const { body: made } = await smallMock(LAMPS).send('POST', '/lamps', {});
  expect(Object.keys(made as object)).toEqual(['id']);
});
