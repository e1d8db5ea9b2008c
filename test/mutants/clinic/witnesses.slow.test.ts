import { testWitnesses } from '../test-witnesses';
import { CLINIC_API } from './api';
import { ClinicClient } from './client';

testWitnesses(CLINIC_API, 'clinic', (proxy) => new ClinicClient(proxy));
