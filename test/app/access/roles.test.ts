import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Right, whoMay } from '../../../src/app/access/roles.ts';
import { allOperations } from '../../../src/app/operations.ts';

/** The table of `docs/api.md`: who may call what, where reading is not for all users, or a change not for operators and admins. */
function tableOfExceptions(): string {
  const exceptions = allOperations.filter(
    ({ method, right }) => right !== (method === 'get' ? 'see' : 'run'),
  );
  const cells = [...Map.groupBy(exceptions, ({ right }) => right)].map(([right, operations]) => {
    const names = operations.map(({ id }) => `\`${id}\``).join(', ');
    return `| ${names} | ${right === 'see' ? 'all users' : whoMay(right)} |\n`;
  });
  return `| operations | who may |\n|---|---|\n${cells.join('')}\n`;
}

describe('roles', () => {
  it('may do what docs/api.md says', () => {
    const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const [, section = ''] = /## Who may what\n([\s\S]*?)\n## /.exec(page) ?? [];
    expect(section).toContain(tableOfExceptions());
  });

  it('docs/api.md names only calls that exist', () => {
    const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const place = (path: string) => path.replaceAll(/\{\w+\}|\b[A-Z]+\b/g, '*');
    const known = new Set(allOperations.map(({ method, path }) => `${method.toUpperCase()} ${place(path)}`));
    const named = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[^`?]+)/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.map(([, method, path = '']) => `${method} ${place(path)}`).filter((call) => !known.has(call)),
    ).toEqual([]);
  });

  it.each<[Right, string]>([
    ['see', 'viewers, editors, approvers, operators and admins'],
    ['comment', 'editors, approvers, operators and admins'],
    ['edit', 'editors, operators and admins'],
    ['approve', 'approvers, operators and admins'],
    ['run', 'operators and admins'],
    ['manage', 'admins'],
  ])('%s: %s', (right, who) => {
    expect(whoMay(right)).toBe(who);
  });
});
