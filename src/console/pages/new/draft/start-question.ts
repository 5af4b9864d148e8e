/** The question before the first post of a draft: what is posted when, what it costs, and what is left out. */

import { describeCanary } from '../../../../app/campaigns/import/canary.ts';
import { mayBePosted } from '../../../../app/drafts/start.ts';
import type { ProblemGroup } from '../../../../app/drafts/view.ts';
import { type Html, html } from '../../../html.ts';
import { ask, type QuestionText } from '../../../parts/form.ts';
import { count, moment } from '../../../parts/numbers.ts';
import type { Answer, PageRequest } from '../../../request.ts';
import { checkedDraft } from './form.ts';
import { showStarted } from './page.ts';
import { draftPath, hiddenFields, readQuery } from './shown.ts';

export async function askStart(request: PageRequest): Promise<Answer> {
  const { drafts, params } = request;
  const { campaign } = (await drafts.look(params.draft ?? '')).draft;
  if (campaign !== undefined) return showStarted(request, campaign);
  return ask(request, {
    path: '/campaigns/new/:draft/start',
    section: '/campaigns',
    home: ({ params: { draft = '' } }) => draftPath(draft),
    ask: question,
    carryOut: () => '',
  });
}

async function question(request: PageRequest): Promise<QuestionText> {
  const { drafts, params, now, query } = request;
  const view = await drafts.look(params.draft ?? '');
  const checked = await checkedDraft(request, view.draft.id);
  const { options } = view.draft;
  const { plan, times, accepted, refused, leftOut, groups, warnings, blocking } = checked;
  const posts = count(accepted, 'post');
  const isReady =
    accepted > 0 && blocking.length === 0 && (refused === 0 || options.leaveOutProblems === true);
  const zone = checked.timezone ?? request.zone;
  const scheduled = times?.rows ?? 0;
  const atOnce = Math.max(0, accepted - scheduled);
  const existing = groups
    .filter(({ code }) => code === 'already_posted')
    .reduce((sum, group) => sum + group.count, 0);
  const again = warnings.find(({ code }) => code === 'caption_repeats')?.count ?? 0;
  const twice = mayBePosted(checked);
  const when = (at: number) => moment(at, zone, now);
  const facts: (readonly [string, Html | string])[] = [
    ['Posted as soon as ready', atOnce === 0 ? 'none' : count(atOnce, 'post')],
    [
      'Scheduled',
      times === undefined
        ? 'none'
        : html`${count(scheduled, 'post')}: first ${when(times.first)}, last ${when(times.last)} (${zone})`,
    ],
    ['AI outputs to pay for', plan.aiOutputs.total === 0 ? 'none' : count(plan.aiOutputs.total, 'AI output')],
    [
      'Canary',
      options.canary === undefined
        ? 'none: all posts go out without a pause'
        : describeCanary(checked.canary, options.canary, { accepted, now }),
    ],
    [
      'Stop after',
      options.stopAfter === undefined
        ? 'not set: failures do not pause the campaign'
        : `pauses if more than ${options.stopAfter} % fail or are in review`,
    ],
    ['Skipped', refused + leftOut === 0 ? 'none' : count(refused + leftOut, 'row')],
    ...unseenRows(warnings),
    [
      'Posts that already exist',
      existing === 0 ? 'none found' : `${count(existing, 'row')}, skipped: nothing is posted twice`,
    ],
    [
      'Repeated in this sheet',
      again === 0 ? 'none' : `${count(again, 'row')} with creator and caption of an earlier row`,
    ],
  ];
  const hidden = checked.notices.filter(({ code }) => code === 'note_hides').map(({ problem }) => problem);
  if (hidden.length > 0) facts.push(['Kept as notes', hidden.join('; ')]);
  return {
    title: `Start ${posts}?`,
    text: html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${checked.isOutdated ? html`<p class="note">The plan is being updated with your edits.</p>` : ''}`,
    fields: html`${hiddenFields({ view, asked: readQuery(query) })}<input type="hidden" name="posts" value="${accepted}">`,
    ...(twice > 0 && isReady && { sure: `Yes, ${count(twice, 'post')} may be posted twice` }),
    back: 'Back',
    button: isReady ? `Start ${posts}` : undefined,
  };
}

/** Rows that the workbook hides or strikes through are posted unless somebody skips them. */
function unseenRows(warnings: readonly ProblemGroup[]): readonly (readonly [string, string])[] {
  const rows = warnings
    .filter(({ code }) => code === 'row_hidden' || code === 'row_struck')
    .reduce((sum, group) => sum + group.count, 0);
  return rows === 0
    ? []
    : [['Hidden or struck through in the workbook', `${count(rows, 'row')}, posted like the others`]];
}
