import { testWitnesses } from '../test-witnesses';
import { LENDING_API } from './api';
import { LendingClient } from './client';

testWitnesses(LENDING_API, 'lending', (proxy) => new LendingClient(proxy));
