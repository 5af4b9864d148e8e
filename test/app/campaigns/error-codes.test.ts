import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repairOf } from '../../../src/app/campaigns/repair.ts';
import { rowErrorCodes } from '../../../src/manifest/problems/error-codes.ts';
import { authorizationExpiredCode, productUnavailableCode } from '../../../src/service/contract/creators.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** The lines of the tables of codes. */
function entriesInDocumentation(): readonly string[] {
  const page = readFileSync(`${project}/docs/runbook.md`, 'utf8');
  const [, section = ''] = /## Error codes of rows\n([\s\S]*?)\n(?:## |$)/.exec(page) ?? [];
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

/** The first columns of the tables of codes. */
function codesInDocumentation(): readonly string[] {
  return entriesInDocumentation().flatMap((line) =>
    [...(line.split(' | ')[0] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code),
  );
}

describe('codes of errors', () => {
  it('are all in docs/runbook.md, each once', () => {
    expect(codesInDocumentation().toSorted()).toEqual(rowErrorCodes.toSorted());
  });

  it('have there what happened, and what to do', () => {
    const cells = entriesInDocumentation().map((line) => line.slice(2, -2).split(' | '));
    expect(cells.filter((entry) => entry.length !== 3 || entry.includes(''))).toEqual([]);
  });

  it.for([
    ['service_unreachable', 'retry'],
    ['media_missing', 'retry'],
    ['http_400', 'edit'],
    ['50001', 'edit'],
    ['403', 'retry'],
    [String(productUnavailableCode), 'edit'],
    ['late', 'edit'],
    [String(authorizationExpiredCode), 'authorize'],
  ] as const)('%s: %s', ([code, repair]) => {
    expect(repairOf(code)).toBe(repair);
  });
});
