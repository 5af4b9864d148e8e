/** Pages for what is not done: refused by a use case, not allowed, or asked by a form that is too old. */
import { html } from 'hono/html';
import { cureFor } from '../cures.ts';
import { csrfField } from '../parts/form.ts';
import { keptForm } from '../parts/kept-form.ts';
import { empty } from '../parts/points.ts';
import type { Page, PageRequest } from '../request.ts';

export function refusal(status: number, what: string, cure: string | undefined): Page {
  const said = cure && cureFor('page', cure);
  const rest = said ? html`<p class="cure-text">${said}</p>` : '';
  return {
    kind: 'page',
    title: what,
    section: '',
    status,
    main: html`<h1>${headOf(status)}</h1>${empty(html`<b>${what}</b>`, rest)}`,
  };
}

function headOf(status: number): string {
  if (status === 404) return 'Not found';
  return status === 403 ? 'Not allowed' : 'Nothing was changed';
}

const tooOldTitle = 'This form is too old';

/** It stood open while its session ended or the console was restarted. What was typed goes on with a fresh proof, if somebody says so. */
export function tooOld({ form, sheet, csrf, link, path }: PageRequest): Page {
  // A file is not sent back.
  if (sheet !== undefined || form.size === 0) {
    const cure = 'Nothing was changed. Go back, load the page again, and send it once more.';
    return refusal(403, tooOldTitle, cure);
  }
  const fields = new URLSearchParams(form);
  fields.delete('password');
  fields.set(csrfField, csrf);
  const said =
    'Somebody signed in or out, or the console was restarted, since its page was loaded. Nothing was changed. This is what you typed:';
  return {
    kind: 'page',
    title: tooOldTitle,
    section: '',
    status: 403,
    main: keptForm({ link, to: path, title: tooOldTitle, said, fields }),
  };
}
