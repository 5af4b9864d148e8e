import { describe, expect, it } from 'vitest';
import { restored } from '../../../app/campaigns/losing-runner.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';

describe('/campaigns/ID', () => {
  it('retries the rows that were chosen, and counts none of them as left out', async () => {
    const runner = await openRunner({ settings: { retry: { attempts: 1 } } });
    runner.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400, times: 3 });
    const id = await runner.importOrUpdate([videoRow('a'), videoRow('b'), videoRow('c')]);
    await runner.start();
    await runner.ended(id);
    await (await runner.queues.queue('campaign')).pause();
    const pages = await openPages(runner);
    const question = await pages.get(`/campaigns/${id}/retry?row=a&row=c`);
    expect(question.text).toMatch(/Retry 2 rows\? .*Rows to retry 2 Calls, at least \d AI outputs 0 /);
    expect(question.text).not.toContain('Skips');
    const after = await pages.post(`/campaigns/${id}/retry`, { row: 'c' });
    expect(after.text).toContain('1 row will be retried.');
    expect(after.text).not.toContain('skipped');
    expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'waiting']);
  });

  it('says before a cancellation what stays and what does not', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const pages = await openPages(runner);
    const path = `/campaigns/${id}/cancel`;
    const alone = (await pages.get(path)).text;
    expect(alone).toContain('1 row will not be posted . This cannot be undone. Only want to stop for now?');
    const counts = { waiting: 3, running: 1, posted: 2, failed: 1, review: 1 };
    await runner.redis.hset(runner.ledger.keys.campaign(id), { ...counts, rows: 8 });
    const { text } = await pages.get(path);
    expect(text).toContain('4 rows will not be posted : 3 that wait and 1 that runs. This cannot be undone.');
    expect(text).toContain('2 rows stay posted.');
    expect(text).toContain('1 failed row and 1 row in review stay as they are, and can no longer be sent.');
  });

  it('says before a cancellation which rows Redis may have lost the posts of', async () => {
    const { id, ...runner } = await restored();
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}/cancel`);
    expect(html).toMatch(/ autofocus>Don’t cancel</);
    expect(text).toContain('2 rows may have been sent, and go to review . This cannot be undone.');
    expect(text).not.toContain('will not be posted');
  });

  it('says before and after a cancellation how many AI outputs are paid for and not used', async () => {
    const runner = await openRunner({ queues: ['campaign', 'showcase', 'generate'] });
    const id = await runner.importOrUpdate([aiVideoRow('a'), videoRow('b', { product_source: 'SHOP' })]);
    await runner.start();
    const pages = await openPages(runner);
    const path = `/campaigns/${id}/cancel`;
    const asked = await runner.until(async () => {
      const { text } = await pages.get(path);
      return text.includes('paid for') && text;
    }, 'the generation to begin');
    expect(asked).toContain('1 AI output is paid for and will not be used.');
    const after = await pages.post(path, { sure: 'yes' });
    expect(after.text).toContain('2 rows cancelled. 1 AI output paid for is not used.');
  });

  it('cancels an ended campaign for its rows in review', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    const id = await runner.importOrUpdate([videoRow('a')]);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    expect((await pages.get(`/campaigns/${id}`)).text).toContain('Cancel campaign…');
    const question = await pages.get(`/campaigns/${id}/cancel`);
    expect(question.text).toMatch(
      /The row in review can no longer be resent ?\. This cannot be undone\. You can still say whether it was posted\. If not, it is cancelled\./,
    );
    const after = await pages.post(`/campaigns/${id}/cancel`, { sure: 'yes' });
    expect(after.text).toContain('1 row in review will not be resent.');
    expect(after.text).not.toContain('Cancel campaign…');
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({ cancelledAt: expect.any(Number) });
  });

  it('leads chosen rows to their decision', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 500,
      times: 2,
    });
    const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    const page = await pages.get(`/campaigns/${id}`);
    expect(page.html).toContain('formaction="/review"');
    expect(page.text).toContain('Outcome unknown: they may already exist');
    // It has ended.
    expect(page.text).not.toContain('What rows wait for');
    const { html } = await pages.get(`/review?campaign=${id}&row=b`);
    const shown = [...html.matchAll(/\/rows\/(\w+)"/g)].map(([, key]) => key);
    expect(new Set(shown)).toEqual(new Set(['b']));
  });

  it('says beside a cause what its retry takes, and whom it leaves out', async () => {
    const runner = await openRunner();
    const rows = [videoRow('a'), videoRow('b'), videoRow('c', { creator: 'demo_ben' })];
    const id = await runner.importRows(rows);
    const message = 'createFileUpload: the service had an error (HTTP 500).';
    const fix = 'Move the file.';
    const error = { step: 'upload', code: 'upload_failed', message, fix } as const;
    const expired = { step: 'showcase', code: '40101', message: 'expired', subject: 'demo_anna' } as const;
    await asIf(runner).ended(id, [
      { row: 0, state: 'failed', error },
      { row: 1, state: 'failed', error: expired },
      { row: 2, state: 'failed', error },
    ]);
    const pages = await openPages(runner);
    const { text } = await pages.get(`/campaigns/${id}?zone=UTC`);
    expect(text).toContain('The authorization of demo_anna has expired');
    expect(text).toContain(`Expired. At step Showcase since Thu 1 Jan 1970, 00:00 · demo_anna. 40101`);
    expect(text).toContain('Ask demo_anna to authorize again, then retry.');
    expect(text).toContain('The upload failed (2 rows)');
    expect(text).not.toContain('createFileUpload:');
    expect(text).toContain('Move the file.');
    const row = await pages.get(`/campaigns/${id}/rows/a`);
    expect(row.text).toContain('The upload failed Move the file.');
    expect(row.text).toContain('Rows with the same cause');
    const ofCause = (await pages.get(`/campaigns/${id}?state=failed&code=upload_failed&step=upload`)).text;
    expect(ofCause).toContain('Rows 2 of 3');
    expect(ofCause).toContain('1 to 2 of 2');
    expect((await pages.get(`/campaigns/${id}?text=none`)).text).toContain('Rows searched in 3');
    expect(text).toMatch(/Retry 2 rows… At least 8 calls, no AI outputs\. (?!Skips)/);
    expect(text).toMatch(/Retry 1 row of demo_anna… At least 4 calls, no AI outputs\./);
  });
});
