/** The confirmation of decisions: shows the effect of each before anything is sent. */
import { type Choice, type ChoiceOutcome, decideChosen } from '../../../campaigns/decisions/decide-row.ts';
import { type Verdict, verdictText } from '../../../campaigns/decisions/decision.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import type { RowState } from '../../../ledger/states.ts';
import { type Html, html, words } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { confirmForm, done, form, hidden, wayBack } from '../../parts/form.ts';
import { count } from '../../parts/numbers.ts';
import { stateBadge } from '../../parts/state.ts';
import type { Answer, PageRequest, Redirect } from '../../request.ts';

export async function askDecide(request: PageRequest): Promise<Answer> {
  const choices = readChoices(request.form);
  const unchecked = request.form.get('unchecked') === 'yes';
  const back = backOf(request);
  if (choices.length === 0) {
    return {
      kind: 'question',
      title: 'Nothing is decided yet',
      section: '/review',
      body: html`<p>Choose “It is there” or “It is not there” for a row. An id counts only if “It is there” is chosen.</p>
        <p class="actions">${wayBack(request, back, 'Back')}</p>`,
      status: request.isPart ? undefined : 422,
    };
  }
  const outcomes = await decideChosen(request.runtime, choices, { dryRun: true, unchecked });
  const planned = outcomes.filter(({ end }) => end.kind === 'decided');
  const again = planned.filter(({ choice }) => choice.verdict.kind.startsWith('not-')).length;
  const many = count(planned.length, 'decision');
  const save = confirmForm(request, '/review/decide', back, {
    fields: html`${choiceFields(request, planned, 'unchecked')}${again > 0 && looked(again)}
    <p class="note">If a row changes meanwhile, its decision is not saved, and you see a message.</p>`,
    back: 'Back',
    button: planned.length === 0 ? undefined : `Save ${many}`,
  });
  const body = html`
    ${planned.length === 0 ? '' : html`<table><tbody>${planned.map(plannedLine)}</tbody></table>`}
    ${refusals(request, outcomes, unchecked)}
    ${save}`;
  return { kind: 'question', title: `Save ${many}?`, section: '/review', body };
}

/** Carries decisions out, and redirects to the page where they were made. */
export async function decide(request: PageRequest): Promise<Answer> {
  const choices = readChoices(request.form);
  const isAgain = choices.some(({ verdict }) => verdict.kind.startsWith('not-'));
  if (isAgain && request.form.get('looked') !== 'yes') return askDecide(request);
  const unchecked = request.form.get('unchecked') === 'yes';
  const outcomes = await decideChosen(request.runtime, choices, { dryRun: false, unchecked });
  const decided = outcomes.filter(({ end }) => end.kind === 'decided');
  const saved = decided.map(({ key, choice }) => `${key}: ${verdictText(choice.verdict)}.`);
  const refused = outcomes.flatMap(({ end }) =>
    end.kind === 'refused' ? [`Not saved: ${end.fault.message}.`] : [],
  );
  const state = decided.length === 0 ? 'failed' : refused.length > 0 ? 'warning' : 'done';
  const more = [...saved, ...refused].join(' ') || undefined;
  return done(afterwards(request, decided), `${count(decided.length, 'decision')} saved.`, more, state);
}

function afterwards(request: PageRequest, decided: readonly ChoiceOutcome[]): Redirect['to'] {
  const back = backOf(request);
  if (back !== '/review' || decided.length === 0) return back;
  const places = decided.map(({ choice }) => `${choice.campaign}.${choice.position}`);
  return `/review?${new URLSearchParams({ decided: places.join(',') })}`;
}

/** The page where the decisions were made: the row's page, or the list. */
function backOf({ form: fields }: PageRequest): string {
  const [campaign, key] = [fields.get('row-campaign'), fields.get('row-key')];
  return campaign !== null && key !== null ? rowPath(campaign, key) : '/review';
}

/** @param more another field to keep. */
function choiceFields({ form: fields }: PageRequest, outcomes: readonly ChoiceOutcome[], more = ''): Html {
  const kept = ['row-campaign', 'row-key', more].map((name) => hidden(name, fields.get(name)));
  return html`${kept}${outcomes.map(({ choice }) => hidden(choiceField(choice), choiceValue(choice.verdict)))}`;
}

