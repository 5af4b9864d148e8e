/** Options of the router of pages. */
import type { Gate } from '../gate.ts';
import type { LiveHub } from '../live/hub.ts';
import type { Surroundings } from '../parts/layout.ts';
import type { Route } from '../request.ts';
import type { Frame } from '../sign-in/turn-away.ts';
import type { ConsoleTools } from '../tools.ts';

export interface RouterOptions extends Frame {
  readonly tools: ConsoleTools;
  readonly gate: Gate;
  readonly routes: readonly Route[];
  readonly surroundings: () => Promise<Surroundings>;
  readonly hub: LiveHub;
  /** Whether Redis answers; it never rejects. */
  readonly answers: () => Promise<boolean>;
  /** Milliseconds between two calls of `answers` while a page is made. */
  readonly patienceMs: number;
}
