import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quickUser } from '../../../support/console/access.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { ended, formula, hostile, page, steps, turned, waiting } from '../../../support/console/row-pages.ts';
import { Visitor } from '../../../support/console/visitor.ts';
import { openRunner } from '../../../support/in-process.ts';
import { listPostsSetting } from '../../../support/processes/scene.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { addPlayed } from '../../../support/watched.ts';

describe('the page of a row', () => {
  it('shows hostile texts as texts, in every field', async () => {
    const row = videoRow(`f/1?${hostile}`, {
      caption: `${turned} ${hostile} ${formula}`,
      product_title: '"><img src=x>',
      product_id: '1729-<script>',
      _note: `${hostile}'`,
    });
    const { id, pages } = await ended([row]);
    const { html, text, status } = await pages.get(page(id, row.key ?? ''));
    expect(status).toBe(200);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x>');
    expect(html.split('<textarea')[0]).not.toContain('\u202e');
    expect(text).toContain('\\u202eliated');
    expect(text).toContain(formula);
    expect(html).toContain('<dt>Note</dt>');
    expect(html).toContain('the product is &lt;script&gt;');
  });

  it('names the line of the file, as the page of the sheet does', async () => {
    const rows = [videoRow('a', { caption: 'Two\nlines' }), videoRow('b', { caption: 'Late' })];
    const { id, pages } = await waiting(rows);
    expect((await pages.get(page(id, 'a'))).text).toContain('line 2 of the sheet');
    expect((await pages.get(page(id, 'b'))).text).toContain('line 4 of the sheet');
    const saved = await pages.post(page(id, 'b', '/save'), { revision: '0', 'c.caption': 'Soon' });
    expect(saved.text).toContain('Saved 1 change');
    expect(saved.text).toContain('line 4 of the sheet');
  });

  it('shows why a row failed, its history, and its jobs', async () => {
    const { id, pages } = await ended([videoRow('f1'), videoRow('b'), videoRow('f2')]);
    const { text, html } = await pages.get(page(id, 'f1'));
    expect(text).toContain('f1 Failed');
    expect(text).toContain('Next failed');
    expect(html).toContain(`href="${page(id, 'f2')}"`);
    expect(text).toMatch(
      /History .* Post after \d+ m?s Failed\. The call was refused with HTTP 400: .* 16001001 /,
    );
    expect(html).toMatch(/href="\/board\/queue\/post\/c\d+-0-0-post"/);
    expect((await pages.get(page(id, 'b'))).text).toContain('b Posted');
  });

  it('says what a row under way waits for', async () => {
    const runner = await openRunner({ queues: ['showcase', 'upload'] });
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    await runner.start();
    const pages = await openPages(runner);
    const isThere = async () => (await pages.get(page(id, 'a'))).text.includes('Under way: Post.');
    await runner.until(isThere, 'the upload to end');
    await pages.post(`/campaigns/${id}/pause`, {});
    const { text } = await pages.get(page(id, 'a'));
    expect(text).toContain('The campaign is paused. This row continues when the campaign resumes.');
  });

  it('leads only operators to its jobs', async () => {
    const { id, pages } = await ended([videoRow('f1')]);
    await quickUser(pages.runtime, 'vera', 'viewer');
    const vera = new Visitor(pages.url);
    await vera.signIn('vera');
    const { text } = await vera.get(page(id, 'f1'));
    expect(text).toContain('id="happened"');
    expect(text).not.toContain('In Bull Board');
  });

  it('folds the status word of the service, and calls no post accepted', async () => {
    const { id, pages } = await ended([videoRow('f1'), videoRow('b')]);
    const { html, text } = await pages.get(page(id, 'b'));
    expect(html.split(/<details\b/)[0]).not.toContain('SCHEDULED');
    expect(text).toContain('Details Service status: SCHEDULED');
    expect(text).not.toMatch(/accepted/i);
  });

  it('has the field at fault first, framed, with the id that other rows have', async () => {
    const product = { product_title: 'Lipstick', product_id: 'p-right' };
    const rows = [
      videoRow('f', { ...product, product_id: 'p-wrong' }),
      videoRow('a', product),
      videoRow('b', product),
    ];
    const { id, pages } = await ended(rows);
    const { html, text } = await pages.get(page(id, 'f'));
    expect(html).toMatch(/<div class="fault" data-state="failed"><div><label for="c.product_id">/);
    expect(html).toMatch(/id="c.product_id"[^>]* aria-invalid="true"/);
    expect(text).toContain('p-right Lipstick · in 2 other rows Use this ID');
    expect(text).toMatch(/Product title product_title .* Caption caption .* Scheduled scheduled_at/);
    // Without scripts, its button loads the page with the field filled in.
    const taken = await pages.get(`${page(id, 'f')}?c.product_id=p-right`);
    expect(taken.html).toContain('name="c.product_id" value="p-right"');
  });

  it('shows the post and the views of a posted row, and no longer says that it will be posted', async () => {
    const { runner, id, pages } = await ended([videoRow('b')]);
    const before = await pages.get(page(id, 'b'));
    expect(before.text).toContain('No figures yet: the post is not on the watch list.');
    expect(before.text).not.toContain('Will be posted');
    expect(before.html).toContain('aria-label="The post"');
    const now = Math.floor(Date.now() / 1000);
    const samples = [3, 2, 1].map((days) => [now - days * 86_400, 5000 - days * 1000] as const);
    await addPlayed(runner, 'b', { facts: { campaign: id, key: 'b' }, samples });
    const after = await pages.get(page(id, 'b'));
    expect(after.text).toContain('Views 4,000');
    expect(after.text).toContain('All its figures');
    expect(after.html).toMatch(/<h1>Caption b /);
    expect(after.html).toMatch(/<a class="button" href="https?:[^"]*"[^>]*>Open the post</);
    expect(after.text).toMatch(/Post ID post_\w+/);
  });

  it('offers one retry of a row that needs no edit, and the words of the service behind it', async () => {
    const runner = await openRunner({ queues: steps });
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    rmSync(join(runner.folder, 'a.mp4'));
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    const { html } = await pages.get(page(id, 'a'));
    expect(html).toMatch(/class="button primary"[^>]*>Retry…</);
    expect(html).toMatch(/<form [^>]* id="edit-row"/);
    const refused = await pages.post(`${page(id, 'a')}/edit`, { revision: '0', 'c.media': 'b.mp4' });
    expect(refused.html).toContain('href="#edit-row">Edit the row</a>');
    expect(refused.html).toMatch(/<form [^>]* id="edit-row"/);
    expect(html).not.toContain('Retry without changes…');
    expect(html.indexOf('Save and retry…')).toBeGreaterThan(html.indexOf('Edit the row before the retry'));
    expect(html).toMatch(/<summary>Details<\/summary><p class="note">.*<code>media_missing<\/code>/);
  });

  it('offers a retry without changes beside the edit where the refusal may have passed, else in a menu', async () => {
    const runner = await openRunner({ queues: steps });
    const rows = [videoRow('gone'), videoRow('wrong')];
    for (const [key, status] of [
      ['gone', 404],
      ['wrong', 400],
    ] as const)
      runner.sandbox.faults.add({
        operation: 'createCreatorPost',
        kind: 'status',
        status,
        body: {},
        match: { title: `Caption ${key}` },
      });
    const id = await runner.importRows(rows);
    await runner.admit(id);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    const button = /class="button"[^>]*>Retry without changes…</;
    expect((await pages.get(page(id, 'gone'))).html).toMatch(button);
    const { html } = await pages.get(page(id, 'wrong'));
    expect(html).not.toMatch(button);
    expect(html).toMatch(/<li><a[^>]*>Retry without changes…/);
    const campaign = await pages.get(`/campaigns/${id}`);
    expect(campaign.html.match(/Retry without changes…/g)).toHaveLength(1);
    const [, retry = ''] = /href="([^"]*\/retry\?code=http_404[^"]*)"/.exec(campaign.html) ?? [];
    expect((await pages.get(retry.replaceAll('&amp;', '&'))).text).toContain('Retry 1 row');
  });

  it.each(['none', '__proto__', '../c1'])('does not exist for the key %s', async (key) => {
    const { id, pages } = await waiting([videoRow('a')]);
    expect((await pages.get(page(id, key))).status).toBe(404);
  });

  it('has the revisions of a row that was retried', async () => {
    const { runner, id, pages } = await ended([videoRow('f')]);
    const question = await pages.get(page(id, 'f', '/retry'));
    expect(question.text).toContain('Retry f?');
    expect(question.text).toContain('At least 1 call, no AI outputs.');
    expect((await runner.rows(id))[0]).toMatchObject({ state: 'failed', revision: 0 });
    const after = await pages.post(page(id, 'f', '/retry'), {});
    expect(after.text).toContain('Row f is retried.');
    expect(after.text).toMatch(/Revision 2 [\d:]+ Retried Revision 1, until/);
    expect((await runner.rows(id))[0]).toMatchObject({ revision: 1 });
  });
});

