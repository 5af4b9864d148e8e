import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from './events.ts';
import { guards } from './guards.ts';
import { rules as spendingRules } from './spending/events.ts';
import { guards as spendingGuards } from './spending/guards.ts';

const root = join(import.meta.dirname, '../..');

const named = [
  ...[guards, spendingGuards].flatMap((each) => Object.entries(each)),
  ...[rules, spendingRules]
    .flatMap((each) => Object.entries(each))
    .flatMap(([name, { source }]) => (source ? [[name, source] as const] : [])),
];

// If it fails, the rule has changed: change the model with it.
it.each(named)('%s is still the line that the model names', (_, [file, line]) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(line);
});
