import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { testLedger } from '../../support/ledger.ts';
import { addVideos, idOf, videoUrl } from '../../support/videos.ts';

const failure = { code: 'server_error', message: 'HTTP 500', at: 0 };

/** A scrape that runs, of one video. */
async function running() {
  const { ledger } = testLedger();
  await ledger.outbox.want(['scrape.failed']);
  await addVideos({ ledger }, [videoUrl('1')]);
  const { scrapes, list, history } = ledger.videos;
  const { run } = await scrapes.start('manual');
  await scrapes.takeParts(run);
  const [video] = await list.read([idOf(videoUrl('1'))]);
  if (!video) throw new Error('no video');
  return { run, scrapes, history, video, told: () => ledger.outbox.due(10) };
}

describe('receivers are told', () => {
  it('once of a scrape that ends with failures, with counts and codes', async () => {
    const { run, scrapes, history, video, told } = await running();
    await history.fail(run, video, failure);
    expect(await told()).toEqual([]);
    await scrapes.finishPart(run, 1, 0);
    await scrapes.finishPart(run, 1, 0);
    expect(await told()).toMatchObject([
      {
        event: 'scrape.failed',
        run: String(run),
        counts: { failed: 1, done: 0 },
        codes: { server_error: 1 },
      },
    ]);
  });

  it('not of a scrape without failures', async () => {
    const { run, scrapes, history, video, told } = await running();
    await history.gone(run, video, { answers: 1, since: 0, askAgainAt: 0 });
    await scrapes.finishPart(run, 1, 0);
    expect(await told()).toEqual([]);
  });

  it('of a scrape that was stopped, with the reason', async () => {
    const { run, scrapes, told } = await running();
    await scrapes.stop(run, { code: 'key_refused', message: 'The key was refused.' });
    expect(await told()).toMatchObject([{ event: 'scrape.failed', reason: { code: 'key_refused' } }]);
  });

  it('at once, whatever the clock of this machine says', async () => {
    const { redis, prefix } = testLedger();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const { outbox, videos } = createLedger({ redis, prefix });
    await outbox.want(['scrape.failed']);
    const { run } = await videos.scrapes.start('manual');
    await videos.scrapes.stop(run, { code: 'key_refused', message: 'The key was refused.' });
    expect(await outbox.due(10)).toHaveLength(1);
  });

  it('of each scheduled scrape that is left out, and then of the end of the one that ran', async () => {
    const { run, scrapes, history, video, told } = await running();
    await scrapes.start('scheduled');
    await scrapes.start('scheduled');
    await history.fail(run, video, failure);
    await scrapes.finishPart(run, 1, 0);
    const codes = (await told()).map(({ reason }) => reason?.code ?? 'ended');
    expect(codes.sort()).toEqual(['ended', 'scrape_overlap', 'scrape_overlap']);
  });
});
