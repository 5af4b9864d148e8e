/** What every part of the console is given to serve requests with. */

import type { Tools } from '../../app/operations/tools.ts';
import type { LiveHub } from '../live.ts';
import type { Gate } from './gate.ts';
import type { Patience } from './outages.ts';
import type { Frame } from './turn-away.ts';

export interface HttpContext extends Frame, Patience {
  readonly tools: Tools;
  readonly gate: Gate;
  readonly hub: LiveHub;
}
