import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RowQuery } from '../../../../src/ledger/rows/query.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { patienceMs } from '../../../support/events.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const start = Date.UTC(2027, 2, 9, 7, 0);

describe('the rows of /campaigns/ID', () => {
  it('sorts by the last change, the newest first, and goes on from page to page', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const rows = Array.from({ length: 60 }, (_, index) => videoRow(`r${index}`));
    const id = await runner.importRows(rows);
    const { changed } = asIf(runner);
    await changed(id, [
      [7, start + 1000],
      [3, start + 2000],
    ]);
    clock.now += 2000;
    const pages = await openPages(runner);
    const keysOf = (html: string) => [...html.matchAll(/name="row" value="(\w+)"/g)].map(([, key]) => key);
    const { html, text } = await pages.get(`/campaigns/${id}?sort=changed`);
    expect(keysOf(html)).toEqual(['r3', 'r7']);
    expect(text).toContain('07:00:02');
    await changed(
      id,
      rows.map((_row, index) => [index, start - index]),
    );
    const first = keysOf((await pages.get(`/campaigns/${id}?sort=changed`)).html);
    const { html: firstPage } = await pages.get(`/campaigns/${id}?sort=changed`);
    const [, next = ''] = /from=([\d.]+)[^"]*">Next/.exec(firstPage) ?? [];
    // A row that changes in the meantime is not told twice.
    await changed(id, [[59, start + 9000]]);
    const second = keysOf((await pages.get(`/campaigns/${id}?sort=changed&from=${next}`)).html);
    expect(first).toEqual(rows.slice(0, 50).map((_row, index) => `r${index}`));
    expect(second).toEqual(rows.slice(50, 59).map((_row, index) => `r${50 + index}`));
  });

  it('names rows without keys by their lines', async () => {
    const runner = await openRunner({ queues: [] });
    const id = await runner.importRows(['a', 'b'].map((name) => ({ ...videoRow(name), key: '' })));
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('Caption b line 3');
    expect(html).toContain(`/campaigns/${id}/rows/2"`);
  });

  it('says which of its rows a page shows, also of those with one state', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(Array.from({ length: 60 }, (_, index) => videoRow(`r${index}`)));
    const pages = await openPages(runner);
    for (const [query, last] of [
      ['state=waiting', 'r59'],
      ['sort=-line', 'r0'],
    ]) {
      const first = await pages.get(`/campaigns/${id}?${query}`);
      expect(first.text).toContain('1 to 50 of 60');
      const [, next = ''] = /href="([^"#]*)#rows">Next/.exec(first.html) ?? [];
      const second = await pages.get(next.replaceAll('&amp;', '&'));
      expect(second.text).toContain('51 to 60 of 60');
      expect(second.html).toContain(`value="${last}"`);
      expect(second.html).not.toContain('Next rows');
    }
  });

  it('filters the rows that changed last', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400, times: 1 });
    const id = await runner.importOrUpdate([
      videoRow('a'),
      videoRow('b'),
      videoRow('c', { caption: 'Rosewood' }),
    ]);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    const shown = async (query: string) =>
      [
        ...(await pages.get(`/campaigns/${id}?sort=changed&${query}`)).html.matchAll(
          /name="row" value="(\w)"/g,
        ),
      ]
        .map(([, key]) => key)
        .sort();
    expect(await shown('')).toEqual(['a', 'b', 'c']);
    const failed = await shown('state=failed');
    expect(failed).toHaveLength(1);
    expect([...failed, ...(await shown('state=posted'))].sort()).toEqual(['a', 'b', 'c']);
    expect(await shown('step=upload')).toEqual(failed);
    expect(await shown('text=rosew')).toEqual(['c']);
  });

  it('shows how many rows have changed since it was loaded', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const id = await runner.importRows([videoRow('a'), videoRow('b')], { window: 1 });
    const pages = await openPages(runner);
    const { html } = await pages.get(`/campaigns/${id}`);
    const [, address = ''] = /"(\/campaigns\/\w+\/events[^"]*)"/.exec(html) ?? [];
    clock.now += 1000;
    await runner.admit(id);
    const stream = await fetch(`${pages.url}${address.replaceAll('&amp;', '&')}`);
    const reader = stream.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    expect(new TextDecoder().decode(value)).toMatch(
      /id="campaign-stale">1 row has changed since 07:00:00\.<.*id="campaign-changed">1 row has/s,
    );
  });

  it('updates the states of its rows while it is open', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a'), videoRow('b', { media: 'a.mp4' })]);
    const pages = await openPages(runner);
    const { html } = await pages.get(`/campaigns/${id}`);
    const [, address = ''] = /"(\/campaigns\/\w+\/events[^"]*)"/.exec(html) ?? [];
    const stream = await fetch(`${pages.url}${address.replaceAll('&amp;', '&')}`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (told: RegExp) => {
      while (!told.test(text)) text += (await reader?.read())?.value ?? '';
    };
    await until(/id="row-1-state" data-fact><span[^>]*data-state="waiting"/);
    await runner.admit(id);
    await runner.start();
    await until(/id="row-1-state" data-fact><span[^>]*data-state="posted"/);
    expect(text).toMatch(/id="row-1-when" data-fact>\d\d:\d\d/);
    await reader?.cancel();
  });

  it('leads from that number to an address that the browser loads, also on a page with a filter', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const pages = await openPages(runner);
    for (const path of [`/campaigns/${id}`, `/campaigns/${id}?state=waiting`]) {
      const { html } = await pages.get(path);
      const links = [...html.matchAll(/href="([^"]*)">Show them/g)].map(([, to = '']) => to);
      expect(links).toHaveLength(2);
      // With the address of the page itself and another place, it would only scroll.
      for (const to of links) expect(to.replaceAll('&amp;', '&').split('#')).not.toEqual([path, 'rows']);
    }
  });

  it('shows the step of a running row, and offers a download of chosen rows', async () => {
    const runner = await openRunner();
    const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { product_source: 'SHOP' }));
    const id = await runner.importRows(rows, { window: 1 });
    await runner.admit(id);
    const pages = await openPages(runner);
    const { html, text } = await pages.get(`/campaigns/${id}?sort=line`);
    expect(text).toContain('3 rows · 1 creator');
    expect(text).toMatch(
      /Caption a a · demo_anna A product demo_anna running Post Caption b b · demo_anna A product demo_anna waiting right away/,
    );
    expect(html).toContain(`formaction="/campaigns/${id}/results.xlsx"`);
  });

  it('shows at most as many rows for print as it promises, and none of them to select', async () => {
    const runner = await openRunner();
    const rows = Array.from({ length: 501 }, (_row, at) => videoRow(`k${at}`, { media: 'a.mp4' }));
    const id = await runner.importRows(rows);
    const pages = await openPages(runner);
    const { html } = await pages.get(`/campaigns/${id}?sort=line&rows=all`);
    expect(html).toContain('The first 500 rows on one page, to print');
    expect(html.match(/id="row-\d+-state"/g)).toHaveLength(500);
    // So many would not fit into an address.
    expect(html).not.toContain('name="row"');
  });

  it('ends a search in texts whose tab was closed', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const { url, get } = await openPages(runner);
    onTestFinished(() => void vi.restoreAllMocks());
    const searches = vi.spyOn(RowQuery.prototype, 'page');
    const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const find = runner.ledger.store.find.bind(runner.ledger.store);
    vi.spyOn(runner.ledger.store, 'find').mockImplementation(async (...args) => {
      begun.resolve();
      await closed.promise;
      return find(...args);
    });
    const addresses = [`/campaigns/${id}?text=a`, `/api/v1/campaigns/${id}/rows?text=a`];
    for (const [index, address] of addresses.entries()) {
      const tab = new AbortController();
      const page = fetch(`${url}${address}`, { signal: tab.signal });
      await begun.promise;
      const left = await vi.waitUntil(() => searches.mock.calls[index]?.[2].left, { timeout: patienceMs });
      tab.abort();
      await expect(page).rejects.toThrow('aborted');
      if (!left.aborted) await once(left, 'abort');
    }
    closed.resolve();
    expect((await get(`/campaigns/${id}?text=a`)).text).toContain(
      'Caption a a · demo_anna A product demo_anna waiting right away',
    );
  });
});