function plannedLine({ key, creator, choice: { verdict }, end }: ChoiceOutcome): Html {
  const state = end.kind === 'refused' ? 'review' : end.state;
  return html`<tr><th scope="row"><code>${words(key)}</code><br><small>${words(creator)}</small></th><td>${thereupon(state, verdict)}</td></tr>`;
}

function thereupon(state: RowState, verdict: ChoiceOutcome['choice']['verdict']): Html {
  if (state === 'posted' && verdict.kind === 'posted') {
    return html`${stateBadge('posted')} as <code>${words(verdict.postId)}</code>. Sends nothing.`;
  }
  if (state === 'waiting') {
    switch (verdict.kind) {
      case 'generated':
        return html`${stateBadge('running', 'goes on')} with schedule <code>${words(verdict.scheduleId)}</code>`;
      case 'not-generated':
        return html`${stateBadge('running', 'ordered again')}: AI outputs, which cost again`;
      default:
        return html`${stateBadge('running', 'sent again')}: 1 call`;
    }
  }
  return html`${stateBadge(state)}. Sends nothing.`;
}

/** The checkbox by which the person confirms a check in the service itself. */
function looked(many: number): Html {
  const twice =
    many === 1
      ? 'One row is sent again. If its post or output exists after all, it is then there twice.'
      : `${count(many, 'row')} are sent again. If their posts or outputs exist after all, they are then there twice.`;
  return html`<p><b>${twice}</b> That cannot be undone from here.</p>
    <p><label><input type="checkbox" name="looked" value="yes" required> I have checked in the service, and ${many === 1 ? 'it is' : 'they are'} not there</label></p>`;
}

function refusals(
  request: PageRequest,
  outcomes: readonly ChoiceOutcome[],
  unchecked: boolean,
): Html | string {
  const lines = outcomes.flatMap(({ key, end }) =>
    end.kind === 'refused' ? [html`<li><code>${words(key)}</code>: ${words(end.fault.message)}</li>`] : [],
  );
  if (lines.length === 0) return '';
  const body = html`${choiceFields(request, outcomes)}${hidden('unchecked', 'yes')}<button>Accept the ids unchecked</button> <small>New posts may not be in the records yet.</small>`;
  const insist = unchecked ? '' : form(request, { path: '/review', body });
  return html`<p><b>${count(lines.length, 'decision')} cannot be saved:</b></p><ul>${lines}</ul>${insist}`;
}

/** Values of the radio group: a verdict, with its id after a space. For `other`, the id is in a field of its own. */
export type ChoiceValue =
  | `${'posted' | 'generated'} ${string}`
  | 'posted-other'
  | 'generated-other'
  | 'not-posted'
  | 'not-generated'
  | '';

/** Most decisions in one form. */
export const mostChoices = 200;

type Place = Pick<Choice, 'campaign' | 'position' | 'revision'>;

export function placeOf({ campaign, position, revision }: ReviewItem): Place {
  return { campaign: campaign.id, position, revision };
}

/** Name of the radio group of a row. */
export function choiceField({ campaign, position, revision }: Place): string {
  return `d.${campaign}.${position}.${revision}`;
}

/** Name of the field for the id of `other`. */
export function idField(place: Place): string {
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
  const [kind, id] = at < 0 ? [value, typed.trim()] : [value.slice(0, at), value.slice(at + 1)];
  switch (kind) {
    case 'posted':
    case 'posted-other':
      return { kind: 'posted', postId: id };
    case 'generated':
    case 'generated-other':
      return { kind: 'generated', scheduleId: id };
    case 'not-posted':
    case 'not-generated':
      return { kind };
    default:
      return undefined;
  }
}

/** The value of the radio button for a verdict. */
export function choiceValue(verdict: Verdict): ChoiceValue {
  switch (verdict.kind) {
    case 'posted':
      return `posted ${verdict.postId}`;
    case 'generated':
      return `generated ${verdict.scheduleId}`;
    default:
      return verdict.kind;
  }
}