describe('the media of a row', () => {
  const media = (id: string, key: string) => `/media/campaigns/${id}/${key}/media/0`;

  it('are not sent if they are something else, whatever their name', async () => {
    const { runner, id, pages } = await waiting([videoRow('a'), videoRow('b')]);
    writeFileSync(join(runner.folder, 'a.mp4'), `<html>${hostile}</html>`);
    const answer = await pages.get(media(id, 'a'));
    expect(answer.status).toBe(404);
    expect(answer.html).not.toContain('<script>alert');
    expect((await pages.get(page(id, 'a'))).text).toContain('neither an image nor a video');
    rmSync(join(runner.folder, 'b.mp4'));
    expect((await pages.get(media(id, 'b'))).status).toBe(404);
    expect((await pages.get(page(id, 'b'))).text).toContain('There is no such file.');
  });

  it('of other servers are links, and no browser loads them', async () => {
    const url = 'https://media.example/a.mp4?sign=abc';
    const { id, pages } = await waiting([videoRow('a', { media: url })]);
    const { html } = await pages.get(page(id, 'a'));
    expect(html).toContain(`<a href="${url}" rel="noreferrer noopener"`);
    expect(html).not.toContain('src="https://');
  });
});

it('shows the retry of a row whose post was not published, and undoes it', async () => {
  const runner = await openRunner({ queues: [], settings: { api: { listPosts: listPostsSetting() } } });
  const id = await runner.importRows([videoRow('a')]);
  const { ledger } = runner;
  const result = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: [], at: 0 };
  const error = { step: 'post', code: 'publishing_failed', message: 'not taken', at: 0 } as const;
  await runner.admit(id);
  const end = { verdict: 'posted', result, assets: [] } as const;
  await ledger.steps.finish({ campaign: id, row: 0, revision: 0, step: 'post', jobId: 'job', end });
  await ledger.failedPosts.fail(id, [{ row: 0, before: result, postStatus: 'FAILED', error }]);
  runner.sandbox.faults.add(recordsWith({ postId: 'p1', status: 'FAILED' }));
  const pages = await openPages(runner);
  const after = await pages.post(`/campaigns/${id}/rows/a/retry`, {});
  expect(after.text).toContain(
    'Row a is resent in 10 seconds. You can undo this for 10 seconds. After that, delete duplicates in the social app.',
  );
  expect(after.text).toMatch(/Retried at .* Undo a/);
  const undone = await pages.post('/review/undo', { campaign: id, key: 'a', back: 'row' });
  expect(undone.text).toContain('Undone: the retry of a. The row has failed again.');
  expect(await runner.rows(id)).toMatchObject([{ state: 'failed', error }]);
});

/** Publishing records with one post. */
function recordsWith(record: object) {
  const body = { code: 0, message: 'ok', data: { list: [record], totalPages: 1 } };
  return { operation: 'listPosts', kind: 'status', status: 200, body, times: 'always' } as const;
}
