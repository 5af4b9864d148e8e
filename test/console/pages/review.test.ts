import { describe, expect, it } from 'vitest';
import { openReview, postOf, type ReviewCampaign, scheduleIn } from '../../campaigns/decisions/review.ts';
import { openPages, type Pages } from '../../support/console/console-pages.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const records = { api: { listPosts: listPostsSetting() } };
const hostile = '<script>alert(1)</script>';
const turned = '\u202eabc';

/** Looks for rows in records that have no posts, so late that each should have appeared. */
async function findNothing(
  { review, pages }: { readonly review: ReviewCampaign; readonly pages: Pages },
  rows: readonly number[],
) {
  review.clock.ahead = 300_000;
  const body = { code: 0, message: 'ok', data: { list: [], totalPages: 1 } };
  review.sandbox.faults.add({
    operation: 'listPosts',
    kind: 'status',
    status: 200,
    body,
    times: rows.length,
  });
  for (const row of rows) await pages.post('/review/look', { row: `${review.id}.${row}` });
}

/** Names of the radio groups on a page, in order. */
function groups(html: string): readonly string[] {
  return [...new Set([...html.matchAll(/type="radio"[^>]*name="([^"]+)"/g)].map(([, name = '']) => name))];
}

async function open(settings = {}, more: Parameters<typeof openReview>[1] = []) {
  const review = await openReview(settings, more);
  const pages = await openPages(review);
  return { review, pages };
}

/** The name of the radio group of a row. */
function groupOf({ id }: ReviewCampaign, row: number, revision = 0): string {
  return `d.${id}.${row}.${revision}`;
}

/** Confirms what the second look shows. */
function confirm(pages: Pages, fields: Readonly<Record<string, string>>) {
  return pages.post('/review/decide', { ...fields, looked: 'yes' });
}

describe('the list of rows in review', () => {
  it('without a choice asks for one, in a dialog as well', async () => {
    const { pages } = await open();
    const { text } = await pages.post('/review', {});
    expect(text).toContain('Nothing is decided yet');
    const [, proof = ''] = /name="_csrf" value="([^"]*)"/.exec((await pages.get('/queues')).html) ?? [];
    const part = await fetch(`${pages.url}/review`, {
      method: 'POST',
      headers: { origin: pages.url, 'hx-request': 'true' },
      body: new URLSearchParams({ _csrf: proof }),
    });
    const shown = await part.text();
    expect(shown).toContain('Nothing is decided yet');
    expect(shown).not.toContain('<html');
  });

  it('shows each row, and nothing is decided', async () => {
    const { review, pages } = await open();
    const { html, text } = await pages.get('/review');
    expect(text).toContain('4 rows. Outcome unknown: they may already exist.');
    expect(groups(html)).toEqual([0, 1, 2, 3].map((row) => groupOf(review, row)));
    const checked = [...html.matchAll(/type="radio"[^>]*value="([^"]*)" checked/g)].map(([, value]) => value);
    expect(checked).toEqual(['', '', '', '']);
  });

  it.each([
    ['what=generation', [3]],
    ['what=no-record', [0, 1, 2]],
    ['what=records', []],
    ['creator=demo_anna', [0, 1]],
    ['campaign=c99', []],
  ])('is filtered by %s', async (query, rows) => {
    const { review, pages } = await open();
    const { html } = await pages.get(`/review?${query}`);
    expect(groups(html)).toEqual(rows.map((row) => groupOf(review, row)));
  });

  it('goes on at the place that a page names', async () => {
    const { review, pages } = await open();
    const { html, text } = await pages.get(`/review?from=${review.id}.2&before=2`);
    expect(groups(html)).toEqual([2, 3].map((row) => groupOf(review, row)));
    expect(text).toContain('3 to 4 of 4');
    expect(html).toMatch(/href="\/review">First page/);
  });

  it('keeps to the rows that were chosen when a button decides for all', async () => {
    const { review, pages } = await open(records);
    await findNothing({ review, pages }, [2]);
    const { html } = await pages.get(`/review?campaign=${review.id}&row=c`);
    const kept = [...html.matchAll(/type="hidden" name="(campaign|row)" value="(\w+)">/g)];
    const fields = Object.fromEntries(kept.map(([, name = '', value = '']) => [name, value]));
    const after = await pages.post('/review/all', { ...fields, all: 'no-record' });
    expect(groups(after.html)).toEqual([groupOf(review, 2)]);
    expect(after.html).toContain('value="not-posted" checked');
  });

  it('says that records cannot be read without the setting', async () => {
    const { pages } = await open();
    expect((await pages.get('/review')).text).toContain(
      'The publishing records cannot be read here. An operator can set this up.',
    );
  });

  it('shows a row beside its candidates, field by field, with hostile texts as texts', async () => {
    const { review, pages } = await open(records);
    const [post] = review.sandbox.effects().posts.filter(({ title }) => title === 'Caption a');
    const { creatorId, businessId, at = 0 } = post ?? {};
    const like = (postId: string, more: object) => ({
      postId,
      creatorId,
      businessId,
      createdAt: at,
      ...more,
    });
    const list = [
      like('p-1', { title: 'Caption a', status: hostile }),
      like('p-2', { title: `Caption a ${turned}${hostile}`, createdAt: at - 30_000 }),
    ];
    const body = { code: 0, message: 'ok', data: { list, totalPages: 1 } };
    review.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body });
    const rows = `${review.id}.0`;
    // The one record that fits is taken, so there must be two.
    list.push(like('p-3', { title: 'Caption a' }));
    const { html, text } = await pages.post('/review/look', { row: rows });
    expect(text).toContain('Searched for 1 row. 0 posts found.');
    expect(text).toContain('3 publishing records look like it');
    expect(html).not.toContain(hostile);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('\u202e');
    expect(html).toContain('<td class="same">same file</td>');
    expect(html).toMatch(/<span class="differs">[^<]*before it was sent/);
    expect(html).toContain('value="posted p-1"');
  });
});

