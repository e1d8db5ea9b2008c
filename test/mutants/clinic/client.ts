import { randomUUID } from 'node:crypto';
import type { Reply, Sending } from '../client';
import { EnvelopeClient, type Made, made } from '../frame/client';
import type { Row } from '../frame/envelope';
import type { Json } from '../json';
import type { MutantProxy } from '../proxy';
import { CLINIC } from './dialect';

export const HOME = '/api/v1';
const newWord = (): string => `t-${randomUUID().slice(0, 8)}`;

/** A client of the clinic's API, in the first of its laboratories. */
export class ClinicClient extends EnvelopeClient {
  constructor(proxy: Pick<MutantProxy, 'url' | 'endPauses'>) {
    super(proxy, CLINIC.credential('test-key'), HOME);
  }

  async sampleType(values: Row = {}, slug = newWord()): Promise<Made> {
    const body = { title: 'Ferritin', unit_price: 900, on_shelf: 10, tubes: [TUBE], ...values };
    const path = `${HOME}/sample-types/${slug}`;
    return { id: slug, path, reply: await this.put(path, body) };
  }

  async patient(values: Row = {}): Promise<Made> {
    const path = `${HOME}/patients`;
    return made(path, await this.post(path, { full_name: 'Ida Lund', email: `${newWord()}@mail.example`, ...values }));
  }

  change({ path }: Made, body: Json): Promise<Reply> {
    return this.patch(path, body, { headers: { 'Content-Type': 'application/merge-patch+json' } });
  }

  /** An order of a sample type, for a patient of its own unless one is given. */
  async order(kit: Made, values: Row = {}, sending: Sending = {}): Promise<Made> {
    const patient = values.for_patient ?? (await this.patient()).id;
    const body = { kit: kit.id, for_patient: patient, quantity: 2, ...values };
    return made(`${HOME}/kit-orders`, await this.post(`${HOME}/kit-orders`, body, sending));
  }

  async appointment(values: Row = {}): Promise<Made> {
    const patient = values.for_patient ?? (await this.patient()).id;
    return made(
      `${HOME}/appointments`,
      await this.post(`${HOME}/appointments`, { ...VISIT, for_patient: patient, ...values }),
    );
  }

  act({ path }: Made, action: string): Promise<Reply> {
    return this.post(`${path}/${action}`, {});
  }

  /** A confirmed appointment, to which results can be added. */
  async visit(): Promise<Made> {
    const appointment = await this.appointment();
    await this.act(appointment, 'confirm');
    return appointment;
  }

  /** Replaces an appointment that has this entity tag, or the one that it has. */
  async replace({ path }: Made, values: Row, tag?: string): Promise<Reply> {
    const current = await this.get(path);
    const { for_patient: patient } = await this.read(path);
    const headers = { 'If-Match': tag ?? current.header('etag') ?? '*' };
    return this.put(path, { ...VISIT, for_patient: patient ?? null, ...values }, { headers });
  }

  async result({ path }: Made, values: Row = {}): Promise<Made> {
    const body = { analyte: 'Ferritin', value: 41.5, unit: 'ug/l', ...values };
    return made(`${path}/results`, await this.post(`${path}/results`, body));
  }
}

const TUBE = { colour: 'red', volume_ml: 5 };
const VISIT = { starts_at: '2026-05-04T08:15:00Z', minutes: 15 };
