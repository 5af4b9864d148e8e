/** Pages for refusals: by a use case, for lack of rights, or because the form is too old. */

import type { Cure } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { capitalized, sentence } from '../../manifest/wording.ts';
import { cureOnPage } from '../hints.ts';
import { html } from '../html.ts';
import { empty } from '../parts/blocks.ts';
import { csrfField } from '../parts/form.ts';
import { keptForm } from '../parts/kept-form.ts';
import type { Page, PageRequest } from '../request.ts';
import { HttpProblem, statusOfError } from './problem.ts';

/** @param isChange whether the request was to change something, not only to show a page. @returns undefined for a defect or an outage. */
export function refusalPage(request: PageRequest, error: unknown, isChange: boolean): Page | undefined {
  if (error instanceof HttpProblem) {
    if (error.code === 'proof_missing') return tooOld(request);
    return refusal(request, error.status, error.message, 'Ask an operator, or sign in as one.', isChange);
  }
  if (!(error instanceof UseCaseError)) return undefined;
  return refusal(request, statusOfError(error.code), error.message, error.cure, isChange);
}

function refusal(
  { link }: Pick<PageRequest, 'link'>,
  status: number,
  message: string,
  cure: Cure | undefined,
  isChange: boolean,
): Page {
  const what = sentence(capitalized(message));
  const said = cureOnPage(cure);
  const onward = isChange
    ? ''
    : html`<p class="actions"><a class="button" href="${link('/campaigns')}">All campaigns</a></p>`;
  const rest = html`${said ? html`<p class="cure-text">${said}</p>` : ''}${onward}`;
  return {
    kind: 'page',
    title: what,
    section: '',
    status,
    main: html`<h1>${headOf(status, isChange)}</h1>${empty(html`<b>${what}</b>`, rest)}`,
  };
}

function headOf(status: number, isChange: boolean): string {
  if (status === 404) return 'Not found';
  if (status === 403) return 'Not allowed';
  return isChange ? 'Nothing was changed' : 'This cannot be shown';
}

const tooOldTitle = 'This form is too old';

/** A form that was open while its session ended or the console restarted. The page shows what was typed, with a fresh CSRF token. */
function tooOld(request: PageRequest): Page {
  const { form, sheet, csrf, link, path } = request;
  // A file is not sent back.
  if (sheet !== undefined || form.size === 0) {
    const cure = 'Nothing was changed. Go back, load the page again, and send it once more.';
    return refusal(request, 403, tooOldTitle, cure, true);
  }
  const fields = new URLSearchParams(form);
  fields.delete('password');
  fields.set(csrfField, csrf);
  const said =
    'You signed in or out, or the console was restarted, since this page was loaded. Nothing was changed. This is what you typed:';
  return {
    kind: 'page',
    title: tooOldTitle,
    section: '',
    status: 403,
    main: keptForm({ link, to: path, title: tooOldTitle, said, fields }),
  };
}
