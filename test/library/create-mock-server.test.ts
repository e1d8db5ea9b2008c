import request from 'supertest';
import { createMockServer, type CreateMockServerOptions } from '../../src/express';
import { StandinError } from '../../src/core/errors/standin-error';
import { createServerParts } from '../../src/library/create-mock-server';
import { temporaryFolder } from '../support/temporary-folder';

// A test runner shows the message and the stack of an error, and none of its other members.
describe('an error of createMockServer', () => {
  const folder = temporaryFolder();

  async function errorOf(making: Promise<unknown>): Promise<StandinError> {
    const error: unknown = await making.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof StandinError) return error;
    throw new Error('That was no refusal', { cause: error });
  }

  function describing(count: number): string {
    const paths = Array.from({ length: count }, (_, index) => `  /p${index}: { get: { responses: 7 } }\n`).join('');
    return folder.write(`${count}.yaml`, `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}`);
  }

  it('names the findings with their places', async () => {
    const file = describing(1);
    const { message, stack, code, findings } = await errorOf(createMockServer({ description: file, strict: true }));
    expect(code).toBe('SPEC_INVALID');
    expect(findings).not.toHaveLength(0);
    expect(message).toContain(`${file}:4:`);
    expect(message).toContain(findings[0]?.message);
    expect(stack).toContain(message);
    expect(stack).toMatch(/\n {4}at /);
  });

  it('names the first five, and how many more there are', async () => {
    const { message, findings } = await errorOf(createMockServer({ description: describing(9), strict: true }));
    expect(message.match(/yaml:\d+:\d+ error/g)).toHaveLength(5);
    expect(message).toContain(`and ${findings.length - 5} more`);
  });

  it('has the hint', async () => {
    const options = { descripton: 'x.yaml' } as CreateMockServerOptions;
    expect((await errorOf(createMockServer(options))).message).toContain('Did you mean "description"?');
  });

  it('stays short where the command line lists the findings itself', async () => {
    const { message } = await errorOf(createServerParts({ description: describing(2), strict: true }));
    expect(message).not.toContain('\n');
  });
});

describe('a description as an object', () => {
  const pet = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const json = { content: { 'application/json': { schema: pet } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const description = {
    openapi: '3.0.3',
    info: { title: 'Given', version: '1' },
    paths: {
      '/pets': { post: { requestBody: json, responses: { 201: { description: 'made', ...json } } } },
      '/pets/{id}': { parameters: [id], get: { responses: { 200: { description: 'ok', ...json } } } },
    },
  };

  it('is served as one of a file is, without the rules of the Petstore', async () => {
    const app = await createMockServer({ description });
    const posted = await request(app).post('/pets').send({ name: 'Rex' }).expect(201);
    const { id: key } = posted.body as { id: number };
    await request(app).get(`/pets/${key}`).expect(200, posted.body);
  });

  it('takes overrides as an object beside it', async () => {
    const overrides = { resources: { '/pets': { key: 'name' } } };
    await expect(createMockServer({ description, overrides })).resolves.toBeDefined();
  });

  it('is judged: findings have the place in its JSON', async () => {
    const broken = { ...description, paths: { '/pets': { get: { responses: 7 } } } };
    await expect(createMockServer({ description: broken, strict: true })).rejects.toThrow(
      /the description given:\d+:\d+ error/,
    );
  });

  it('that holds itself is rejected with the way out', async () => {
    const loop: Record<string, unknown> = { ...description };
    loop['x-self'] = loop;
    await expect(createMockServer({ description: loop })).rejects.toThrow('cannot be written as JSON');
  });
});
