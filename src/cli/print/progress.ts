/**
 * Shows the progress of a campaign: redrawn in place on a terminal, otherwise as a plain line now and then. Notes what this machine
 * remembers, but Redis does not.
 */
import { type Note, notesOf } from '../../app/campaigns/progress/notes.ts';
import type { CampaignProgress } from '../../app/campaigns/progress/reader.ts';
import { printable } from '../../manifest/printable.ts';
import { stepFacts, steps } from '../../manifest/steps.ts';
import { describeRange, thousands } from '../../manifest/wording.ts';
import { exitCodes } from '../exit.ts';
import { noteText } from '../hints.ts';
import { describeCounts } from './campaign.ts';
import type { Output } from './output.ts';
import { isTerminal, redraw, widthFor } from './terminal.ts';
import { widthOf, wrap } from './wrap.ts';

interface ProgressDisplay {
  show(progress: CampaignProgress): void;
}

const plainEveryMs = 5000;

export function createProgressDisplay(output: Output): ProgressDisplay {
  if (!isTerminal('stderr') || output.json) return plainDisplay(output, Date.now);
  const draw = createDrawing();
  return { show: (progress) => draw(progressLines(output, progress, widthFor('stderr'))) };
}

/** Draws on the terminal of standard error, each time over what it drew last. A line that the terminal wraps would be in the way. */
export function createDrawing(): (lines: readonly string[]) => void {
  let drawn = 0;
  return (lines) => {
    const width = widthFor('stderr');
    // Lines with colours are cut before they get them.
    const fitting = lines.map((line) => (widthOf(line) < width ? line : cut(line, width)));
    redraw(fitting, drawn);
    drawn = lines.length;
  };
}

/** Prints a note when it is new, and counts when they have changed, but not too often. */
export function plainDisplay(output: Pick<Output, 'say'>, now: () => number): ProgressDisplay {
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  let known = new Set<string>();
  return {
    show(progress) {
      if (now() - last < plainEveryMs) return;
      last = now();
      const { campaign, ended } = progress;
      const text = `${campaign.id}: ${ended}/${campaign.rows} ended, ${describeCounts(campaign)}`;
      const pace = paceText(progress);
      if (text !== lastText) output.say(pace === '' ? text : `${text}  ${pace}`);
      lastText = text;
      const notes = notesOf(progress);
      for (const note of notes) if (!known.has(note.about)) output.say(`  ${noteText(note)}`);
      known = new Set(notes.map(({ about }) => about));
    },
  };
}

const widestBar = 30;
const narrowestBar = 10;

/** @param width columns of the terminal; every line is narrower. */
export function progressLines(
  output: Pick<Output, 'paint'>,
  progress: CampaignProgress,
  width: number,
): readonly string[] {
  const titles = stepRow('', ['done', 'active', 'waiting', 'delayed', 'failed']);
  const rows = steps.map((step) => {
    const { done, active, waiting, delayed, failed } = progress.steps[step];
    return stepRow(stepFacts[step].title, [done, active, waiting, delayed, failed].map(countText));
  });
  const notes = notesOf(progress)
    .flatMap((note) => wrap(' ! ', noteText(note), width))
    // A line that the terminal wraps would be redrawn wrongly.
    .map((line) => output.paint('yellow', cut(printable(line), width)));
  return [
    headline(output, progress, width),
    output.paint('dim', cut(titles, width)),
    ...rows.map((row) => cut(row, width)),
    ...notes,
  ];
}

function headline(output: Pick<Output, 'paint'>, progress: CampaignProgress, width: number): string {
  const { campaign, ended } = progress;
  const { posted, ready, failed, review, cancelled } = campaign.counts;
  const parts = [
    ['green', posted, 'posted'],
    ['cyan', ready, 'ready'],
    ['red', failed, 'failed'],
    ['yellow', review, 'in review'],
    ['dim', cancelled, 'cancelled'],
  ] as const;
  const shown = parts.filter(([, count, name]) => count > 0 || name === 'posted');
  const start = `${campaign.id} `;
  const count = ` ${thousands(ended)}/${thousands(campaign.rows)}`;
  const counts = shown.map(([, number, name]) => `  ${thousands(number)} ${name}`);
  const taken = start.length + count.length + counts.join('').length + 1;
  const pace = paceText(progress);
  const left = pace === '' ? '' : `  ${pace}`;
  // In a narrow terminal the remaining time goes first, then the bar.
  const rest = width - taken - left.length >= narrowestBar ? left : '';
  const room = Math.min(widestBar, width - taken - rest.length);
  if (room < narrowestBar) return cut(start.trim() + count + counts.join(''), width);
  const coloured = shown.map(([colour], index) => output.paint(colour, counts[index] ?? ''));
  return start + bar(progress, room) + count + coloured.join('') + rest;
}

/** Rows a minute and the remaining time; empty while unknown. */
function paceText({ campaign, ended, pace }: CampaignProgress): string {
  if (campaign.state === 'paused') return 'paused';
  if (!pace || campaign.state === 'ended' || ended + campaign.counts.ready === campaign.rows) return '';
  const { least, most } = pace.remaining;
  const rate = pace.rowsPerMinute.toFixed(pace.rowsPerMinute < 10 ? 1 : 0);
  return `${rate} rows/min, ${describeRange(least, most)} left`;
}

function bar({ campaign, ended }: CampaignProgress, width: number): string {
  const share = campaign.rows === 0 ? 1 : ended / campaign.rows;
  const full = Math.floor(share * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

function stepRow(name: string, cells: readonly string[]): string {
  return `   ${name.padEnd(9)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}

/** Zero is a dot, so that other counts stand out. */
function countText(count: number): string {
  return count === 0 ? '·' : thousands(count);
}

function cut(line: string, width: number): string {
  return line.length < width ? line : line.slice(0, width - 1);
}

/** @param none is told if there is nothing to remember. */
export function printNoCampaign(
  output: Output,
  none: string,
  { redis, forgotten }: { readonly redis: string; readonly forgotten: readonly Note[] },
): void {
  if (forgotten.length === 0) {
    output.print(`${none} Start one:\n  campaigns run FILE`);
    return;
  }
  output.print(`No campaigns (${redis}).`);
  printForgotten(output, forgotten);
  if (forgotten.some(({ about }) => about === 'lost')) process.exitCode = exitCodes.incomplete;
}

export function printForgotten(output: Output, forgotten: readonly Note[]): void {
  for (const note of forgotten) output.print(`\n${noteText(note)}`);
}
