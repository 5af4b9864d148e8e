/** The confirmation of decisions: shows the effect of each before anything is sent. */
import {
  type Choice,
  type ChoiceOutcome,
  chosenDocument,
  decideChosen,
} from '../../../app/decisions/decide-row.ts';
import type { Verdict } from '../../../app/decisions/decision.ts';
import type { ReviewItem } from '../../../app/decisions/review-rows.ts';
import { decisionOperations } from '../../../app/operations/decisions.ts';
import type { RowState } from '../../../ledger/states.ts';
import { capitalized, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { confirmForm, done, form, hidden, wayBack } from '../../parts/form.ts';
import { rowName, rowPath } from '../../parts/list.ts';
import { stateBadge } from '../../parts/state.ts';
import type { Answer, PageRequest, Redirect } from '../../request.ts';
import { undoResend } from './undo.ts';

export async function askDecide(request: PageRequest): Promise<Answer> {
  const choices = readChoices(request.form);
  const unchecked = request.form.get('unchecked') === 'yes';
  const back = homeOf(request.form);
  if (choices.length === 0) {
    return {
      kind: 'question',
      title: 'Nothing is decided yet',
      body: html`<p>Choose “Posted” or “Not posted” for a row (“Generated” or “Not generated” for an AI generation). An ID counts only with “Posted” or “Generated”.</p>
        <p class="actions">${wayBack(request, back, 'Back')}</p>`,
      status: request.isPart ? undefined : 422,
    };
  }
  const outcomes = await decideChosen(request.runtime, choices, { dryRun: true, unchecked });
  const planned = outcomes.filter(({ end }) => end.kind === 'decided');
  // It can be undone, and nothing is sent: a second question would only be one more press.
  const isHarmless = choices.every(({ verdict }) => verdict.decision === 'posted');
  if (isHarmless && planned.length === choices.length) return decide(request);
  const does = labelOf(
    effects.map((effect) => [effect, planned.filter((one) => effectOf(one) === effect).length]),
  );
  const save = confirmForm(request, '/review/decide', back, {
    fields: html`${choiceFields(request, planned, 'unchecked')}${looked(planned, request.now)}`,
    button: does,
  });
  const body = html`
    ${planned.length === 0 ? '' : html`<table><tbody>${planned.map(plannedLine)}</tbody></table>`}
    ${refusals(request, outcomes, unchecked)}
    ${save}`;
  return {
    kind: 'question',
    title: does === undefined ? 'Nothing can be decided' : `${does}?`,
    body,
  };
}

export async function decide(request: PageRequest): Promise<Answer> {
  const choices = readChoices(request.form);
  const isAgain = choices.some(({ verdict }) => verdict.decision.startsWith('not-'));
  if (isAgain && request.form.get('looked') !== 'yes') return askDecide(request);
  const unchecked = request.form.get('unchecked') === 'yes';
  const outcomes = await decideChosen(request.runtime, choices, { dryRun: false, unchecked });
  await request.record(decisionOperations.decideChosen, {}, chosenDocument(outcomes, false));
  const decided = outcomes.filter(({ end }) => end.kind === 'decided');
  const saved = decided.map(({ key, place = key, choice }) => `${place}: ${saidOf(choice.verdict)}.`);
  const refused = outcomes.flatMap(({ end }) =>
    end.kind === 'refused' ? [`Not decided: ${end.fault.message}.`] : [],
  );
  const state = decided.length === 0 ? 'failed' : refused.length > 0 ? 'warning' : 'done';
  const more = [...saved, ...refused].join(' ') || undefined;
  const said = decided.length === 0 ? 'Nothing was decided.' : `Decided ${plural(decided.length, 'row')}.`;
  const [only] = decided.length === 1 ? decided : [];
  const fields = only && { campaign: only.choice.campaign, key: only.key };
  const undo = fields && { label: 'Undo', path: '/review/undo', fields };
  return done(afterwards(request, decided), said, more, state, undo);
}

function afterwards({ form: fields }: PageRequest, decided: readonly ChoiceOutcome[]): Redirect['to'] {
  const home = homeOf(fields);
  if (!home.startsWith('/review') || decided.length === 0) return home;
  const params = new URLSearchParams(home.split('?')[1]);
  const next = fields.get('next');
  if (next === null) params.delete('open');
  else params.set('open', next);
  params.set('decided', decided.map(({ choice }) => `${choice.campaign}.${choice.position}`).join(','));
  return `/review?${params}`;
}

/** The page where decisions are made: a row's page, or the list with a case open. */
export function homeOf(fields: URLSearchParams): string {
  const [campaign, key] = [fields.get('row-campaign'), fields.get('row-key')];
  if (campaign !== null && key !== null) return rowPath(campaign, key);
  const list = new URLSearchParams(fields.get('home') ?? '');
  return list.size === 0 ? '/review' : `/review?${list}`;
}

/** @param more another field to keep. */
function choiceFields({ form: fields }: PageRequest, outcomes: readonly ChoiceOutcome[], more = ''): Html {
  const kept = ['row-campaign', 'row-key', 'home', 'next', more].map((name) =>
    hidden(name, fields.get(name)),
  );
  return html`${kept}${outcomes.map(({ choice }) => hidden(choiceField(choice), choiceValue(choice.verdict)))}`;
}

function plannedLine({ key, place, creator, choice: { verdict }, end }: ChoiceOutcome): Html {
  const state = end.kind === 'refused' ? 'review' : end.state;
  return html`<tr><th scope="row">${rowName({ key, place })}<br><small>${words(creator)}</small></th><td>${thereupon(state, verdict)}</td></tr>`;
}

function thereupon(state: RowState, verdict: ChoiceOutcome['choice']['verdict']): Html {
  if (state === 'posted' && verdict.decision === 'posted') {
    return html`${stateBadge('posted')} as <code>${words(verdict.postId)}</code>. Sends nothing.`;
  }
  if (state === 'waiting') {
    switch (verdict.decision) {
      case 'generated':
        return html`${stateBadge('running', 'resumes')} with schedule <code>${words(verdict.scheduleId)}</code>`;
      case 'not-generated':
        return html`${stateBadge('running', 'generated again')}: pays for its AI outputs again`;
      default:
        return html`${stateBadge('running', 'resent')}: 1 call`;
    }
  }
  return html`${stateBadge(state)}. Sends nothing.`;
}

/** What becomes of rows, in the order of a label; `#` stands for their number. */
const effects = [
  'resend #',
  'generate # again',
  'resume #',
  'mark # as posted',
  'mark # as failed',
  'mark # as cancelled',
] as const;

function effectOf({ choice: { verdict }, end }: ChoiceOutcome): string {
  const state = end.kind === 'refused' ? 'review' : end.state;
  if (state !== 'waiting') return `mark # as ${state}`;
  if (verdict.decision === 'not-posted') return 'resend #';
  return verdict.decision === 'not-generated' ? 'generate # again' : 'resume #';
}

/** `Resend 2 rows, mark 1 as posted`; undefined without rows. */
export function labelOf(
  rowsByEffect: readonly (readonly [effect: string, rows: number])[],
): string | undefined {
  const parts = rowsByEffect
    .filter(([, rows]) => rows > 0)
    .map(([effect, rows], index) => effect.replace('#', index === 0 ? plural(rows, 'row') : thousands(rows)));
  return parts.length === 0 ? undefined : capitalized(parts.join(', '));
}

/** What resending may do, and the checkbox by which the person confirms a check of the service. */
function looked(planned: readonly ChoiceOutcome[], now: number): Html | string {
  const resent = planned.filter(({ choice }) => choice.verdict.decision === 'not-posted');
  const posts = resent.length;
  const generations = planned.filter(({ choice }) => choice.verdict.decision === 'not-generated').length;
  if (posts + generations === 0) return '';
  const duplicate =
    posts > 0 &&
    html`<p><b>If ${posts === 1 ? 'the post' : 'one of these posts'} exists after all, this creates a duplicate.</b> ${undoResend}</p>`;
  const paid =
    generations > 0 &&
    html`<p><b>If ${generations === 1 ? 'the AI generation' : 'one of these AI generations'} exists after all, you pay for it twice.</b></p>`;
  const what = [
    ...(posts > 0 ? [posts === 1 ? 'the post' : 'these posts'] : []),
    ...(generations > 0 ? [generations === 1 ? 'the AI generation' : 'these AI generations'] : []),
  ].join(' and ');
  // A profile does not show what is scheduled.
  const isOnProfile = resent.some(({ scheduledAt = 0 }) => scheduledAt <= now);
  const where = isOnProfile ? 'the creator’s profile, or the service’s dashboard' : 'the service’s dashboard';
  return html`${duplicate}${paid}
    <p><label><input type="checkbox" name="looked" value="yes" required> I checked ${where}: ${what} ${posts + generations === 1 ? 'does' : 'do'} not exist</label></p>`;
}

function refusals(
  request: PageRequest,
  outcomes: readonly ChoiceOutcome[],
  unchecked: boolean,
): Html | string {
  const lines = outcomes.flatMap(({ key, place, end }) =>
    end.kind === 'refused' ? [html`<li>${rowName({ key, place })}: ${words(end.fault.message)}</li>`] : [],
  );
  if (lines.length === 0) return '';
  const body = html`${choiceFields(request, outcomes)}${hidden('unchecked', 'yes')}<button>Accept these IDs anyway</button> <small>New posts may not be in the publishing records yet. Check the creator’s profile first.</small>`;
  const insist = unchecked ? '' : form(request, { path: '/review', body });
  return html`<p><b>${plural(lines.length, 'row')} not decided:</b></p><ul>${lines}</ul>${insist}`;
}

/** Values of the radio group: a verdict, with its id after a space. For `other`, the id is in a field of its own. */
export type ChoiceValue =
  | `${'posted' | 'generated'} ${string}`
  | 'posted-other'
  | 'generated-other'
  | 'not-posted'
  | 'not-generated'
  | '';

export const mostChoices = 200;

type ChoiceRef = Pick<Choice, 'campaign' | 'position' | 'revision'>;

export function choiceField({ campaign, position, revision }: ChoiceRef): string {
  return `d.${campaign}.${position}.${revision}`;
}

export function idField(place: ChoiceRef): string {
  return choiceField(place).replace('d', 'i');
}

/** Reads the decisions in a form; leaves out undecided rows. */
export function readChoices(form: URLSearchParams): readonly Choice[] {
  const choices: Choice[] = [];
  for (const [name, value] of form) {
    const [, campaign, position, revision] = /^d\.([^.]{1,64})\.(\d{1,9})\.(\d{1,3})$/.exec(name) ?? [];
    if (campaign === undefined || choices.length === mostChoices) continue;
    const place = { campaign, position: Number(position), revision: Number(revision) };
    const verdict = verdictOf(value, form.get(idField(place)) ?? '');
    if (verdict !== undefined) choices.push({ ...place, verdict });
  }
  return choices;
}

function verdictOf(value: string, typed: string): Verdict | undefined {
  const at = value.indexOf(' ');
  const [decision, id] = at < 0 ? [value, typed.trim()] : [value.slice(0, at), value.slice(at + 1)];
  switch (decision) {
    case 'posted':
    case 'posted-other':
      return { decision: 'posted', postId: id };
    case 'generated':
    case 'generated-other':
      return { decision: 'generated', scheduleId: id };
    case 'not-posted':
    case 'not-generated':
      return { decision };
    default:
      return undefined;
  }
}

/** A decision in the words of the page: `posted, as 7321948`. */
function saidOf(verdict: Verdict): string {
  switch (verdict.decision) {
    case 'posted':
      return `posted, as ${verdict.postId}`;
    case 'generated':
      return `generated, with schedule ${verdict.scheduleId}`;
    case 'not-posted':
      return 'not posted';
    case 'not-generated':
      return 'not generated';
  }
}

export function choiceValue(verdict: Verdict): ChoiceValue {
  switch (verdict.decision) {
    case 'posted':
      return `posted ${verdict.postId}`;
    case 'generated':
      return `generated ${verdict.scheduleId}`;
    default:
      return verdict.decision;
  }
}

/** A radio button. Nothing is preselected. @param key that selects it. */
export function radio(
  item: ReviewItem,
  value: ChoiceValue,
  key: string | undefined,
  more: Html | string = '',
): Html {
  return html`<input type="radio" name="${choiceField(item)}" value="${value}"${key && html` data-key="${key}"`}${more}>`;
}
