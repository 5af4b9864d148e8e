/** Buttons that choose for all rows on a page of `/review`. */
import { html } from 'hono/html';
import { kindOf } from '../../../campaigns/decisions/list-review.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { isNotFound } from '../../../campaigns/decisions/unproven.ts';
import { canLook } from '../../../campaigns/records.ts';
import type { Html } from '../../html.ts';
import { count, number } from '../../parts/numbers/numbers.ts';
import type { PageRequest } from '../../request.ts';

/** The buttons only choose: the page comes back with the choices, and nothing is sent. */
export function allAtOnce({ link, runtime }: PageRequest, items: readonly ReviewItem[]): Html {
  const absent = items.filter(isNotFound).length;
  const open = items.filter((item) => kindOf(item) === 'no-record' && !isNotFound(item));
  const unseen = open.filter(({ error }) => error.notedAt === undefined).length;
  const button = (value: string, text: string) =>
    html`<button formaction="${link('/review/all')}" name="all" value="${value}">${text}</button>`;
  const none =
    absent === 0 ? '' : button('no-record', `${count(absent, 'post')} not found in the records: not there`);
  const why =
    open.length === 0
      ? ''
      : html`<p class="note">${count(open.length, 'post')} can only be decided one by one: ${whyOneByOne(open.length, unseen, canLook(runtime))}</p>`;
  return html`<p class="actions"><span class="note">All at once:</span> ${none} ${button('later', 'None decided')}</p>${why}`;
}

/** @param unseen rows that no look has a result for. */
function whyOneByOne(rows: number, unseen: number, canLook: boolean): string {
  if (!canLook) return 'the publishing records cannot be read here.';
  const those = unseen === rows ? '' : ` for ${number(unseen)} of them`;
  if (unseen > 0) return `nobody has looked in the records${those} yet, or they could not be read. Look now.`;
  return 'the last look does not prove that they are not there. Each row shows what was found.';
}
