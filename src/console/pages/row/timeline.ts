/** The history of a row, newest first, divided by revisions. */
import type { ShownRow } from '../../../app/campaigns/rows/show-row.ts';
import type { HistoryEntry } from '../../../ledger/rows/histories.ts';
import { stepFacts } from '../../../manifest/steps.ts';
import { describeDuration, plural } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { clockWithSeconds, day } from '../../parts/numbers.ts';
import { type IconName, icon, iconOf, type ShownState } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { plainMessage } from '../campaign/causes.ts';

interface Meaning {
  readonly state: ShownState;
  readonly icon?: IconName;
  /** Text of the entry. If it belongs to a step, the step's name stands before it. */
  readonly text: string;
  /** Whether the next revision of the row begins with this entry. */
  readonly begins?: true;
}

/** By the outcome in the ledger. */
const meanings: Readonly<Record<string, Meaning>> = {
  begun: { state: 'waiting', text: 'Started' },
  ok: { state: 'posted', text: 'Done.' },
  posted: { state: 'posted', text: 'The service has the post.' },
  again: { state: 'waiting', icon: 'clock', text: 'Not complete yet. Asks again later.' },
  retry: { state: 'waiting', icon: 'clock', text: 'Failed. Tries again later.' },
  throttled: { state: 'waiting', icon: 'clock', text: 'Refused: too many requests. Tries again later.' },
  held: {
    state: 'waiting',
    icon: 'clock',
    text: 'Waits: its campaign is paused, or its creator is on hold.',
  },
  failed: { state: 'failed', text: 'Failed.' },
  review: { state: 'review', text: 'Outcome unknown: it may already exist.' },
  cancelled: { state: 'cancelled', text: 'Cancelled' },
  retried: { state: 'waiting', icon: 'again', text: 'Retried', begins: true },
  changed: { state: 'waiting', icon: 'edit', text: 'Changed', begins: true },
  'run again': { state: 'waiting', icon: 'again', text: 'Its job was run again' },
  prepared: { state: 'ready', icon: 'clock', text: 'Ready' },
  approved: { state: 'ready', text: 'Approved' },
  rejected: { state: 'failed', text: 'Rejected' },
  'approval withdrawn': { state: 'ready', icon: 'again', text: 'Approval withdrawn', begins: true },
  opened: { state: 'waiting', icon: 'clock', text: 'Resumes', begins: true },
  'answered late': { state: 'waiting', icon: 'clock', text: 'An answer came late', begins: true },
  'found in the records': { state: 'posted', text: 'Found in the publishing records' },
  'decided: posted': { state: 'posted', text: 'Decided: posted' },
  'decided: goes on': { state: 'waiting', icon: 'again', text: 'Decided: resumes', begins: true },
  'decided: failed': { state: 'failed', text: 'Decided: not posted. Give the row a new time.' },
  'retry taken back': { state: 'failed', icon: 'again', text: 'The retry was undone' },
  'decision taken back': { state: 'review', icon: 'again', text: 'The decision was undone' },
};

/** @param revision present revision, from 0. @param history oldest entry first. */
export function timeline(
  request: PageRequest,
  {
    history,
    revision,
    state,
    result,
  }: Pick<ShownRow, 'history' | 'revision' | 'state'> & { readonly result?: ShownRow['result'] },
): Html {
  if (history.length === 0) {
    const why =
      state === 'waiting' || state === 'running'
        ? 'Nothing yet: its first call has not ended.'
        : 'No history kept.';
    return html`<p class="note">${why}</p>`;
  }
  let shown = revision + 1;
  const lines = [...history.entries()].reverse().flatMap(([index, each]) => {
    // The notice of the row has its post ID.
    const told = each.message === result?.postId ? { ...each, message: undefined } : each;
    const line = entry(request, told, history[index - 1]);
    if (meanings[each.outcome]?.begins !== true || shown === 1) return [line];
    shown -= 1;
    return [line, html`<li class="era">Revision ${shown}, until ${time(request, each.at)}</li>`];
  });
  const era = revision === 0 ? '' : html`<li class="era">Revision ${revision + 1}</li>`;
  return html`<ol class="timeline">${era}${lines}</ol>`;
}

/** @param before the previous entry: since then the step ran or waited for its turn. */
function entry(
  request: PageRequest,
  { at, step, outcome, message, times }: HistoryEntry,
  before: HistoryEntry | undefined,
): Html {
  const { state, icon: shape, text } = meanings[outcome] ?? { state: 'waiting', text: outcome };
  // Edits on the page have a message that names the changes. Changes by a sheet have none.
  const isBySheet = outcome === 'changed' && (message ?? '') === '';
  const said = isBySheet ? 'Updated with a corrected sheet' : text;
  const lead = step === undefined ? said : stepFacts[step].title;
  const rest = step === undefined ? '' : html`<p>${text}</p>`;
  const took = step !== undefined && before !== undefined && at > before.at ? at - before.at : undefined;
  const more = [
    ...(took === undefined ? [] : [`after ${describeDuration(took)}`]),
    ...(times > 1 ? [plural(times, 'time')] : []),
  ];
  return html`<li data-state="${state}">${icon(shape ?? iconOf(state))}<div>
    <p><time datetime="${new Date(at).toISOString()}">${time(request, at)}</time> <b>${lead}</b>${more.length === 0 ? '' : html` <span>${more.join(', ')}</span>`}</p>
    ${rest}
    ${message === undefined || message === '' ? '' : html`<blockquote>${step === undefined ? words(message) : quoted(message)}</blockquote>`}
  </div></li>`;
}

/** The message of a failed step, which is `code: message`. */
function quoted(message: string): Html {
  const [, code, text = message] = /^(\w{1,60}): (.*)$/s.exec(message) ?? [];
  return html`${words(plainMessage(text))}${code === undefined ? '' : html` <code>${code}</code>`}`;
}

/** Time with seconds, because the order matters; with the day unless it is today. */
function time({ zone, now }: PageRequest, at: number): string {
  const date = day(at, zone, now);
  const clock = clockWithSeconds(at, zone);
  return date === day(now, zone, now) ? clock : `${date}, ${clock}`;
}
