import { openRunner, type RunnerOptions } from '../in-process.ts';
import type { Cells } from '../sheets/sheet.ts';
import { openPages } from './console-pages.ts';

export const hostile = '<script>alert(1)</script>';
export const formula = '=HYPERLINK("http://x.example")';
export const turned = '\u202eliated';
export const refused = { operation: 'createCreatorPost', kind: 'status', status: 400, times: 1 } as const;
export const refusal = { code: 16001001, message: `the product is ${hostile}` };

export const steps = ['showcase', 'generate', 'poll', 'upload', 'post'] as const;

/** A campaign that has ended; the posts of its rows `f...` were refused once. */
export async function ended(rows: readonly Cells[], options: RunnerOptions = {}) {
  const runner = await openRunner({ queues: steps, ...options });
  for (const { key = '', caption = `Caption ${key}` } of rows) {
    if (!key.startsWith('f')) continue;
    runner.sandbox.faults.add({ ...refused, body: refusal, match: { title: caption } });
  }
  const id = await runner.importRows(rows);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  return { runner, id, pages: await openPages(runner) };
}

/** A campaign of which no row has begun. */
export async function waiting(rows: readonly Cells[]) {
  const runner = await openRunner({ queues: steps });
  const id = await runner.importRows(rows);
  return { runner, id, pages: await openPages(runner) };
}

export const page = (id: string, key: string, rest = '') =>
  `/campaigns/${id}/rows/${encodeURIComponent(key)}${rest}`;
