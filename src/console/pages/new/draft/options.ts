/** Name, account, canary, and what becomes of rows with problems. */
import { html } from 'hono/html';
import { defaultAccount } from '../../../../../config/access.ts';
import type { DraftOptions } from '../../../../campaigns/drafts/draft.ts';
import { manifestName } from '../../../../campaigns/hand-in/manifest-file.ts';
import type { Html } from '../../../html.ts';
import { count } from '../../../parts/numbers.ts';
import { draftPath } from './address.ts';
import type { ShownDraft } from './shown.ts';

/** Fields of the form that starts the campaign. */
export function optionsSection({ request, view, checked, typed }: ShownDraft): Html {
  const { options, sheet, id } = view.draft;
  const { names } = request.runtime.accounts;
  const name = typed?.get('name') ?? options.name ?? checked.name ?? manifestName(sheet?.name ?? '');
  const field = (key: string, value: number | undefined) => typed?.get(key) ?? String(value ?? '');
  const account = typed?.get('account') ?? options.account ?? defaultAccount;
  return html`<section aria-labelledby="options">
    <div class="section"><h2 id="options">Options</h2></div>
    <div class="options">
      <label for="name">Name</label> <input id="name" name="name" value="${name}" maxlength="200" dir="auto">
      ${
        names.length > 1
          ? html`<label for="account">Account</label> <select id="account" name="account">${names.map((each) => html`<option${each === account ? html` selected` : ''}>${each}</option>`)}</select>`
          : ''
      }
      <label for="canary">Canary</label> <p><input id="canary" name="canary" type="number" min="1" value="${field('canary', options.canary)}"> rows first, then wait for me</p>
      <label for="stop">Stop after</label> <p><input id="stop" name="stop" type="number" min="1" max="100" value="${field('stop', options.stopAfter)}"> % failed or in doubt</p>
      <span>Faulty rows</span> <p><input type="hidden" name="skip" value="no"><label><input type="checkbox" name="skip" value="yes"${leavesOut(options) ? html` checked` : ''}> ${checked.refused === 0 ? 'Leave out rows with problems' : `Leave out the ${count(checked.refused, 'row')} above. The download has them, with their problems`}</label></p>
    </div>
    <p class="actions after"><button formaction="${request.link(draftPath(id, '/options'))}">Save the options</button></p>
  </section>`;
}

/** Rows with problems are left out unless somebody wants all or none. */
export function leavesOut({ leaveOutProblems }: DraftOptions): boolean {
  return leaveOutProblems ?? true;
}

/** @returns undefined for a number that is none; the form says so by its bounds. */
function whole(text: string | null, most: number): number | undefined {
  const value = Number(text ?? '');
  return text !== null && text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= most
    ? value
    : undefined;
}

export function readOptions(form: URLSearchParams): DraftOptions {
  const name = (form.get('name') ?? '').trim().slice(0, 200);
  const account = form.get('account') ?? '';
  return {
    ...(name === '' ? {} : { name }),
    ...(account === '' || account === defaultAccount ? {} : { account: account.slice(0, 100) }),
    ...optional('canary', whole(form.get('canary'), Number.MAX_SAFE_INTEGER)),
    ...optional('stopAfter', whole(form.get('stop'), 100)),
    leaveOutProblems: form.getAll('skip').includes('yes'),
  };
}

function optional<Name extends string>(name: Name, value: number | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Each in Name]?: number };
}
