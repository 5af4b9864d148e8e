/** Marks Chinese text, so that browsers choose the right glyphs and voices. */
import { html } from 'hono/html';
import { presentableLines } from '../../manifest/presentable.ts';
import type { Html } from '../html.ts';

/** Text of people or of the service, in its own language. */
export function words(text: string): Html | string {
  return /\p{Script=Han}/u.test(text) ? html`<span lang="zh">${text}</span>` : text;
}

/** Longest text that a page shows, in UTF-16 units: a cell may hold much more. */
const longestShown = 5000;

/** As `words`, for text that may be hostile: shows characters that would hide or turn other text, and keeps the direction to itself. */
export function written(text: string): Html {
  const shown = presentableLines(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
  return html`<bdi>${words(shown)}</bdi>`;
}
