import { asJson, createDialect } from '../frame/envelope';
import type { Answer } from '../message';

export const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  405: 'bad_method',
  409: 'conflict',
  412: 'stale',
  415: 'bad_type',
  422: 'invalid',
  428: 'no_tag',
};

export const asError = (answer: Answer, status: number): Answer =>
  asJson(answer, status, {
    error: {
      code: CODES[status] ?? 'internal',
      message: 'It cannot be done.',
      details: status === 422 ? [{ field: '', issue: 'Is wrong.' }] : [],
    },
  });

export const KEY = 'X-Access-Token';

export const CLINIC = createDialect(
  {
    'sample-types': ['sample-types', { GET: 'listSampleTypes' }],
    'sample-types/*': ['sample-types', { GET: 'getSampleType', PUT: 'putSampleType', DELETE: 'deleteSampleType' }],
    patients: ['patients', { GET: 'listPatients', POST: 'registerPatient' }],
    'patients/*': ['patients', { GET: 'getPatient', PATCH: 'changePatient', DELETE: 'archivePatient' }],
    'kit-orders': ['kit-orders', { GET: 'listKitOrders', POST: 'placeKitOrder' }],
    'kit-orders/*': ['kit-orders', { GET: 'getKitOrder' }],
    'kit-orders/*/cancel': ['kit-orders', { POST: 'cancelKitOrder' }],
    appointments: ['appointments', { GET: 'listAppointments', POST: 'requestAppointment' }],
    'appointments/*': ['appointments', { GET: 'getAppointment', PUT: 'replaceAppointment' }],
    'appointments/*/confirm': ['appointments', { POST: 'confirmAppointment' }],
    'appointments/*/complete': ['appointments', { POST: 'completeAppointment' }],
    'appointments/*/cancel': ['appointments', { POST: 'cancelAppointment' }],
    'appointments/*/results': ['results', { GET: 'listResults', POST: 'addResult' }],
    'appointments/*/results/*': ['results', { GET: 'getResult', DELETE: 'deleteResult' }],
  },
  /^(\/api\/v1)\/(.*)$/,
  ['results'],
  KEY,
);
