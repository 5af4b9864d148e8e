/** Comments on a post, the oldest first. */
import type { Comment } from '../../ledger/rows/histories.ts';
import { type Html, html, words } from '../html.ts';
import { moment } from './numbers.ts';

export function commentLines(comments: readonly Comment[], zone: string, now: number): Html {
  return html`<ol class="comments">${comments.map(
    ({ by, at, text, isGuest }) =>
      html`<li><b>${words(by)}</b>${isGuest && ' (client)'} <time>${moment(at, zone, now)}</time><p>${words(text)}</p></li>`,
  )}</ol>`;
}
