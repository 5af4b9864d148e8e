/** The plan: posts, calls, AI outputs, bytes, and the least time within the rate limits. */

import { mayDo } from '../../../../app/access/roles.ts';
import { describeCanary, nameCanary } from '../../../../app/campaigns/import/canary.ts';
import { mistaken } from '../../../../app/campaigns/import/update.ts';
import { textIn } from '../../../../app/drafts/check/check-view.ts';
import type { DraftRow } from '../../../../app/drafts/view.ts';
import { roundedLead } from '../../../../manifest/campaign-options.ts';
import { aboutCost } from '../../../../manifest/money.ts';
import { shortened } from '../../../../manifest/printable.ts';
import { describeAge, describeDuration, plural, thousands } from '../../../../manifest/wording.ts';
import { maxProductsPerCall } from '../../../../service/contract/creators.ts';
import { type LimitedOperation, operationFacts } from '../../../../service/contract/operations.ts';
import { type Html, html, words } from '../../../html.ts';
import { n, section, table } from '../../../parts/blocks.ts';
import { clock, day, size } from '../../../parts/numbers.ts';
import { draftPictures } from '../../../parts/picture.ts';
import { covers } from '../../../parts/post-pictures.ts';
import { describeRate, operationOrder, operationTitle } from '../../queues/rate-limits.ts';
import { action, draftPath, type ShownDraft } from './draft-view.ts';
import { leadFact } from './options.ts';
import { agreedFields, countIgnored } from './update.ts';

/** Shorter times say nothing, in milliseconds. */
const leastTold = 1000;

/** As many as one line shows. */
export const mostCovers = 10;
/** Of a caption on a picture, in UTF-16 units. */
const longestCaption = 60;

/** The first posts as they will be; each leads to its row. @param rows the first of the sheet. */
export async function firstPosts(shown: ShownDraft, rows: readonly DraftRow[]): Promise<Html | string> {
  const { request, view, checked } = shown;
  const posts = rows.filter(({ state }) => state === 'accepted');
  if (posts.length === 0) return '';
  const pictures = await draftPictures(request, view, checked, posts);
  const shownPosts = posts.map((row) => ({
    address: request.link(draftPath(view.draft.id, `/rows/${row.number}`)),
    picture: pictures.get(row.number),
    creator: textIn(checked, row, 'creator'),
    when: words(shortened(textIn(checked, row, 'caption'), longestCaption)),
  }));
  const note = checked.accepted > posts.length ? `The first of ${thousands(checked.accepted)}` : '';
  return section({ id: 'posts', title: 'Posts', note }, covers(request, shownPosts, 'posts'));
}

/** Titles of the columns between what is done and its note. */
const figures = ['How many', 'Calls', 'Rate limit', 'At least'] as const;

export function planSection(shown: ShownDraft): Html {
  const { checked } = shown;
  const { plan, isOutdated } = checked;
  const { aiOutputs, videos, photos, rows } = plan;
  const kinds = [
    ...(videos > 0 ? [plural(videos, 'video')] : []),
    ...(photos > 0 ? [plural(photos, 'photo post')] : []),
  ].join(', ');
  const operations = operationOrder.filter((each) => (plan.calls[each] ?? 0) > 0);
  return html`<section aria-labelledby="plan" id="draft-plan">
    <div class="section"><h2 id="plan">The plan</h2><p>${plural(rows, 'post')}${kinds === '' ? '' : `: ${kinds}`}${aiOutputs.total > 0 ? `, with ${plural(aiOutputs.total, 'AI output')}${aboutCost(plan.cost)}` : ''}</p></div>
    ${isOutdated ? html`<p class="note">The plan is being updated with your edits.</p>` : ''}
    ${
      operations.length === 0
        ? ''
        : table({
            of: 'plan',
            className: 'stacked',
            heads: ['What', ...figures.map(n), 'Note'],
            lines: operations.map((each) => line(shown, each as LimitedOperation)),
          })
    }
    <p class="note after">${[canary(shown), missed(shown), later(shown), unlabelled(shown)].filter(Boolean).join(' ')}</p>
  </section>`;
}

