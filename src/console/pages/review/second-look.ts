/** The confirmation of decisions: shows the effect of each before anything is sent. */
import { html } from 'hono/html';
import { type ChoiceOutcome, decideChosen } from '../../../campaigns/decisions/decide-row.ts';
import { verdictText } from '../../../campaigns/decisions/decision.ts';
import type { RowState } from '../../../ledger/states.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import { stateBadge } from '../../parts/state.ts';
import type { Answer, PageRequest, Redirect } from '../../request.ts';
import { rowPath } from '../row/address.ts';
import { choiceField, choiceValue, readChoices } from './choices.ts';

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
  const refused = outcomes.filter(({ end }) => end.kind === 'refused');
  const again = planned.filter(({ choice }) => choice.verdict.kind.startsWith('not-'));
  const save = html`${hidden(request, planned)}
    ${again.length === 0 ? '' : looked(again)}
    <p class="note">If a row changes meanwhile, its decision is not saved, and you see a message.</p>
    <p class="actions">${wayBack(request, back, 'Back')} ${planned.length === 0 ? '' : html`<button class="primary">Save ${count(planned.length, 'decision')}</button>`}</p>`;
  const body = html`
    ${planned.length === 0 ? '' : html`<table><tbody>${planned.map(plannedLine)}</tbody></table>`}
    ${refused.length === 0 ? '' : refusals(request, outcomes, refused, unchecked)}
    ${form(request, { path: '/review/decide', body: save })}`;
  return {
    kind: 'question',
    title: `Save ${count(planned.length, 'decision')}?`,
    section: '/review',
    body,
  };
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
  return {
    kind: 'redirect',
    to: afterwards(request, decided),
    notice: {
      state: decided.length === 0 ? 'failed' : refused.length > 0 ? 'warning' : 'done',
      text: `${count(decided.length, 'decision')} saved.`,
      more: [...saved, ...refused].join(' ') || undefined,
    },
  };
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

function hidden(request: PageRequest, outcomes: readonly ChoiceOutcome[], unchecked?: boolean): Html {
  const kept = ['row-campaign', 'row-key', ...(unchecked === undefined ? ['unchecked'] : [])].flatMap(
    (name) => {
      const value = request.form.get(name);
      return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
    },
  );
  return html`${kept}${outcomes.map(
    ({ choice }) =>
      html`<input type="hidden" name="${choiceField(choice)}" value="${choiceValue(choice.verdict)}">`,
  )}`;
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
function looked(again: readonly ChoiceOutcome[]): Html {
  const many = again.length;
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
  refused: readonly ChoiceOutcome[],
  unchecked: boolean,
): Html {
  const lines = refused.map(({ key, end }) =>
    end.kind === 'refused' ? html`<li><code>${words(key)}</code>: ${words(end.fault.message)}</li>` : '',
  );
  const insist = unchecked
    ? ''
    : form(request, {
        path: '/review',
        body: html`${hidden(request, outcomes, true)}<input type="hidden" name="unchecked" value="yes"><button>Accept the ids unchecked</button> <small>New posts may not be in the records yet.</small>`,
      });
  return html`<p><b>${count(refused.length, 'decision')} cannot be saved:</b></p><ul>${lines}</ul>${insist}`;
}
