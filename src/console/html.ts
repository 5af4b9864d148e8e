/** The HTML that pages are made of, and texts by people and the service in it. They may be in any language, or hostile. */
import { html } from 'hono/html';
import { printableLines, shortened } from '../manifest/printable.ts';

export { html };

/** Escaped HTML: the result of the `html` tag, which escapes every text. */
export type Html = ReturnType<typeof html>;

/** Longest text that a page shows, in UTF-16 units: a cell may hold much more. */
const longestShown = 5000;

/** With its language, for glyphs and voices. Shows characters that would hide or reverse text, and keeps its direction inside. */
export function words(text: string): Html | string {
  const cut = shortened(text, longestShown);
  if (/^[\n\x20-\x7e]*$/.test(cut)) return cut;
  const shown = printableLines(cut);
  return /\p{Script=Han}/u.test(shown) ? html`<bdi lang="zh">${shown}</bdi>` : html`<bdi>${shown}</bdi>`;
}
