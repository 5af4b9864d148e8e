/** Shows the progress of a campaign: redrawn in place on a terminal, otherwise as a plain line now and then. */
import { notesOf } from '../../campaigns/progress/notes.ts';
import type { CampaignProgress } from '../../campaigns/progress/reader.ts';
import { noteText } from '../hints.ts';
import { describeCounts } from './campaign.ts';
import type { Output } from './output.ts';
import { paceText, progressLines } from './progress-lines.ts';
import { columnsOf, isTerminal, redraw } from './terminal.ts';

export interface ProgressDisplay {
  show(progress: CampaignProgress): void;
}

const plainEveryMs = 5000;
const usualWidth = 80;

export function createProgressDisplay(output: Output, now: () => number = Date.now): ProgressDisplay {
  return isTerminal('stderr') && !output.json ? liveDisplay(output) : plainDisplay(output, now);
}

function liveDisplay(output: Output): ProgressDisplay {
  let drawn = 0;
  return {
    show(progress) {
      const lines = progressLines(output, progress, columnsOf('stderr') ?? usualWidth);
      redraw(lines, drawn);
      drawn = lines.length;
    },
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
