/** Causes in the words of planners. The heading says what happened to the rows; the words of the service stand below it. */
import { html } from 'hono/html';
import { authorizationExpiredCode, productUnavailableCode } from '../../../../api/contract/showcase.ts';
import type { Cause } from '../../../../campaigns/causes/causes.ts';
import { sentence } from '../../../../runtime/wording.ts';
import type { Html } from '../../../html.ts';
import { words } from '../../../parts/language.ts';
import { count } from '../../../parts/numbers/numbers.ts';
import { plainMessage, wordsOfService } from './said.ts';

/** Titles of codes whose message is not a short sentence. */
const titles: ReadonlyMap<string, string> = new Map([
  [String(productUnavailableCode), 'A product is not available'],
  ['outcome_unknown', 'The service did not answer'],
  ['records_lost', 'Redis lost the records of what was sent'],
  ['posted_twice', 'Posted twice: delete one post in the app'],
  ['post_of_another_row', 'The service named a post of another row'],
  ['sent_too_late', 'This machine stood still before it sent the call'],
  ['malformed_answer', 'The service gave an answer that cannot be read'],
  ['server_error', 'The service had an error'],
  ['service_unreachable', 'The service could not be reached'],
  ['showcase_refused', 'A product was not added to the showcase'],
  ['generation_failed', 'The AI generation failed'],
  ['generation_cancelled', 'The AI generation was cancelled'],
  ['generation_expired', 'The AI generation expired'],
  ['poll_deadline', 'The AI generation was not complete in time'],
  ['poll_refused', 'The service does not give the result of the AI generation'],
  ['late', 'The scheduled time has passed'],
  ['media_missing', 'A media file is gone'],
  ['media_empty', 'A media file is empty'],
  ['media_too_large', 'A media file is too large'],
  ['media_cover_too_large', 'A cover is too large'],
  ['media_changed', 'A media file was changed'],
  ['media_download_failed', 'A download failed'],
  ['media_download_refused', 'A download was refused'],
  ['upload_failed', 'The upload failed'],
  ['upload_url_expired', 'The upload failed'],
  ['publishing_failed', 'The post was not published'],
  ['post_unread', 'An earlier post could not be looked up'],
]);

/** Codes of rows in review whose own title says more than that the outcome is unknown. */
const saysMore: ReadonlySet<string> = new Set([
  'poll_deadline',
  'poll_refused',
  'late',
  'posted_twice',
  'post_of_another_row',
]);

/** The parts of a cause, or of the error of one row, that make a title. */
type Told = Pick<Cause, 'state' | 'code' | 'rows' | 'subjects' | 'message'>;

/** The title of a known code; undefined if only the message tells. */
function knownTitle({ state, code, rows, subjects }: Told): string | undefined {
  if (state === 'review' && !saysMore.has(code)) {
    return `Nobody can tell what became of ${rows === 1 ? 'it' : 'them'}`;
  }
  if (code !== String(authorizationExpiredCode)) return titles.get(code);
  const [creator] = subjects;
  const whose = subjects.length === 1 && creator !== undefined ? creator : 'creators';
  return `The authorization of ${whose} has expired`;
}

/** `The AI generation failed`. */
export function titleOf(cause: Told): string {
  const isRefusal = wordsOfService(cause.message) !== undefined;
  return knownTitle(cause) ?? (isRefusal ? 'The service refused the call' : plainMessage(cause.message));
}

/** The words of the service or the runner, unless the title says the same. */
export function detailOf(cause: Told): Html | string {
  const service = wordsOfService(cause.message);
  if (service !== undefined) return html`The service says: <q>${words(service)}</q> `;
  return knownTitle(cause) === undefined ? '' : html`${words(sentence(plainMessage(cause.message)))} `;
}

/** The cause in a list to choose from: `The AI generation failed (3)`. If the title would be a long message, the code stands in. */
export function optionOf(code: string, causes: readonly Cause[]): string {
  const same = causes.filter((cause) => cause.code === code);
  const [first] = same;
  if (first === undefined) return code;
  const rows = same.reduce((sum, cause) => sum + cause.rows, 0);
  const about = same.some(({ isEstimate }) => isEstimate) ? 'about ' : '';
  return `${knownTitle(first) ?? code} (${about}${count(rows, 'row')})`;
}
