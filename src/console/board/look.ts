/** How Bull Board looks: with the console's colors, font and mark, and a way back to it. */
import { readFileSync } from 'node:fs';
import type { ThemeTokenName, UIConfig } from '@bull-board/api/typings/app';
import { queueTitles } from '../pages/queues/rate-limits.ts';
import type { LayoutFiles } from '../parts/layout.ts';

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

/** @param base path of the console. */
export function boardLook({ mark }: Pick<LayoutFiles, 'mark'>, base: string): UIConfig {
  const [light = '', dark = ''] = readFileSync(
    new URL('../assets/styles/tokens.css', import.meta.url),
    'utf8',
  ).split('@media (prefers-color-scheme: dark)');
  return {
    boardTitle: 'Queues',
    boardLogo: { path: mark, width: 20, height: 20 },
    favIcon: { default: mark, alternative: mark },
    miscLinks: [{ text: 'Back to the console', url: `${base}/queues` }],
    hideDocsLink: true,
    theme: { light: themeOf(light), dark: themeOf(dark) },
  };
}

/** @param sheet with the tokens of one color scheme. */
function themeOf(sheet: string): Partial<Record<ThemeTokenName, string>> {
  const colors = new Map(
    sheet.split('\n').map((line) => {
      const [name = '', color = ''] = line.trim().split(': ');
      return [name.slice('--'.length), color.replace(';', '')];
    }),
  );
  const own = Object.entries(tokens).map(([token, name]) => [token, colors.get(name)]);
  return { ...Object.fromEntries(own), radius: '6px', 'font-sans': sans };
}

const family = 'Inter Variable';
const sans = `"${family}", system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`;

/** @returns a page of the board without its link to the fonts of another site. */
export function withoutForeignFonts(page: string): string {
  const start = page.indexOf('<link href="https://fonts.');
  return start < 0 ? page : page.slice(0, start) + page.slice(page.indexOf('>', start) + 1);
}

/** The part of the look that the board has no option for. @param font address of the console's font. */
export function boardSheet(font: string): string {
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
${titles.join('')}`;
}