function line({ checked: { plan } }: ShownDraft, operation: LimitedOperation): Html {
  const step = plan.steps[operation];
  const { items = 0 } = step ?? {};
  const noun = nouns[operation];
  const isDeciding = plan.decidedBy === operation;
  const isAsking = operationFacts[operation].each === 'poll';
  const notes = [
    ...(isAsking ? ['repeated until the results are ready'] : []),
    ...(operation === 'createAiGenerationSchedule' ? [models(plan.aiOutputs.byModel)] : []),
    ...(operation === 'createFileUpload' && plan.bytes > 0 ? [size(plan.bytes)] : []),
    ...(operation === 'addSocialShowcaseProducts' ? [`up to ${maxProductsPerCall} in a call`] : []),
    ...(isDeciding ? ['decides how long it takes'] : []),
  ];
  const told = [
    noun === undefined ? thousands(items) : plural(items, noun),
    `${isAsking ? 'at least ' : ''}${thousands(plan.calls[operation] ?? 0)}`,
    step?.perSecond == null ? '' : describeRate(step.perSecond),
    step === undefined || step.leastMs < leastTold ? 'right away' : describeDuration(step.leastMs),
  ];
  return html`<tr><th scope="row">${isDeciding ? html`<b>${operationTitle(operation)}</b>` : operationTitle(operation)}</th>
    ${told.map((each, at) => html`<td class="n" data-head="${figures[at]}">${each}</td>`)}
    <td>${notes.join('; ')}</td></tr>`;
}

/** Nouns of things to do, where the title of the line has none. */
const nouns: Partial<Record<LimitedOperation, string>> = {
  createAiGenerationSchedule: 'output',
  createFileUpload: 'file',
};

function models(byModel: Readonly<Record<string, number>>): string {
  const each = Object.entries(byModel).map(([model, outputs]) => `${plural(outputs, 'output')} of ${model}`);
  return `costs: ${each.join(', ')}`;
}

/** What goes out first, and whether it is a poor canary. */
function canary({ request, view, checked }: ShownDraft): string {
  const { canary: choice } = view.draft.options;
  const { plan, canary: rows } = checked;
  if (choice === undefined || plan.rows === 0) return '';
  return describeCanary(rows, choice, { accepted: plan.rows, now: request.now });
}

/** `in 15 h 48 min`. @param ms from now, negative for the past. */
function fromNow(ms: number): string {
  const least = 60_000;
  if (ms < 0) return ms > -least ? 'just now' : `${describeAge(-ms)} ago`;
  return ms < least ? 'within a minute' : `in ${describeAge(ms)}`;
}

/** Which posts wait for their day, and whether some would come too late. */
function later({ request, checked }: ShownDraft): string {
  const { rows, firstAt, crowd } = checked.plan.later;
  if (firstAt === null) return '';
  const zone = checked.timezone ?? request.zone;
  const when = (at: number) => `${day(at, zone, request.now)}, ${clock(at, zone)}`;
  const said = `${plural(rows, 'post waits', 'posts wait')} here for ${rows === 1 ? 'its' : 'their'} time: the service gets the first ${when(firstAt)}.`;
  if (crowd === null) return said;
  const { at, rows: due, takesMs } = crowd;
  return `${said} With this rate limit, ${plural(due, 'post')} due ${when(at)} ${due === 1 ? 'takes' : 'take'} ${describeDuration(takesMs)}: send posts ${describeAge(roundedLead(takesMs))} before their time.`;
}

function unlabelled({ checked: { plan } }: ShownDraft): string {
  if (plan.unlabelled === 0) return '';
  const posts = plural(plan.unlabelled, 'post of generated photos', 'posts of generated photos');
  return `${posts} will have no AI label, because the service takes it for videos only. Label ${plan.unlabelled === 1 ? 'it' : 'them'} in the social app.`;
}

function isOfTime(column: string | null | undefined): boolean {
  return column === 'scheduled_at' || column === 'scheduled_time';
}

