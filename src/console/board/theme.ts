/** How Bull Board looks: with the console's colors, font and mark, a way back to it, and without the buttons that are refused. */

import { readFileSync } from 'node:fs';
import type { ThemeTokenName, UIConfig } from '@bull-board/api/typings/app';
import type { RequestHandler } from 'express';
import { mayDo } from '../../app/access/roles.ts';
import type { FileAddress } from '../assets/assets.ts';
import type { HttpContext } from '../http/context.ts';
import { queueTitles } from '../pages/queues/rate-limits.ts';

/** Which token of the console each one of the board is. Text in the color of a state must be readable, so it has none of the fills. */
const tokens: Readonly<Partial<Record<ThemeTokenName, string>>> = {
  background: 'paper',
  foreground: 'ink',
  card: 'card',
  'card-foreground': 'ink',
  popover: 'card',
  'popover-foreground': 'ink',
  primary: 'ink',
  'primary-foreground': 'paper',
  secondary: 'sunk',
  'secondary-foreground': 'ink',
  muted: 'sunk',
  'muted-foreground': 'ink-2',
  accent: 'sunk',
  'accent-foreground': 'ink',
  'state-hover': 'sunk',
  'state-selected': 'idle-tint',
  'state-selected-hover': 'idle-tint',
  'state-selected-foreground': 'ink',
  destructive: 'bad',
  'destructive-foreground': 'paper',
  border: 'line',
  input: 'edge',
  ring: 'focus',
  sidebar: 'card',
  'sidebar-foreground': 'ink-2',
  'sidebar-primary': 'ink',
  'sidebar-primary-foreground': 'paper',
  'sidebar-accent': 'sunk',
  'sidebar-accent-foreground': 'ink',
  'sidebar-state-hover': 'sunk',
  'sidebar-state-selected': 'idle-tint',
  'sidebar-state-selected-hover': 'idle-tint',
  'sidebar-state-selected-foreground': 'ink',
  'sidebar-border': 'line',
  'sidebar-ring': 'focus',
  'status-failed': 'bad',
  'status-completed': 'good',
  'status-waiting': 'doubt',
  'status-waiting-children': 'doubt',
  'status-prioritized': 'held',
  'status-active': 'busy',
  'status-delayed': 'held',
  'status-paused': 'idle',
};

export function boardLook(files: FileAddress): UIConfig {
  const mark = files('mark.svg');
  const sheet = readFileSync(new URL('../assets/styles/tokens.css', import.meta.url), 'utf8');
  const form = /^ {2}--([\w-]+): light-dark\((#\w+), (#\w+)\);$/;
  const colors = sheet.split('\n').map((line) => form.exec(line) ?? []);
  return {
    boardTitle: 'Queues',
    boardLogo: { path: mark, width: 20, height: 20 },
    favIcon: { default: mark, alternative: mark },
    hideDocsLink: true,
    theme: {
      light: themeOf(new Map(colors.map(([, name = '', light = '']) => [name, light]))),
      dark: themeOf(new Map(colors.map(([, name = '', , dark = '']) => [name, dark]))),
    },
  };
}

/** @param colors of one scheme, by the name of their token. */
function themeOf(colors: ReadonlyMap<string, string>): Partial<Record<ThemeTokenName, string>> {
  const own = Object.entries(tokens).map(([token, name]) => [token, colors.get(name)]);
  return { ...Object.fromEntries(own), radius: '6px', 'font-sans': sans };
}

const family = 'Inter Variable';
const sans = `"${family}", system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`;

/** @returns a page of the board without its link to the fonts of another site. */
function withoutForeignFonts(page: string): string {
  const start = page.indexOf('<link href="https://fonts.');
  return start < 0 ? page : page.slice(0, start) + page.slice(page.indexOf('>', start) + 1);
}

/** The part of the look that the board has no option for. @param font address of the console's font. */
function boardSheet(font: string): string {
  // The menu shows the names of queues, where all else shows their titles.
  const titles = Object.entries(queueTitles).map(([name, title]) => {
    const shown = `[title='${name}'] > [class*='queueName']`;
    return `${shown} { font-size: 0; }\n${shown}::after { content: '${title}'; font-size: 0.9rem; }\n`;
  });
  return `@font-face {
  font-family: "${family}";
  src: url("${font}") format("woff2");
  font-weight: 100 900;
  font-display: swap;
}
.back { position: fixed; top: 1rem; right: 8rem; z-index: 99; padding: 0.25rem 0.75rem; border: 1px solid var(--border); border-radius: 6px; font-size: 0.875rem; font-weight: 500; color: inherit; text-decoration: none; }
[class*='statusTabs'] [data-text] { text-transform: lowercase; letter-spacing: 0; }
${titles.join('')}`;
}

/** Buttons for changes that `guard.ts` refuses. The board has no option for that; the icons identify the buttons. */
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
  // The whole screen, which browsers have a key for, and the person, whose menu would be empty.
  ...['maximize', 'circle-user'].map((icon) => `header li:has(> button > .lucide-${icon})`),
];

const styleSheet = `${hidden.join(',\n')} { display: none; }
[class*='badgeWrap'] > button { pointer-events: none; }
`;

const viewerSheet = `[class*='queueActions'], [class*='jobActions'], [role='menuitem'] { display: none; }
`;

/** Links it in every page of the board, too, with a way back to the console. @param path of the board. @param base of the console. */
export function hideRefusedButtons(
  path: string,
  base: string,
  { gate, files }: Pick<HttpContext, 'gate' | 'files'>,
): RequestHandler {
  const ofAll = boardSheet(files('inter.woff2')) + styleSheet;
  const file = '/console.css';
  const link = `<link href="${path}${file}" rel="stylesheet"></head>`;
  const back = `<a class="back" href="${base}/queues">Back to the console</a></body>`;
  return async (request, response, next) => {
    if (request.path === file) {
      const admission = await gate.admit(request);
      const isViewer = admission.kind === 'admitted' && !mayDo(admission, 'run');
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
        else response.send(withoutForeignFonts(html).replace('</head>', link).replace('</body>', back));
      });
    next();
  };
}
