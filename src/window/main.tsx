import { render } from 'preact';
import { stayConnected } from './base/live';
import type { View } from './base/view';
import { Shell } from './shell/shell';
import { requestsView } from './views/requests/requests-view';

/** The views, in the order of the navigation; an address without one means the first. */
const VIEWS: readonly View[] = [requestsView];

const root = document.getElementById('window');
if (root !== null) render(<Shell views={VIEWS} />, root);
void stayConnected();
