import { describe, expect, it } from 'vitest';
import { postOf, scheduleIn } from '../../app/decisions/review.ts';
import { confirm, findNothing, groupOf, open, records } from './review-pages.ts';

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
      'You can undo this for 10 seconds. After that, delete duplicates in the social app.',
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
      /b waiting You can undo this for 10 seconds\. After that, delete duplicates in the social app\./,
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
      /b waiting You can undo this until the campaign resumes, for 10 minutes at most\. After that, delete duplicates in the social app\./,
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

  it('is carried out at once if it sends nothing, and can be undone', async () => {
    const { review, pages } = await open(records);
    const { text } = await pages.post('/review', { [groupOf(review, 1)]: `posted ${postOf(review, 'b')}` });
    expect(text).toMatch(/Just decided b posted You can undo this for 10 minutes\..* Decided 1 row\./i);
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

  it('for all posts that were not found asks first', async () => {
    const { review, pages } = await open(records);
    await findNothing({ review, pages }, [0, 1]);
    const before = await review.states();
    const { html, text } = await pages.get('/review');
    expect(text).toContain('Mark 2 posts as not posted…');
    const fields = [...html.matchAll(/name="(d\.[^"]+)" value="not-posted">/g)].map(([, name = '']) => name);
    expect(fields).toEqual([groupOf(review, 0), groupOf(review, 1)]);
    const asked = await pages.post('/review', Object.fromEntries(fields.map((name) => [name, 'not-posted'])));
    expect(asked.text).toContain('Resend 2 rows?');
    expect(await review.states()).toEqual(before);
  });

  it.each([
    ['the records cannot be read here', {}],
    ['they have not been searched', records],
  ])('for all posts is not offered while %s', async (_what, settings) => {
    const { pages } = await open(settings);
    expect((await pages.get('/review')).text).not.toContain('as not posted');
  });

  it('for all posts is not offered after a look that failed, and rows say why', async () => {
    const { review, pages } = await open(records);
    review.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 404 });
    await pages.post('/review/look', { row: `${review.id}.0` });
    const { text } = await pages.get('/review');
    expect(text).not.toContain('as not posted');
    expect(text).toMatch(/The publishing records could not be read: .*404/);
  });

  it('for all posts is not offered after a look so early that records may lag', async () => {
    const { review, pages } = await open(records);
    await findNothing({ review: { ...review, clock: { ahead: 0 } }, pages }, [0]);
    const { text } = await pages.get('/review');
    expect(text).not.toContain('as not posted');
    expect(text).toContain('They may lag');
  });
});
