import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from './events.ts';
import { guards } from './guards.ts';

const root = join(import.meta.dirname, '../..');

const named = [
  ...Object.entries(guards),
  ...Object.entries(rules).flatMap(([name, { source }]) => (source ? [[name, source] as const] : [])),
];

// If it fails, the rule has changed: change the model with it.
it.each(named)('%s is still the line that the model names', (_, [file, line]) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(line);
});
