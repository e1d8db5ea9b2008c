import { render } from 'preact';
import { stayConnected } from './base/live';
import type { View } from './base/view';
import { Shell } from './shell/shell';
import { coverageView } from './views/coverage/coverage-view';
import { eventsView } from './views/events/events-view';
import { referenceView } from './views/reference/reference-view';
import { requestsView } from './views/requests/requests-view';
import { responsesView } from './views/responses/responses-view';
import { sandboxesView } from './views/sandboxes/sandboxes-view';
import { stateView } from './views/state/state-view';

/** The views, in the order of the navigation; an address without one means the first. */
const VIEWS: readonly View[] = [
  requestsView,
  stateView,
  responsesView,
  eventsView,
  sandboxesView,
  referenceView,
  coverageView,
];

const root = document.getElementById('window');
if (root !== null) render(<Shell views={VIEWS} />, root);
void stayConnected();
