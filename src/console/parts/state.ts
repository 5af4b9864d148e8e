/** Icons, and states: each has an icon of its own, so that nobody depends on its color, and a word. */
import { raw } from 'hono/html';
import { describeDelivery, isAllReady, type ShownCounts } from '../../app/campaigns/post-status.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Delivery } from '../../ledger/rows/results.ts';
import type { RowState } from '../../ledger/states.ts';
import { plural, thousands } from '../../manifest/wording.ts';
import { type Html, html } from '../html.ts';

const shapes = {
  waiting: '<circle cx="8" cy="8" r="5.75" stroke-dasharray="2.2 2.3"/>',
  running:
    '<circle cx="8" cy="8" r="5.75"/><path fill="currentColor" stroke="none" d="M8 4.6a3.4 3.4 0 0 1 0 6.8z"/>',
  posted: '<circle cx="8" cy="8" r="5.75"/><path d="m5.5 8.2 1.8 1.8 3.3-3.7"/>',
  ready: '<circle cx="8" cy="8" r="5.75"/><path stroke-width="3.5" d="M8 8h.01"/>',
  failed: '<path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z"/><path d="m6 6 4 4m0-4-4 4"/>',
  review:
    '<path d="M8 1.7 14.3 8 8 14.3 1.7 8z"/><path d="M6.6 6.7a1.45 1.45 0 1 1 2 1.35c-.4.2-.6.4-.6.9"/><path d="M8 10.8v.02"/>',
  cancelled: '<circle cx="8" cy="8" r="5.75"/><path d="m4 12 8-8"/>',
  paused: '<circle cx="8" cy="8" r="5.75"/><path d="M6.6 6v4m2.8-4v4"/>',
  ended: '<rect x="2.5" y="2.5" width="11" height="11" rx="2"/><path d="m5.4 8.2 1.8 1.8 3.4-3.8"/>',
  search: '<circle cx="7" cy="7" r="4.25"/><path d="m10.2 10.2 3.3 3.3"/>',
  more: '<path stroke-width="2.25" d="M3.5 8h.01M8 8h.01m4.49 0h.01"/>',
  left: '<path d="m9.5 3.5-4.5 4.5 4.5 4.5"/>',
  right: '<path d="m6.5 3.5 4.5 4.5-4.5 4.5"/>',
  plus: '<path d="M8 3.2v9.6M3.2 8h9.6"/>',
  close: '<path d="m4.5 4.5 7 7m0-7-7 7"/>',
  problem:
    '<path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z"/><path d="M8 5v3.6m0 2.1v.02"/>',
  warning: '<path d="M8 2.3 14.4 13.4H1.6z"/><path d="M8 6.5v3.2m0 1.7v.02"/>',
  info: '<circle cx="8" cy="8" r="5.75"/><path d="M8 7.4v3.3m0-5.5v.02"/>',
  play: '<path d="m5 3.2 7.5 4.8L5 12.8z"/>',
  hold: '<path d="M5.5 3.5v9m5-9v9"/>',
  down: '<path d="M8 2.5v8m-3.2-3L8 10.7l3.2-3.2M3 13.5h10"/>',
  edit: '<path d="m3 13 .6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z"/>',
  again: '<path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 2.2v2.9h-2.9"/>',
  clock: '<circle cx="8" cy="8" r="5.75"/><path d="M8 4.8V8l2.2 1.6"/>',
  gone: '<circle cx="8" cy="8" r="5.75" stroke-dasharray="2.2 2.3"/><path d="m6 6 4 4m0-4-4 4"/>',
  file: '<path d="M4 1.75h5l3 3v9.5H4zM9 1.75v3h3"/>',
  ai: '<path d="M7 2.2c.5 3 1.8 4.3 4.8 4.8C8.8 7.5 7.5 8.8 7 11.8 6.5 8.8 5.2 7.5 2.2 7 5.2 6.5 6.5 5.2 7 2.2z"/><path d="M12.4 10.6v3.2M10.8 12.2H14"/>',
  link: '<path d="M6.6 9.4 9.4 6.6"/><path d="M7.4 4.5 8.7 3.2a2.9 2.9 0 0 1 4.1 4.1l-1.3 1.3"/><path d="M8.6 11.5 7.3 12.8a2.9 2.9 0 0 1-4.1-4.1l1.3-1.3"/>',
  bag: '<path d="M3 5.3h10l-.7 8.2H3.7z"/><path d="M5.8 7V4.3a2.2 2.2 0 0 1 4.4 0V7"/>',
  columns: '<rect x="2" y="2.75" width="12" height="10.5" rx="1.5"/><path d="M6 2.75v10.5M10 2.75v10.5"/>',
  film: '<rect x="2.25" y="3.25" width="11.5" height="9.5" rx="1.5"/><path d="m6.8 6 3 2-3 2z"/>',
} as const;

export type IconName = keyof typeof shapes;

/** Made once, because a table has one in each line. */
const icons = Object.fromEntries(
  Object.keys(shapes).map((name) => [
    name,
    html`<svg class="icon" width="16" height="16" aria-hidden="true"><use href="#i-${name}"/></svg>`,
  ]),
) as Record<IconName, Html>;

export function icon(name: IconName, label?: string): Html {
  if (label === undefined) return icons[name];
  return html`<svg class="icon" width="16" height="16" role="img" aria-label="${label}"><use href="#i-${name}"/></svg>`;
}

