/** The question before the first post of a draft: what is posted when, what it costs, and what is left out. */

import { describeCanary } from '../../../../app/campaigns/import/canary.ts';
import type { DraftOptions } from '../../../../app/drafts/draft.ts';
import { mayBePosted } from '../../../../app/drafts/start.ts';
import type { CheckedDraft, DraftRow, ProblemGroup } from '../../../../app/drafts/view.ts';
import type { ApproveRule } from '../../../../manifest/campaign-options.ts';
import { aboutCost } from '../../../../manifest/money.ts';
import { describePlaces } from '../../../../manifest/problems/problem.ts';
import { plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { ask, hidden, type QuestionText } from '../../../parts/form.ts';
import { clock, day, moment } from '../../../parts/numbers.ts';
import type { Answer, PageRequest } from '../../../request.ts';
import { examineAbsent, withoutCancelled } from './absent.ts';
import { draftPath, hiddenFields, readQuery } from './draft-view.ts';
import { checkedDraft } from './form.ts';
import { showStarted } from './page.ts';
import { briefly } from './saving.ts';
import { agreedFields, ignoredEdits, outcomes } from './update.ts';

export async function askStart(request: PageRequest): Promise<Answer> {
  const { drafts, params } = request;
  const { campaign } = (await drafts.look(params.draft ?? '')).draft;
  if (campaign !== undefined) return showStarted(request, campaign);
  return ask(request, {
    path: '/campaigns/new/:draft/start',
    home: ({ params: { draft = '' } }) => draftPath(draft),
    ask: question,
    carryOut: () => '',
  });
}

async function question(request: PageRequest): Promise<QuestionText> {
  const view = await request.drafts.look(request.params.draft ?? '');
  const checked = await checkedDraft(request, view.draft.id);
  const { options } = view.draft;
  const { accepted, refused, blocking, update, warnings } = checked;
  const replaced = rowsWith(warnings, 'file_replaced');
  const skips = options.leaveOutProblems === true || request.query.get('skip') === 'yes';
  const isReady = accepted > 0 && blocking.length === 0 && (refused === 0 || skips) && replaced === 0;
  const verb = update ? `Update ${plural(accepted, 'row')}` : `Start ${plural(accepted, 'post')}`;
  const twice = mayBePosted(checked);
  const rowsOf = async (kind: 'left-out' | 'problems', many: number) =>
    many === 0 ? [] : (await request.drafts.window(view.draft.id, kind, 0, mostSkipped)).rows;
  const [skipped, faulty] = [await rowsOf('left-out', checked.leftOut), await rowsOf('problems', refused)];
  const facts = factsOf(request, checked, { ...options, skipped, faulty });
  return {
    title: `${verb}?`,
    text: html`${!skips && refused > 0 && html`<p>Fix or skip ${plural(refused, 'row')} first.</p>`}${replaced > 0 && html`<p>A new file is not used: ${plural(replaced, 'row')} still ${replaced === 1 ? 'has' : 'have'} its earlier version. Use it there, or remove it.</p>`}${update && html`${ignoredEdits(update)}${outcomes(withoutCancelled(update, await examineAbsent(request, update)))}`}<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${checked.isOutdated ? html`<p class="note">The plan is being updated with your edits.</p>` : ''}`,
    fields: html`${hiddenFields({ view, asked: readQuery(request.query) })}${agreedFields(checked)}${isReady && !update && approvalChoice(request, checked, options)}${skips && update && hidden('skip', 'yes')}`,
    ...(twice > 0 && isReady && { sure: `Yes, ${plural(twice, 'post')} may be posted twice` }),
    button: isReady ? verb : undefined,
  };
}

/** Asks whether posts that nobody has seen yet may go out. Nothing to ask where none are generated, or all wait anyway. */
function approvalChoice(
  { runtime }: PageRequest,
  { plan }: CheckedDraft,
  { approve = runtime.settings.approve }: DraftOptions,
): Html | string {
  const outputs = plan.aiOutputs.total;
  if (outputs === 0 || approve === 'all') return '';
  const choice = (value: ApproveRule, label: string) =>
    html`<label><input type="radio" name="approve" value="${value}"${value === approve && html` checked`}> ${label}</label>`;
  return html`<fieldset class="choices"><legend>Posts with AI media (${plural(outputs, 'output')})</legend>
    ${choice('generated', 'wait until a person has seen and approved them')}
    ${choice('none', 'are posted without approval')}</fieldset>`;
}

type Fact = readonly [name: string, value: Html | string];

/** Most skipped rows that are named. */
const mostSkipped = 10;

/** `9 rows`, and folded `line 3: MARCH`, `lines 7 and 8: caption is empty`, `6 more rows`. */
function skippedFact(rows: readonly DraftRow[], many: number): Html {
  const same = Map.groupBy(rows, ({ cells, problems }) => {
    const written = cells.map((cell) => cell.trim()).filter(Boolean);
    // What may be meant differs by row.
    return problems?.[0]?.problem.split(';')[0] ?? briefly(written.join(' '));
  });
  const named = [...same].map(([text, of]) => `${describePlaces(of)}: ${text}`);
  const more = many > rows.length ? [`${plural(many - rows.length, 'more row')}`] : [];
  return html`<details><summary>${plural(many, 'row')}</summary><ul>${[...named, ...more].map((each) => html`<li>${words(each)}</li>`)}</ul></details>`;
}

function factsOf(
  { zone: own, now }: PageRequest,
  checked: CheckedDraft,
  options: DraftOptions & Readonly<Record<'skipped' | 'faulty', readonly DraftRow[]>>,
): readonly Fact[] {
  const { plan, times, accepted, refused, leftOut, update } = checked;
  const zone = checked.timezone ?? own;
  const scheduled = times?.rows ?? 0;
  const atOnce = Math.max(0, accepted - scheduled);
  const notes = checked.notices.filter(({ code }) => code === 'note_hides').map(({ problem }) => problem);
  const when = (at: number) => moment(at, zone, now);
  const dated = (at: number) => `${day(at, zone, now)}, ${clock(at, zone)}`;
  const facts: readonly (Fact | undefined)[] = [
    atOnce === 0 ? undefined : [soon(checked), plural(atOnce, 'post')],
    times === undefined
      ? undefined
      : [
          'Scheduled',
          html`${plural(scheduled, 'post')}: first ${when(times.first)}, last ${when(times.last)} (${zone})`,
        ],
    plan.later.rows === 0 ? undefined : ['Wait here for their time', later(plan, dated)],
    plan.approvals === 0
      ? undefined
      : ['Wait for an approval', `${plural(plan.approvals, 'post')}. None is sent until it is approved.`],
    [
      'AI outputs to pay for',
      plan.aiOutputs.total === 0
        ? 'none'
        : `${plural(plan.aiOutputs.total, 'AI output')}${aboutCost(plan.cost)}`,
    ],
    ...(update ? [] : holdsOf(checked, options, now)),
    leftOut === 0 ? undefined : ['Skipped', skippedFact(options.skipped, leftOut)],
    refused === 0 ? undefined : ['Skipped with problems', skippedFact(options.faulty, refused)],
    ...warningsOf(checked),
    ...repeatsOf(checked),
    notes.length === 0 ? undefined : ['Kept as notes', notes.join('; ')],
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Rows that may be posts which exist already, of this sheet or of a campaign. */
function repeatsOf({ groups, warnings }: CheckedDraft): readonly Fact[] {
  const existing = rowsWith(groups, 'already_posted');
  const found = toldRows([
    [
      existing,
      'In a campaign already',
      `, skipped: a campaign has posted ${existing === 1 ? 'it' : 'them'}, or will`,
    ],
    [rowsWith(groups, 'may_be_row'), 'Perhaps in it already', ', skipped: possibly posts of this campaign'],
    [
      rowsWith(groups, 'post_repeats'),
      'Repeated in this sheet',
      ', skipped: the same post as an earlier row',
    ],
    [
      rowsWith(warnings, 'caption_repeats'),
      'Alike in this sheet',
      ', posted: the same creator and caption as an earlier row',
    ],
  ]);
  return found.length === 0 ? [['Posted already, or repeated', 'none found']] : found;
}

/** Rows that are posted unless somebody skips or edits them. */
function warningsOf({ warnings }: CheckedDraft): readonly Fact[] {
  const unseen = rowsWith(warnings, 'row_hidden', 'row_struck');
  const swapped = rowsWith(warnings, 'file_of_other');
  return toldRows([
    [unseen, 'Hidden or struck through in the workbook', ', posted like the others'],
    [swapped, 'Files named after another creator', ': check them'],
  ]);
}

/** Those that there are. */
function toldRows(all: readonly (readonly [rows: number, name: string, what: string])[]): readonly Fact[] {
  return all.flatMap(([rows, name, what]) =>
    rows === 0 ? [] : [[name, `${plural(rows, 'row')}${what}`] as const],
  );
}

/** Whether every post waits for an approval. */
function allWait({ plan, accepted }: CheckedDraft): boolean {
  return accepted > 0 && plan.approvals >= accepted;
}

/** When posts without a time go out. */
function soon(checked: CheckedDraft): string {
  if (allWait(checked)) return 'Posted as soon as approved';
  const approved = checked.plan.approvals > 0 ? ' and, where needed, approved' : '';
  return `Posted as soon as ready${approved}`;
}

function holdsOf(checked: CheckedDraft, options: DraftOptions, now: number): readonly Fact[] {
  const { accepted } = checked;
  const free = allWait(checked)
    ? 'each post goes out once it is approved'
    : 'all posts go out without a pause';
  return [
    [
      'Canary',
      options.canary === undefined
        ? `none: ${free}`
        : describeCanary(checked.canary, options.canary, { accepted, now }),
    ],
    [
      'Stop after',
      options.stopAfter === undefined
        ? 'not set: failures do not pause the campaign'
        : `pauses if more than ${options.stopAfter}% fail or are in review`,
    ],
  ];
}

function later(
  { later: { rows, firstAt, lastAt } }: CheckedDraft['plan'],
  when: (at: number) => string,
): string {
  return `${plural(rows, 'post')}: the service gets the first ${when(firstAt ?? 0)}, the last ${when(lastAt ?? 0)}`;
}

function rowsWith(groups: readonly ProblemGroup[], ...codes: readonly string[]): number {
  return groups.reduce((sum, group) => sum + (codes.includes(group.code) ? group.count : 0), 0);
}
