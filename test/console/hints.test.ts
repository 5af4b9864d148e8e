/** Each surface says what to do in its own words, and the API gives programs the hints themselves. */
import { describe, expect, it } from 'vitest';
import { cureHere } from '../../src/cli/hints.ts';
import { cureInAnswer, withCures } from '../../src/console/api/hints.ts';
import { cureOnDraft, cureOnPage } from '../../src/console/hints.ts';
import { problemOf } from '../../src/console/http/problem.ts';
import { readTime } from '../../src/manifest/cells/time.ts';
import { matchHeader } from '../../src/manifest/headers/header.ts';
import { type Cure, hint, hintsOf, plainCure, storedHint } from '../../src/manifest/problems/hint.ts';
import { UseCaseError } from '../../src/manifest/problems/use-case-error.ts';

const inApi = (cure: Cure) => cureInAnswer('/campaigns', cure).cure;
const inDrafts = (cure: Cure) => cureInAnswer('/drafts/{id}', cure).cure;

it('an unknown column', () => {
  const { problems } = matchHeader(['Wer'], { allowUnknownColumns: false, allowResultsSheet: false });
  const cure = problems.find(({ code }) => code === 'unknown_column')?.cure ?? '';
  expect(plainCure(cure)).toBe('Remove it.');
  expect(cureHere(cure)).toContain('Or map it (--map Wer=COLUMN).');
  expect(cureOnPage(cure)).toContain('Or import the sheet as a new campaign');
  expect(cureOnDraft(cure)).toContain('Or say what it is under Columns.');
  expect(inApi(cure)).toContain('Or map it (map: "Wer=COLUMN").');
  expect(inDrafts(cure)).toContain('Or map it (map: { "Wer": "COLUMN" }).');
});

it('a time without a zone', () => {
  const read = readTime('2031-03-12 18:00', null);
  const cure = 'fault' in read ? read.fault.cure : '';
  expect(cureHere(cure)).toMatch(/or add an offset to the time\. Or give --timezone Asia\/Shanghai\.$/);
  expect(cureOnPage(cure)).toMatch(/or add an offset to the time\.$/);
  expect(cureOnDraft(cure)).toMatch(/Or choose the zone under Times\.$/);
  expect(inApi(cure)).toMatch(/Or give the field timezone, such as Asia\/Shanghai\.$/);
});

describe('a cure', () => {
  const cure = ['Fix it.', hint('deleteAnyway'), hint('list', { what: 'campaigns' }), 'Then try again.'];

  it('has commands on lines of their own, in the order of its parts', () => {
    expect(cureHere(cure)).toBe(
      'Fix it. Or delete it anyway with --force.\nSee all campaigns:\ncampaigns list\nThen try again.',
    );
  });

  it('leaves out what a surface has no words for', () => {
    expect(cureOnPage(cure)).toBe('Fix it. Then try again.');
    expect(cureInAnswer('/campaigns', [hint('deleteAnyway')])).toEqual({
      hints: [{ action: 'deleteAnyway', params: {} }],
    });
  });
});

it('a problem of the API has the hints of an error as data', () => {
  const error = new UseCaseError('manifest_known', 'it was imported before', {
    cure: [hint('retry', { campaign: 'c1' })],
  });
  expect(problemOf(error)).toMatchObject({
    detail: 'It was imported before.',
    cure: 'To retry: POST /campaigns/c1/retry',
    hints: [{ action: 'retry', params: { campaign: 'c1' } }],
  });
});

it('a document keeps everything but its cures', () => {
  const value = {
    id: 'c1',
    cells: ['--map'],
    problems: [
      { cure: [hint('postAgain')], value: '--again' },
      { cure: 'Shorten it.', value: '' },
    ],
  };
  expect(withCures('/checks', value)).toEqual({
    id: 'c1',
    cells: ['--map'],
    problems: [
      {
        cure: 'To post it again, send again=true.',
        hints: [{ action: 'postAgain', params: {} }],
        value: '--again',
      },
      { cure: 'Shorten it.', value: '' },
    ],
  });
});

it.each([
  { action: 'rate', params: {} },
  { action: 'rate', params: { operation: 1 } },
  { action: 'constructor', params: {} },
])('a stored hint is read only in its own form: %j', (stored) => {
  const [own] = hintsOf([hint('rate', { operation: 'listVideos' })]);
  expect(storedHint.safeParse(own).success).toBe(true);
  expect(storedHint.safeParse(stored).success).toBe(false);
});
