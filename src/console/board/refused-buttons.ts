/** Hides the board's buttons for changes that `changes.ts` refuses. The board has no option for that; the icons identify the buttons. The same stylesheet brings the font. */
import type { RequestHandler } from 'express';
import type { HttpContext } from '../http/context.ts';
import { boardSheet, withoutForeignFonts } from './look.ts';

const hidden = [
  // The menu of a queue: add job, concurrency, rate limit, empty, obliterate.
  ...['plus', 'chart-no-axes-gantt', 'gauge', 'trash-2', 'ban'].map(
    (icon) => `[role='menuitem']:has(> .lucide-${icon})`,
  ),
  // Jobs: duplicate, edit data, delay, priority, remove children.
  ...['files', 'pencil', 'clock', 'arrow-up-down', 'list-x'].map(
    (icon) => `[class*='jobActions'] > li:has(button > .lucide-${icon})`,
  ),
  // "Clean all" for jobs that have not ended.
  "section:not(:has([aria-current][href*='status=failed'], [aria-current][href*='status=completed'])) [class*='queueActions'] > li:has(button > .lucide-trash-2)",
  // "Promote" in the queue `campaign`, whose jobs wake by themselves.
  "section:has([aria-current][href*='/queue/campaign']) [class*='queueActions'] > li:has(button > .lucide-corner-up-left)",
  "section:has([href*='/queue/campaign']) [class*='jobActions'] > li:has(button > .lucide-corner-up-left)",
  // The rescuer's schedule: run, edit, remove.
  "[class*='actionsCell'] > button",
];

const styleSheet = `${hidden.join(',\n')} { display: none; }
[class*='badgeWrap'] > button { pointer-events: none; }
`;

/** Hides all buttons from viewers. */
const viewerSheet = `[class*='queueActions'], [class*='jobActions'], [role='menuitem'] { display: none; }
`;

/**
 * Serves the stylesheet and links it in every page of the board.
 * @param path of the board.
 */
export function hideRefusedButtons(
  path: string,
  { gate, files }: Pick<HttpContext, 'gate' | 'files'>,
): RequestHandler {
  const ofAll = boardSheet(files.font) + styleSheet;
  const file = '/console.css';
  const link = `<link href="${path}${file}" rel="stylesheet"></head>`;
  return async (request, response, next) => {
    if (request.path === file) {
      const admission = await gate.admit(request);
      const isViewer = admission.kind === 'admitted' && admission.person.role === 'viewer';
      const sheet = isViewer ? ofAll + viewerSheet : ofAll;
      return void response.type('css').set('cache-control', 'no-store').send(sheet);
    }
    const render = response.render.bind(response) as (
      view: string,
      values: object,
      done: (error: Error | null, html?: string) => void,
    ) => void;
    response.render = (view: string, values?: unknown) =>
      render(view, values as object, (error, html = '') => {
        if (error) next(error);
        else response.send(withoutForeignFonts(html).replace('</head>', link));
      });
    next();
  };
}