describe('a decision', () => {
  it('is shown once more before anything is sent', async () => {
    const { review, pages } = await open();
    const before = await review.states();
    const answer = await pages.post('/review', {
      [groupOf(review, 0)]: 'posted-other',
      [groupOf(review, 0).replace('d', 'i')]: postOf(review, 'a'),
      [groupOf(review, 1)]: 'not-posted',
      [groupOf(review, 2)]: '',
    });
    expect(answer.text).toContain('Resend 1 row, mark 1 as posted?');
    expect(answer.text).toMatch(/a demo_anna posted as .* Sends nothing/);
    expect(answer.text).toContain('resent : 1 call');
    expect(answer.text).toContain('If the post exists after all, this creates a duplicate.');
    expect(answer.text).toContain(
      'You can undo this for 10 seconds. After that, delete duplicates in the app.',
    );
    expect(answer.html).toContain('name="looked" value="yes" required');
    expect(await review.states()).toEqual(before);
  });

  it('that sends again is not carried out without the word of a person', async () => {
    const { review, pages } = await open();
    const answer = await pages.post('/review/decide', { [groupOf(review, 1)]: 'not-posted' });
    expect(answer.text).toContain('Resend 1 row?');
    expect((await review.states())[1]).toBe('review');
  });

  it('is carried out, one or many, and can be undone for as long as the page says', async () => {
    const { review, pages } = await open();
    const fields = {
      [groupOf(review, 0)]: `posted ${postOf(review, 'a')}`,
      [groupOf(review, 1)]: 'not-posted',
      [groupOf(review, 3)]: `generated ${scheduleIn(review)}`,
    };
    const done = await confirm(pages, fields);
    expect(done.text).toContain('Decided 3 rows. a: posted, as ');
    expect(done.text).toContain('b: not posted.');
    expect(done.text).toContain('Just decided');
    expect(await review.states()).toEqual(['posted', 'waiting', 'review', 'waiting', 'posted']);
    expect(done.text).toMatch(/a posted You can undo this for 10 minutes\. Undo a/);
    expect(done.text).toMatch(
      /b waiting You can undo this for 10 seconds\. After that, delete duplicates in the app\./,
    );
    expect(done.text).toMatch(/g waiting You can undo this for 10 seconds\. Undo g/);
    const undone = await pages.post('/review/undo', { campaign: review.id, key: 'b' });
    expect(undone.text).toContain('Undone: the decision about b. The row is in review again.');
    expect((await review.states())[1]).toBe('review');
  });

  it('can be undone until its paused campaign resumes', async () => {
    const { review, pages } = await open();
    await confirm(pages, { [groupOf(review, 1)]: 'not-posted' });
    await pages.post(`/campaigns/${review.id}/pause`, {});
    const { text, html } = await pages.get(`/review?decided=${review.id}.1`);
    expect(text).toMatch(
      /b waiting You can undo this until the campaign resumes, for 10 minutes at most\. After that, delete duplicates in the app\./,
    );
    const [, until = ''] = /data-until="(\d+)"/.exec(html) ?? [];
    expect(Number(until)).toBeGreaterThan(Date.now() + 500_000);
    review.clock.ahead = 60_000;
    const undone = await pages.post('/review/undo', { campaign: review.id, key: 'b' });
    expect(undone.text).toContain('Undone: the decision about b. The row is in review again.');
  });

  it('of an earlier page does not replace what somebody else decided', async () => {
    const { review, pages } = await open();
    await confirm(pages, { [groupOf(review, 0)]: 'not-posted' });
    await pages.post('/review/undo', { campaign: review.id, key: 'a' });
    const late = await confirm(pages, { [groupOf(review, 0)]: 'not-posted' });
    expect(late.text).toContain('Nothing was decided. Not decided: row a has changed since it was shown.');
    expect((await review.states())[0]).toBe('review');
    await confirm(pages, { [groupOf(review, 1)]: `posted ${postOf(review, 'b')}` });
    const second = await confirm(pages, { [groupOf(review, 1)]: 'not-posted' });
    expect(second.text).toContain('row b is posted: only rows in review can be decided');
  });

  it.each([
    ['an id that no record has', 'posted 123', 'have no post 123 of demo_anna'],
    ['no id', 'posted-other', 'no id was given for row a'],
    ['a decision about something else', 'not-generated', 'needs a decision about its post'],
  ])('is refused for %s, and the others are kept', async (_what, value, why) => {
    const { review, pages } = await open(records);
    const { text } = await pages.post('/review', {
      [groupOf(review, 0)]: value,
      [groupOf(review, 1)]: `posted ${postOf(review, 'b')}`,
    });
    expect(text).toContain('Mark 1 row as posted?');
    expect(text).toContain(why);
  });

  it('looks an id up even where another one belongs to somebody else', async () => {
    const { review, pages } = await open(records);
    const { text } = await pages.post('/review', {
      [groupOf(review, 0)]: `posted ${postOf(review, 'd')}`,
      [groupOf(review, 1)]: 'posted 123',
    });
    expect(text).toContain('already belongs to another row');
    expect(text).toContain('have no post 123 of demo_anna');
  });

  it('names one post for one row only', async () => {
    const { review, pages } = await open();
    const { text } = await pages.post('/review', {
      [groupOf(review, 0)]: 'posted 7',
      [groupOf(review, 1)]: 'posted 7',
    });
    expect(text).toContain('another row has the same id 7');
  });

  it('for all posts that were not found is a choice on the page, and sends nothing', async () => {
    const { review, pages } = await open(records);
    await findNothing({ review, pages }, [0, 1]);
    const before = await review.states();
    const shown = (await pages.get('/review')).text;
    expect(shown).toContain('Mark 2 posts as not posted');
    expect(shown).toContain('Decide 1 post one by one: the publishing records have not been searched');
    const { html } = await pages.post('/review/all', {
      all: 'no-record',
      [groupOf(review, 3)]: 'not-generated',
    });
    const checked = [...html.matchAll(/type="radio"[^>]*value="([^"]*)" checked/g)].map(([, value]) => value);
    expect(checked).toEqual(['not-posted', 'not-posted', '', 'not-generated']);
    expect(await review.states()).toEqual(before);
  });

  it.each([
    ['the records cannot be read here', {}, 'the publishing records cannot be read here'],
    ['they have not been searched', records, 'the publishing records have not been searched'],
  ])('for all posts is not offered while %s', async (_what, settings, why) => {
    const { pages } = await open(settings);
    const { html, text } = await pages.get('/review');
    expect(html).not.toContain('name="all" value="no-record"');
    expect(text).toContain(`Decide 3 posts one by one: ${why}`);
    const after = await pages.post('/review/all', { all: 'no-record' });
    expect(after.html).not.toContain('value="not-posted" checked');
  });

  it('for all posts is not offered after a look that failed, and rows say why', async () => {
    const { review, pages } = await open(records);
    review.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 404 });
    await pages.post('/review/look', { row: `${review.id}.0` });
    const { html, text } = await pages.get('/review');
    expect(html).not.toContain('name="all" value="no-record"');
    expect(text).toMatch(/The publishing records could not be read: .*404/);
  });

  it('for all posts is not offered after a look so early that records may lag', async () => {
    const { review, pages } = await open(records);
    await findNothing({ review: { ...review, clock: { ahead: 0 } }, pages }, [0]);
    const { html, text } = await pages.get('/review');
    expect(html).not.toContain('name="all" value="no-record"');
    expect(text).toContain('They may lag');
  });
});

it('the page of a row in review asks for its decision, and leads back to it', async () => {
  const { review, pages } = await open({}, [videoRow('z', { product_title: hostile })]);
  const { html, text } = await pages.get(`/campaigns/${review.id}/rows/a`);
  expect(text).toContain('Posted or not posted?');
  expect(groups(html)).toEqual([groupOf(review, 0)]);
  expect(html).not.toMatch(/type="radio"[^>]*checked/);
  const place = { 'row-campaign': review.id, 'row-key': 'a' };
  const done = await confirm(pages, { ...place, [groupOf(review, 0)]: 'not-posted' });
  expect(done.text).toContain('a Waiting');
  expect(text).toContain('Check demo_anna’s profile, or the service’s dashboard.');
  expect(done.text).toMatch(/You can undo this for 10 seconds\. .* Undo a/);
});

it('without rows in review the page says what comes here', async () => {
  const { review, pages } = await open();
  for (const [row, key] of (['a', 'b', 'c'] as const).entries()) {
    await confirm(pages, { [groupOf(review, row)]: `posted ${postOf(review, key)}` });
  }
  await confirm(pages, { [groupOf(review, 3)]: 'not-generated' });
  const { text } = await pages.get('/review');
  expect(text).toContain('Nothing needs review');
});
