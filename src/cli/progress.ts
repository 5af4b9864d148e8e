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

const barWidth = 30;
const plainEveryMs = 5000;

export function createProgress(output: Output, now: () => number = Date.now): Progress {
  return process.stderr.isTTY && !output.json ? liveProgress(output, now) : plainProgress(output, now);
}

function liveProgress(output: Output, now: () => number): Progress {
  let drawn = 0;
  const rate = createRate(now);
  return {
    show(campaign, loads) {
      const lines = [
        headline(output, campaign, rate(ended(campaign))),
        ...steps.map((step) => stepLine(step, campaign, loads)),
      ];
      const width = process.stderr.columns ?? 80;
      const up = drawn > 0 ? `\u001b[${drawn}A` : '';
      // Colours take no room, so lines are cut by what they show.
      process.stderr.write(up + lines.map((line) => `${cut(line, width)}\u001b[K\n`).join(''));
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
      output.say(`${text}${remaining(campaign, perSecond)}`);
    },
    end() {},
  };
}

function headline(output: Output, campaign: Campaign, perSecond: number): string {
  const share = campaign.rows === 0 ? 1 : ended(campaign) / campaign.rows;
  const full = Math.floor(share * barWidth);
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
  const { posted, failed, review } = campaign.counts;
  const parts = [
    `${campaign.id} ${bar} ${ended(campaign)}/${campaign.rows}`,
    output.paint('green', `${posted} posted`),
    ...(failed > 0 ? [output.paint('red', `${failed} failed`)] : []),
    ...(review > 0 ? [output.paint('yellow', `${review} review`)] : []),
  ];
  return `${parts.join('  ')}${remaining(campaign, perSecond)}`;
}

function stepLine(step: Step, campaign: Campaign, loads: Loads): string {
  const { waiting, active, delayed } = loads[step];
  const cells = [`${campaign.done[step]} done`, `${active} active`, `${waiting} waiting`, `${delayed} later`];
  return `   ${step.padEnd(9)} ${cells.map((cell) => cell.padEnd(12)).join('')}`;
}

function remaining(campaign: Campaign, perSecond: number): string {
  const left = campaign.rows - ended(campaign);
  if (campaign.state === 'paused') return '  paused';
  if (left === 0 || perSecond <= 0) return '';
  return `  ${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s, about ${describeDuration((left / perSecond) * 1000)} left`;
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
  const shown = line.replace(/\u001b\[\d+m/g, '');
  return shown.length < width ? line : shown.slice(0, width - 1);
}
