import { describe, expect, it } from 'vitest';
import { postOf } from '../../app/decisions/review.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { steps } from '../../support/console/row-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiPhotoRow, videoRow } from '../../support/sheets/rows.ts';
import { confirm, groupOf, groups, hostile, listed, open, records, turned } from './review-pages.ts';

describe('the list of rows in review', () => {
  it('does not ask whether a row exists that was never sent, because its time had passed', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate([videoRow('a', { scheduled_at: '2026-01-01T10:00Z' })]);
    await runner.start();
    await runner.ended(id);
    const { text } = await (await openPages(runner)).get('/review');
    expect(text).toContain(
      'Its time has passed. Was it posted by hand? a Nothing was sent by the runner. The scheduled time has passed.',
    );
    expect(text).toContain('Not posted fails the row: give it a new time, then retry it.');
    expect(text).not.toContain('Look at demo_anna');
  });

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

  it('shows each row, one of them with its choices, and nothing is decided', async () => {
    const { review, pages } = await open();
    const { html, text } = await pages.get('/review');
    expect(text).toContain(
      '4 rows may or may not have gone through. They won’t be resent unless you say so.',
    );
    expect(text).toContain('Was this posted?');
    expect(listed(html)).toEqual([0, 1, 2, 3]);
    expect(groups(html)).toEqual([groupOf(review, 0)]);
    expect(html).not.toMatch(/type="radio"[^>]*checked/);
    const other = await pages.get(`/review?open=${review.id}.3`);
    expect(other.text).toContain('Was the media generated?');
    expect(groups(other.html)).toEqual([groupOf(review, 3)]);
  });

  it('opens the next row when one is decided, with the same filter', async () => {
    const { review, pages } = await open();
    const { html } = await pages.get('/review?creator=demo_anna');
    const hidden = [...html.matchAll(/type="hidden" name="(home|next)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(
      hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    );
    const after = await confirm(pages, { ...fields, [groupOf(review, 0)]: 'not-posted' });
    expect(after.text).toContain('Just decided');
    expect(listed(after.html)).toEqual([1]);
    expect(groups(after.html)).toEqual([groupOf(review, 1)]);
  });

  it.each([
    ['what=generation', [3]],
    ['what=no-record', [0, 1, 2]],
    ['what=records', []],
    ['creator=demo_anna', [0, 1]],
    ['campaign=c99', []],
    ['campaign=c1&row=c', [2]],
  ])('is filtered by %s', async (query, rows) => {
    const { pages } = await open();
    expect(listed((await pages.get(`/review?${query}`)).html)).toEqual(rows);
  });

  it('goes on at the place that a page names', async () => {
    const { review, pages } = await open();
    const { html, text } = await pages.get(`/review?from=${review.id}.2&before=2`);
    expect(listed(html)).toEqual([2, 3]);
    expect(text).toContain('3 to 4 of 4');
    expect(html).toMatch(/href="\/review">First page/);
  });

  it('tells how many outputs of a generation there are', async () => {
    const runner = await openRunner({ queues: steps });
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    const id = await runner.importRows([aiPhotoRow('g', 2)]);
    await runner.admit(id);
    await runner.start();
    await runner.ended(id);
    expect((await (await openPages(runner)).get('/review')).text).toContain('2 of 2 outputs');
  });

  it('says that records cannot be read without the setting', async () => {
    const { pages } = await open();
    expect((await pages.get('/review')).text).toContain(
      'This runner cannot search the service’s list of posts. An operator can set up the search.',
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
    expect(html).toContain('<span class="same">same file</span>');
    expect(html).toMatch(/<span class="differs">[^<]*before it was sent/);
    expect(html).toContain('value="posted p-1"');
  });
});

it('the page of a row in review asks for its decision, and leads back to it', async () => {
  const { review, pages } = await open({}, [videoRow('z', { product_title: hostile })]);
  const { html, text } = await pages.get(`/campaigns/${review.id}/rows/a`);
  expect(text).toContain('Was this posted?');
  expect(groups(html)).toEqual([groupOf(review, 0)]);
  expect(html).not.toMatch(/type="radio"[^>]*checked/);
  const place = { 'row-campaign': review.id, 'row-key': 'a' };
  const done = await confirm(pages, { ...place, [groupOf(review, 0)]: 'not-posted' });
  expect(done.text).toContain('a Waiting');
  expect(text).toContain('Look at demo_anna’s profile, or the service’s dashboard, then say what you saw.');
  expect(done.text).toMatch(/You can undo this for 10 seconds\. .* Undo a/);
});

it('leads to the profile of the creator where the settings know it', async () => {
  const { pages } = await open({ creators: { profileUrl: 'https://video.example/@{creator}' } });
  expect((await pages.get('/review')).html).toContain(
    '<a class="button" href="https://video.example/@demo_anna"',
  );
});

it('sends nobody to a profile that cannot show a post yet', async () => {
  const { review, pages } = await open({}, [videoRow('z', { scheduled_at: '2099-01-01T09:00:00Z' })]);
  const { text } = await pages.get(`/campaigns/${review.id}/rows/z`);
  expect(text).toContain('Look at the service’s dashboard: demo_anna’s profile cannot show the post yet');
  const { text: asked } = await pages.post('/review', { [groupOf(review, 5)]: 'not-posted' });
  expect(asked).toContain('I checked the service’s dashboard: the post does not exist');
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
