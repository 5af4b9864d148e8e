/**
 * The progress of a campaign: a display per step that is drawn anew in place on a terminal, and a plain line now and then
 * elsewhere.
 */
import type { Campaign } from '../ledger/campaigns.ts';
import { type Step, steps } from '../ledger/states.ts';
import type { Queues } from '../queues/queues.ts';
import { describeCounts } from './describe.ts';
import { describeDuration, type Output } from './output.ts';

/** How many jobs of a step wait, run, or come back later. */
export interface StepLoad {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

export type Loads = Readonly<Record<Step, StepLoad>>;

export async function readLoads(queues: Queues): Promise<Loads> {
  const loads = await Promise.all(
    steps.map(async (step) => {
      const counts = await queues.queue(step).getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      const waiting = (counts.waiting ?? 0) + (counts.prioritized ?? 0);
      return [step, { waiting, active: counts.active ?? 0, delayed: counts.delayed ?? 0 }] as const;
    }),
  );
  return Object.fromEntries(loads) as Loads;
}

export interface Progress {
  show(campaign: Campaign, loads: Loads): void;
  /** Leaves the terminal as a finished display. */
  end(): void;
}

const widestBar = 30;
const narrowestBar = 10;
const plainEveryMs = 5000;
const usualWidth = 80;

export function createProgress(output: Output, now: () => number = Date.now): Progress {
  return process.stderr.isTTY && !output.json ? liveProgress(output, now) : plainProgress(output, now);
}

function liveProgress(output: Output, now: () => number): Progress {
  let drawn = 0;
  const rate = createRate(now);
  return {
    show(campaign, loads) {
      const width = process.stderr.columns ?? usualWidth;
      const lines = progressLines(output, { campaign, loads, perSecond: rate(ended(campaign)), width });
      const start = drawn > 0 ? `\u001b[${drawn}A` : '\n';
      process.stderr.write(start + lines.map((line) => `${line}\u001b[K\n`).join(''));
      drawn = lines.length;
    },
    end() {
      drawn = 0;
    },
  };
}

function plainProgress(output: Output, now: () => number): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  const rate = createRate(now);
  return {
    show(campaign) {
      const perSecond = rate(ended(campaign));
      const text = `${campaign.id}: ${ended(campaign)}/${campaign.rows} ended, ${describeCounts(campaign.counts)}`;
      if (text === lastText || now() - last < plainEveryMs) return;
      last = now();
      lastText = text;
      output.say(text + after(remaining(campaign, perSecond)));
    },
    end() {},
  };
}

/** What a display shows at one moment. */
export interface ProgressView {
  readonly campaign: Campaign;
  readonly loads: Loads;
  readonly perSecond: number;
  /** Columns of the terminal. */
  readonly width: number;
}

/** The display: a bar over all rows, then a table of the steps. No line is as wide as the terminal. */
export function progressLines(output: Pick<Output, 'paint'>, view: ProgressView): readonly string[] {
  const { campaign, loads, width } = view;
  const titles = stepRow('', ['done', 'active', 'waiting', 'later']);
  const rows = steps.map((step) => {
    const { waiting, active, delayed } = loads[step];
    return stepRow(step, [campaign.done[step], active, waiting, delayed].map(countText));
  });
  return [
    headline(output, view),
    output.paint('dim', cut(titles, width)),
    ...rows.map((row) => cut(row, width)),
  ];
}

function headline(output: Pick<Output, 'paint'>, { campaign, perSecond, width }: ProgressView): string {
  const { posted, failed, review, cancelled } = campaign.counts;
  const parts = [
    ['green', posted, 'posted'],
    ['red', failed, 'failed'],
    ['yellow', review, 'review'],
    ['dim', cancelled, 'cancelled'],
  ] as const;
  const shown = parts.filter(([, count, name]) => count > 0 || name === 'posted');
  const start = `${campaign.id} `;
  const count = ` ${ended(campaign).toLocaleString('en')}/${campaign.rows.toLocaleString('en')}`;
  const counts = shown.map(([, number, name]) => `  ${number.toLocaleString('en')} ${name}`);
  const taken = start.length + count.length + counts.join('').length + 1;
  const left = after(remaining(campaign, perSecond));
  // Where there is little room the bar gives way first, then the time that is left.
  const rest = width - taken - left.length >= narrowestBar ? left : '';
  const room = Math.min(widestBar, width - taken - rest.length);
  if (room < narrowestBar) return cut(start.trim() + count + counts.join(''), width);
  const coloured = shown.map(([colour], index) => output.paint(colour, counts[index] ?? ''));
  return start + bar(campaign, room) + count + coloured.join('') + rest;
}

function bar(campaign: Campaign, width: number): string {
  const share = campaign.rows === 0 ? 1 : ended(campaign) / campaign.rows;
  const full = Math.floor(share * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

function stepRow(name: string, cells: readonly string[]): string {
  return `   ${name.padEnd(9)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}

/** Nothing is a dot, so that what goes on stands out. */
function countText(count: number): string {
  return count === 0 ? '·' : count.toLocaleString('en');
}

function remaining(campaign: Campaign, perSecond: number): string {
  const left = campaign.rows - ended(campaign);
  if (campaign.state === 'paused') return 'paused';
  if (left === 0 || perSecond <= 0) return '';
  const seconds = Math.max(1, Math.round(left / perSecond));
  return `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s, about ${describeDuration(seconds * 1000)} left`;
}

function after(text: string): string {
  return text === '' ? '' : `  ${text}`;
}

function ended({ counts }: Campaign): number {
  return counts.posted + counts.failed + counts.review + counts.cancelled;
}

/** Rows a second over about the last ten seconds. */
function createRate(now: () => number): (count: number) => number {
  const samples: { readonly at: number; readonly count: number }[] = [];
  return (count) => {
    samples.push({ at: now(), count });
    while (samples.length > 2 && (samples[0]?.at ?? 0) < now() - 10_000) samples.shift();
    const first = samples[0];
    const elapsed = now() - (first?.at ?? 0);
    return first && elapsed > 0 ? ((count - first.count) * 1000) / elapsed : 0;
  };
}

function cut(line: string, width: number): string {
  return line.length < width ? line : line.slice(0, width - 1);
}