function missed({ request, checked }: ShownDraft): string {
  const { plan, times, timezone, refused, columns, groups } = checked;
  const faulty = groups
    .filter(({ position }) => isOfTime(columns.find((each) => each.position === position)?.column))
    .reduce((sum, group) => sum + group.count, 0);
  const zone = timezone ?? request.zone;
  const first =
    times === undefined
      ? ''
      : ` The first is ${day(times.first, zone, request.now)}, ${clock(times.first, zone)} in ${zone}: ${fromNow(times.first - request.now)}.`;
  if (plan.missed > 0)
    return `${plural(plan.missed, 'scheduled time')} would pass before ${plan.missed === 1 ? 'its' : 'their'} turn.${first}`;
  if (plan.rows === 0 && refused === 0) return 'There is nothing to post yet.';
  if (times !== undefined) return `No scheduled time would be missed.${first}`;
  const none = plan.rows === 0 ? [] : ['All posts go out as soon as they are ready.'];
  const wrong =
    faulty === 0 ? [] : [`${plural(faulty, 'row has', 'rows have')} a time with a problem: see above.`];
  return [...none, ...wrong].join(' ');
}

/** The summary of the start or the update, and its button. The form has the version and the numbers of rows that the person has seen. */
export function dock(shown: ShownDraft): Html {
  const { request, view, checked } = shown;
  const ask = action(shown, '/ask');
  const { plan, accepted, refused, leftOut, groups, warnings, isOutdated, update } = checked;
  const { options, into } = view.draft;
  const edited = update?.matches.edited.count ?? 0;
  const otherTimes = warnings.find(({ code }) => code === 'posted_at_another_time')?.count ?? 0;
  const lead = leadFact(shown);
  const facts = [
    ...(plan.aiOutputs.total > 0 ? [plural(plan.aiOutputs.total, 'AI output')] : []),
    ...(isOutdated
      ? ['the plan is being updated']
      : plan.shortestMs < leastTold
        ? []
        : [`at least ${describeDuration(plan.shortestMs)}`]),
    ...(options.canary === undefined ? [] : [`pauses after ${nameCanary(options.canary)}`]),
    ...(options.stopAfter === undefined ? [] : [`pauses if more than ${options.stopAfter}% fail`]),
    ...(update?.campaign.state === 'paused' ? ['the campaign is paused: they wait until it is resumed'] : []),
    ...(lead === undefined ? [] : [lead]),
    ...(plan.approvals > 0
      ? [
          html`${plural(plan.approvals, 'post waits', 'posts wait')} for an approval (<a href="#approve">change</a>)`,
        ]
      : []),
    ...(plan.later.rows > 0 ? [`${thousands(plan.later.rows)} wait here for their time`] : []),
    ...(refused > 0 && !options.leaveOutProblems ? [`${thousands(refused)} to fix`] : []),
    ...(otherTimes > 0 ? [`${thousands(otherTimes)} posted before, at another time`] : []),
    ...(plan.unlabelled > 0 ? [`${thousands(plan.unlabelled)} without AI label`] : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'row')} skipped`] : []),
    ...(refused > 0 && options.leaveOutProblems ? [`${thousands(refused)} with problems skipped`] : []),
    ...(edited > 0 ? [html`<b>${countIgnored(edited, update?.ignored ?? [])}</b>`] : []),
  ];
  return html`<div class="dock" id="draft-dock">
    ${agreedFields(checked)}
    <p><b>${into ? `${plural(accepted, 'row')} to send` : plural(accepted, 'post')}</b> ${facts.map((fact) => html`<span>${fact}</span> `)}</p>
    ${button()}
  </div>`;

  function button(): Html {
    if (!mayDo(request, 'run'))
      return html`<p>An operator can ${into ? 'update' : 'start'} this campaign.</p>`;
    if (into && groups.some(({ code }) => code === mistaken))
      return html`<p>A changed key may be another row’s: fix it first, or skip its row.</p>`;
    // Results are written into it from now on, with the notes that are new in it.
    if (accepted === 0 && refused === 0 && update && update.absent.count < checked.rows)
      return html`<button>Use this sheet for the results</button>`;
    if (accepted === 0)
      return html`<p>${into ? 'No row of this sheet would be sent.' : 'No row can be posted yet.'}</p>`;
    const rows = `${plural(accepted, into ? 'row' : 'post')}`;
    if (refused === 0 || options.leaveOutProblems)
      return html`<button ${ask} class="primary">${into ? 'Update' : 'Start'} ${rows}…</button>`;
    const others = refused === 1 ? 'the other one' : `the other ${refused}`;
    return html`<button ${ask} class="primary" name="skip" value="yes">${into ? `Update ${rows} now, and fix ${others} later` : `Skip ${plural(refused, 'row')} and start ${rows}`}…</button>`;
  }
}
