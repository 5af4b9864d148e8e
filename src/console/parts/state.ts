/** States: each has an icon, a word and a color. */
import { html } from 'hono/html';
import type { CampaignState } from '../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../ledger/states.ts';
import type { Html } from '../html.ts';
import { type IconName, icon } from './icons.ts';
import { count, number } from './numbers/numbers.ts';

/** Values of `data-state`, which the stylesheet colors. */
export type ShownState = RowState | 'paused' | 'ended' | 'warning' | 'done';

/** In the order of bars and counts. */
export const shownRowStates = [
  'posted',
  'running',
  'review',
  'failed',
  'cancelled',
  'waiting',
] as const satisfies readonly RowState[];

const words: Readonly<Record<ShownState, string>> = {
  posted: 'posted',
  running: 'running',
  review: 'in review',
  failed: 'failed',
  cancelled: 'cancelled',
  waiting: 'waiting',
  paused: 'paused',
  ended: 'ended',
  warning: 'warning',
  done: 'done',
};

export function wordOf(state: ShownState): string {
  return words[state];
}

export function iconOf(state: ShownState): IconName {
  return state === 'done' ? 'posted' : state;
}

/** The state to show for a campaign. */
export function stateOfCampaign(state: CampaignState): ShownState {
  return state === 'cancelling' ? 'cancelled' : state;
}

/** @param word default: the usual word of the state. @param place `tag`: larger, beside the title of a page. */
export function stateBadge(state: ShownState, word = wordOf(state), place: 'tag' | '' = ''): Html {
  return html`<span class="${place === 'tag' ? 'state tag' : 'state'}" data-state="${state}">${icon(iconOf(state))} ${word}</span>`;
}

type Counts = Readonly<Record<RowState, number>>;

/** Percent. Thinner parts of a bar would be invisible. */
const leastShare = 0.7;

/** Rows by state as a bar; waiting rows are the empty rest. */
export function progressBar(counts: Counts): Html {
  const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
  const said = shownRowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${number(counts[state])} ${wordOf(state)}`);
  const parts = shownRowStates.filter((state) => state !== 'waiting');
  return bar(
    parts.map((state) => [state, counts[state]]),
    total,
    `${count(total, 'row')}: ${said.join(', ')}`,
  );
}

/** @param parts of `all`. @param label the figures in words. @param size `thin` for one among several. */
export function bar(
  parts: readonly (readonly [state: ShownState, many: number])[],
  all: number,
  label: string,
  size = '',
): Html {
  let x = 0;
  const rects = parts.flatMap(([state, many]) => {
    if (many <= 0 || all === 0) return [];
    const share = Math.min(100, (many / all) * 100);
    const width = Math.max(share, leastShare);
    const rect = html`<rect data-state="${state}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="100%"/>`;
    x += width;
    return [rect];
  });
  return html`<svg class="bar ${size}" width="100%" height="10" role="img" aria-label="${label}">${rects}</svg>`;
}

/** Rows by state; each number leads to its rows. @param rows address of the rows of a state. */
export function countLinks(counts: Counts, rows: (state: RowState) => string): Html {
  const shown = shownRowStates.filter((state) => counts[state] > 0);
  return html`<ul class="counts">
    ${shown.map(
      (state) =>
        html`<li><a href="${rows(state)}" data-state="${state}">${icon(state)} <b>${number(counts[state])}</b> ${wordOf(state)}</a></li>`,
    )}
  </ul>`;
}
