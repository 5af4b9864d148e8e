/** Carries out an uploaded sheet of decisions: shows its plan, then one button. */
import {
  decideAsPlanned,
  decideSheet,
  type SheetDecided,
  sendsAgain,
} from '../../../../campaigns/decisions/decide-sheet.ts';
import { rowState } from '../../../../campaigns/documents/campaign.ts';
import type { RowState } from '../../../../ledger/states.ts';
import { type Html, html } from '../../../html.ts';
import type { Point } from '../../../parts/blocks.ts';
import { done, hidden } from '../../../parts/form.ts';
import { clockWithSeconds, count, number } from '../../../parts/numbers.ts';
import { chosenEncoding } from '../../../parts/sheets.ts';
import { type ShownState, wordOf } from '../../../parts/state.ts';
import type { Answer, Page, PageRequest } from '../../../request.ts';
import {
  agreeForm,
  backToCampaign,
  type Handed,
  keysOf,
  planPage,
  planRoutes,
  type SheetUse,
} from './plan.ts';

const decisions: SheetUse<SheetDecided> = {
  kind: 'decisions',
  crumb: 'decisions',
  heading: (sheet, campaign) => `${sheet}: decisions for ${campaign}`,
  plans: (plans) => plans.decisions,
  make: (handed, onRead) =>
    decideSheet(handed.request.runtime, handed.campaign, fileOf(handed), { dryRun: true, onRead }),
  show: showPlan,
  carryOut,
};

export const decisionsRoutes = planRoutes(decisions);

function fileOf({ request, sheet: { file, path } }: Handed) {
  return { file, path, reading: { encoding: chosenEncoding(request) } };
}

function showPlan(handed: Handed, planned: SheetDecided, hasChanged = false): Page {
  const { request, campaign } = handed;
  const isRefused = planned.problems.total > 0;
  return planPage(handed, decisions, {
    title: `Decisions for ${campaign.name}`,
    about: `${count(planned.rows, 'row')} in the sheet. Nothing has been decided.`,
    changed: hasChanged ? changed : undefined,
    problems: isRefused ? planned.problems : undefined,
    points: pointsOf(request, planned),
    rest: isRefused ? backToCampaign(handed) : decide(handed, planned),
  });
}

const changed = {
  text: 'Rows in review have changed since the plan was made.',
  more: 'This is the plan as it is now.',
} as const;

const outcomes: Partial<Readonly<Record<RowState, string>>> = {
  posted: 'posted from now on. Sends nothing',
  waiting: 'go on: what is not there is sent again',
  failed: 'failed, because their scheduled time has passed: give them a new one',
};

function pointsOf({ zone }: PageRequest, planned: SheetDecided): readonly Point[] {
  const { matched, states, empty, ended, changed, keys, early, notLookedUp, notLookedUpKeys } = planned;
  // The keys are those of all rows, whatever becomes of each.
  const isOne = Object.values(states).filter((rows) => rows > 0).length === 1;
  const told = (state: ShownState, rows: number, text: string, more?: string): readonly Point[] =>
    rows === 0 ? [] : [{ state, what: html`<b>${count(rows, 'row')}${text}</b>`, more }];
  const looked: readonly Point[] =
    notLookedUp === 0
      ? []
      : [
          {
            state: 'warning',
            what: html`<b>${count(notLookedUp, 'post id')} ${notLookedUp === 1 ? 'is' : 'are'} taken as written: the publishing records cannot be read here</b>`,
            more: `Check in the service that the post of each row has the id that the sheet says: ${keysOf(notLookedUpKeys, notLookedUp)}`,
          },
        ];
  const later =
    early &&
    `Check in the service after ${clockWithSeconds(Date.parse(early.from), zone)}, then drop the sheet again: ${keysOf(early.keys, early.rows)}`;
  return [
    ...rowState.options.flatMap((state) =>
      told(
        state,
        states[state] ?? 0,
        `: ${outcomes[state] ?? wordOf(state)}`,
        isOne ? keysOf(keys, matched) : undefined,
      ),
    ),
    ...looked,
    ...rowState.options.flatMap((state) =>
      told(state, ended[state] ?? 0, ` no longer in review (${wordOf(state)}): left alone`),
    ),
    ...told(
      'review',
      early?.rows ?? 0,
      ' kept for later: the calls may still be under way',
      later ?? undefined,
    ),
    ...told('warning', changed, ' decided meanwhile: left alone'),
    ...told('review', empty, ' without a decision: left alone'),
  ];
}

function decide(handed: Handed, planned: SheetDecided): Html {
  const { matched } = planned;
  if (matched === 0)
    return html`<p>The sheet has no decision about a row in review.</p>${backToCampaign(handed)}`;
  return agreeForm(handed, {
    fields: hidden('rows', matched),
    ...(sendsAgain(planned) && {
      sure: 'I have checked in the service: the posts and outputs that the sheet calls not there do not exist',
    }),
    button: `Decide about ${count(matched, 'row')}`,
  });
}

async function carryOut(handed: Handed): Promise<Answer> {
  const { request, campaign } = handed;
  const { runtime, form: fields } = request;
  const agreed = { rows: Number(fields.get('rows') ?? Number.NaN), isSure: fields.get('sure') === 'yes' };
  const { kind, plan } = await decideAsPlanned(runtime, campaign, fileOf(handed), agreed);
  if (kind !== 'decided') return showPlan(handed, plan, kind === 'changed');
  const { early, changed, matched } = plan;
  const meanwhile = `${number(changed)} ${changed === 1 ? 'was' : 'were'} decided meanwhile, and left alone.`;
  const later =
    early &&
    `${count(early.rows, 'row')} kept for later, because the calls may still be under way: ${keysOf(early.keys, early.rows)}.`;
  const more = [changed === 0 ? undefined : meanwhile, later].filter(Boolean).join(' ') || undefined;
  const text = `Decided about ${count(matched - (early?.rows ?? 0), 'row')}.`;
  return done(`/campaigns/${campaign.id}`, text, more);
}