export function mark(): Html {
  return html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="currentColor"><rect x="1" y="2" width="11" height="3.2" rx="1.6"/><rect x="1" y="8.4" width="18" height="3.2" rx="1.6"/><rect x="1" y="14.8" width="7" height="3.2" rx="1.6"/></svg>`;
}

const symbols = Object.entries(shapes).map(
  ([name, shape]) =>
    `<symbol id="i-${name}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${shape}</symbol>`,
);
/** What is under way in a bar, and what is ready to be. A paint of an undisplayed drawing would not be shown. */
const paints =
  '<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--busy-tint)"/><path d="M1.5 0v6" stroke="var(--busy-fill)" stroke-width="3"/></pattern><pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--idle-fill)"/><circle cx="3" cy="3" r="1.25" fill="var(--good-fill)"/></pattern>';
const allShapes = html`<svg class="hidden" width="0" height="0" aria-hidden="true">${raw(symbols.join('') + paints)}</svg>`;

/** The shapes that `icon` refers to; once a page. */
export function iconShapes(): Html {
  return allShapes;
}

/** Values of `data-state`, which the stylesheet colors. */
export type ShownState = ShownRowState | 'paused' | 'ended' | 'warning' | 'done' | 'draft';

export type ShownRowState = keyof ShownCounts;

/** In the order of bars and counts. */
export const shownRowStates = [
  'live',
  'posted',
  'scheduled',
  'unconfirmed',
  'ready',
  'running',
  'review',
  'failed',
  'cancelled',
  'waiting',
] as const satisfies readonly ShownRowState[];

const words: Readonly<Record<ShownState, string>> = {
  live: 'live',
  posted: 'posted',
  scheduled: 'scheduled',
  unconfirmed: 'not confirmed',
  ready: 'ready',
  running: 'running',
  review: 'in review',
  failed: 'failed',
  cancelled: 'cancelled',
  waiting: 'waiting',
  paused: 'paused',
  ended: 'ended',
  warning: 'warning',
  done: 'done',
  draft: 'draft',
};

export function wordOf(state: ShownState): string {
  return words[state];
}

export function iconOf(state: ShownState): IconName {
  if (state === 'done' || state === 'live') return 'posted';
  if (state === 'scheduled') return 'clock';
  if (state === 'draft') return 'edit';
  return state === 'unconfirmed' ? 'info' : state;
}

/** The state to show for a campaign, and its word: a cancelled one did not just end, nor did one with posts to come. */
export function stateOfCampaign(
  campaign: Pick<Campaign, 'state' | 'counts' | 'cancelledAt'>,
  { scheduled }: Pick<ShownCounts, 'scheduled'>,
): readonly [state: ShownState, word: string] {
  const { state, cancelledAt } = campaign;
  if (isAllReady(campaign)) return ['ready', 'ready'];
  if (state === 'cancelling') return ['cancelled', 'cancelling'];
  if (state !== 'ended') return [state, state];
  if (cancelledAt !== undefined) return ['cancelled', 'cancelled'];
  return scheduled > 0 ? ['scheduled', 'scheduled'] : [state, state];
}

/** A row's state, and its words. @param at its planned time, or until when it is ready, in words. */
export function stateOfRow(
  {
    state,
    delivery,
    isUnapproved,
  }: {
    readonly state: RowState;
    readonly delivery: Delivery | null | undefined;
    readonly isUnapproved: boolean;
  },
  at: string,
): readonly [state: ShownState, word: string] {
  if (isUnapproved) return [state, 'for approval'];
  if (!delivery) return [state, state === 'ready' && at !== '' ? `ready until ${at}` : wordOf(state)];
  return [delivery, describeDelivery(delivery, at)];
}

/** @param word default: the usual word of the state. @param place `tag`: larger, beside the title of a page. */
export function stateBadge(
  state: ShownState,
  word: Html | string = wordOf(state),
  place: 'tag' | '' = '',
): Html {
  return html`<span class="${place === 'tag' ? 'state tag' : 'state'}" data-state="${state}">${icon(iconOf(state))} ${word}</span>`;
}

/** Percent. Thinner parts of a bar would be invisible. */
const leastShare = 0.7;

/**
 * Rows by state as a bar: what is done is dark, what is planned lighter, what is under way striped, what waits the empty rest.
 * @param queued running rows that only wait for a rate limit: they wait, too.
 */
export function progressBar(counts: ShownCounts, size = '', queued = 0): Html {
  const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
  const said = shownRowStates.flatMap((state) => [
    ...(state === 'running' && queued > 0 ? [`${thousands(queued)} ${queuedWord}`] : []),
    ...(counts[state] > (state === 'running' ? queued : 0)
      ? [`${thousands(counts[state] - (state === 'running' ? queued : 0))} ${wordOf(state)}`]
      : []),
  ]);
  const parts = shownRowStates.filter((state) => state !== 'waiting');
  return bar(
    parts.map((state) => [state, state === 'running' ? Math.max(0, counts.running - queued) : counts[state]]),
    total,
    `${plural(total, 'row')}: ${said.join(', ')}`,
    size,
  );
}

/** What people read of running rows that only wait for a rate limit. */
export const queuedWord = 'rate-limited';

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
