import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { authorizationExpiredCode, productUnavailableCode } from '../../../src/api/contract/showcase.ts';
import { errorCodes, repairOf } from '../../../src/campaigns/causes/error-codes.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Codes that end no row: the first two pause their campaign, the third snoozes a queue, the others are of videos on the watch list. */
const ofNoRow = [
  'key_refused',
  'refused_for_everyone',
  'throttled',
  'video_gone',
  'account_unknown',
  'scrape_overlap',
  'other',
];

/** Codes as the sources spell them: a property `code`, or the name of an entry in the catalogue of media errors. */
function codesInSources(): ReadonlySet<string> {
  const files = globSync(['src/api/*.ts', 'src/processors/**/*.ts', 'src/ledger/lua/**/*.lua'], {
    cwd: project,
  });
  const sources = files.map((file) => readFileSync(`${project}/${file}`, 'utf8')).join('\n');
  const named = [...sources.matchAll(/\bcode(?:: string)? ?[=:](?: String\(code \?\?)? '([a-z_]+)'/g)];
  const orElse = [...sources.matchAll(/code \?\? '([a-z_]+)'/g)];
  const media = [
    ...readFileSync(`${project}/src/media/errors.ts`, 'utf8').matchAll(/^ {2}(media_[a-z_]+):/gm),
  ];
  const ended = [...sources.matchAll(/'(generation_[a-z]+)'/g)];
  return new Set([...named, ...orElse, ...media, ...ended].map(([, code = '']) => code));
}

/** The lines of the table of codes. */
function entriesInDocumentation(): readonly string[] {
  const page = readFileSync(`${project}/docs/runbook.md`, 'utf8');
  const [, section = ''] = /## Error codes of rows\n([\s\S]*?)\n(?:## |$)/.exec(page) ?? [];
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

/** The first column of the table of codes. */
function codesInDocumentation(): readonly string[] {
  return entriesInDocumentation().flatMap((line) =>
    [...(line.split(' | ')[0] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code),
  );
}

describe('codes of errors', () => {
  it('are those that the sources give rows', () => {
    const inSources = [...codesInSources()].filter((code) => !ofNoRow.includes(code));
    expect(inSources.toSorted()).toEqual(errorCodes.toSorted());
  });

  it('are all in docs/runbook.md, each once', () => {
    expect(codesInDocumentation().toSorted()).toEqual(errorCodes.toSorted());
  });

  it('have there a symptom, what to check, and what to do', () => {
    const cells = entriesInDocumentation().map((line) => line.slice(2, -2).split(' | '));
    expect(cells.filter((entry) => entry.length !== 6 || entry.includes(''))).toEqual([]);
  });

  it.for([
    ['service_unreachable', 'retry'],
    ['media_missing', 'retry'],
    ['http_400', 'mend'],
    ['50001', 'mend'],
    ['403', 'retry'],
    [String(productUnavailableCode), 'mend'],
    ['late', 'mend'],
    [String(authorizationExpiredCode), 'authorize'],
  ] as const)('%s: %s', ([code, repair]) => {
    expect(repairOf(code)).toBe(repair);
  });
});
