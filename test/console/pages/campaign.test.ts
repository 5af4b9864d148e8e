import { describe, expect, it } from 'vitest';
import { openPages } from '../../support/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/rows.ts';

const minuteMs = 60_000;
const start = Date.UTC(2027, 2, 9, 7, 0);

describe('/campaigns/ID', () => {
  it('shows the throughput with the budget, and the times in which it was paused', async () => {
    const clock = { now: start };
    const runner = await openRunner({
      now: () => clock.now,
      settings: { budgets: { default: { rate: 12, per: '1m', burst: 1 } } },
    });
    const id = await runner.importRows([videoRow('a')]);
    const pace = runner.ledger.keys.pace(id);
    for (const [at, posted] of [4, 10, 8].entries()) {
      const minute = start / minuteMs + at;
      await runner.redis.hset(pace, String(minute % 1440), `${minute} ${posted}`);
    }
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    clock.now += minuteMs;
    await runner.ledger.campaigns.resume(id);
    clock.now += 2 * minuteMs;
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('posted a minute, 8 at last');
    expect(text).toContain('budget of posts, 12');
    expect(text).toContain('07:00 to 07:01: held after the canary');
    const [, data = ''] = /data-plot="([^"]*)"/.exec(html) ?? [];
    expect(JSON.parse(data.replaceAll('&quot;', '"'))).toMatchObject({
      series: [{ values: [4, 10, 8] }, { values: [12, 12, 12], dashed: true }],
      bands: [[start / 1000, start / 1000 + 60]],
    });
  });
});
