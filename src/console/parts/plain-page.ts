/** Pages without a menu, for people who are not signed in and for outages. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { iconShapes, mark } from './icons.ts';
import type { LayoutFiles } from './layout.ts';

/** @param more `reloadSeconds`: the browser reloads the page after this time. `script`: address of the page's script. */
export function plainPage(
  files: Pick<LayoutFiles, 'mark' | 'style'>,
  title: string,
  body: Html,
  { reloadSeconds, script }: { readonly reloadSeconds?: number; readonly script?: string | undefined } = {},
): Html {
  const reload =
    reloadSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${reloadSeconds}">`;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${reload}
  <title>${title}</title>
  <link rel="icon" href="${files.mark}">
  <link rel="stylesheet" href="${files.style}">
  ${script === undefined ? '' : html`<script src="${script}" defer></script>`}
</head>
<body>
<main id="main">
${body}
</main>
${iconShapes()}
</body>
</html>
`;
}

export function brand(): Html {
  return html`<p class="brand">${mark()} Campaign runner</p>`;
}
