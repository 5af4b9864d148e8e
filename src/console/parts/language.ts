/** Marks Chinese text, so that browsers choose the right glyphs and voices. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** Text of people or of the service, in its own language. */
export function words(text: string): Html | string {
  return /\p{Script=Han}/u.test(text) ? html`<span lang="zh">${text}</span>` : text;
}
