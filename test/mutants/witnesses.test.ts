import { PETSTORE_API } from './apis';
import { Client } from './client';
import { testWitnesses } from './test-witnesses';

testWitnesses(PETSTORE_API, 'second', (proxy) => new Client(proxy));
