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
import { labelOf } from '../../review/second-look.ts';
import { undoResend } from '../../review/undo.ts';
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
  posted: 'marked as posted. Sends nothing',
  waiting: 'resent if not posted, generated again if not generated, else resumed',
  failed: 'marked as failed, because their scheduled time has passed: give them a new one',
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
            more: `Check the creator’s profile, or the service’s dashboard, for the post id of each row: ${keysOf(notLookedUpKeys, notLookedUp)}`,
          },
        ];
  const later =
    early &&
    `Check the creator’s profile, or the service’s dashboard, after ${clockWithSeconds(Date.parse(early.from), zone)}. Then upload the sheet again: ${keysOf(early.keys, early.rows)}`;
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
      told(state, ended[state] ?? 0, ` no longer in review (${wordOf(state)}): unchanged`),
    ),
    ...told(
      'review',
      early?.rows ?? 0,
      ' kept for later: their requests may still be running',
      later ?? undefined,
    ),
    ...told('warning', changed, ' decided meanwhile: unchanged'),
    ...told('review', empty, ' without a decision: unchanged'),
  ];
}

function decide(handed: Handed, planned: SheetDecided): Html {
  const { matched } = planned;
  if (matched === 0) return html`<p>The sheet decides no rows in review.</p>${backToCampaign(handed)}`;
  return agreeForm(handed, {
    fields: html`${hidden('rows', matched)}${sendsAgain(planned) && html`<p><b>If one of these posts exists after all, this creates a duplicate.</b> ${undoResend}</p>`}`,
    ...(sendsAgain(planned) && {
      sure: html`I checked the creator’s profile, or the service’s dashboard: posts marked <code>not-posted</code> and AI generations marked <code>not-generated</code> do not exist`,
    }),
    button: buttonOf(planned),
  });
}

/** `Resend or resume 2 rows, mark 1 as posted`. The plan does not tell resent rows from those that resume. */
function buttonOf({ states, matched }: SheetDecided): string {
  const others = rowState.options.filter((state) => state !== 'waiting');
  const label = labelOf([
    ['resend or resume #', states.waiting ?? 0],
    ...others.map((state) => [`mark # as ${state}`, states[state] ?? 0] as const),
  ]);
  return label ?? `Decide ${count(matched, 'row')}`;
}

async function carryOut(handed: Handed): Promise<Answer> {
  const { request, campaign } = handed;
  const { runtime, form: fields } = request;
  const agreed = { rows: Number(fields.get('rows') ?? Number.NaN), isSure: fields.get('sure') === 'yes' };
  const { kind, plan } = await decideAsPlanned(runtime, campaign, fileOf(handed), agreed);
  if (kind !== 'decided') return showPlan(handed, plan, kind === 'changed');
  const { early, changed, matched } = plan;
  const meanwhile = `${number(changed)} ${changed === 1 ? 'was' : 'were'} decided meanwhile, and ${changed === 1 ? 'is' : 'are'} unchanged.`;
  const later =
    early &&
    `${count(early.rows, 'row')} kept for later, because their requests may still be running: ${keysOf(early.keys, early.rows)}.`;
  const more = [changed === 0 ? undefined : meanwhile, later].filter(Boolean).join(' ') || undefined;
  const text = `Decided ${count(matched - (early?.rows ?? 0), 'row')}.`;
  return done(`/campaigns/${campaign.id}`, text, more);
}
