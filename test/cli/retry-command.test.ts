import { describe, expect, it } from 'vitest';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

describe('retry, in a paused campaign with a creator on hold', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    const rows = [
      videoRow('refused', { creator: 'demo_ben', product_id: 'unavailable-1' }),
      videoRow('expired', { creator: 'demo_ines' }),
      videoRow('later'),
    ];
    const { code, stderr } = await opened.run(['run', opened.manifest(rows), '--canary', '2']);
    expect(code, stderr).toBe(4);
    return opened;
  });

  it('leaves out the rows of the creator, and names the command that goes on with them', async () => {
    const { code, stdout } = await scene().run(['retry', 'c1', '--row', 'expired']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^No row can be retried now\.\n {2}skipped: 1 row failed: demo_ines is on hold/,
      ),
    });
    expect(stdout).toContain('\n           campaigns resume --creator demo_ines c1');
    expect(stdout).not.toMatch(/breaker|campaigns retry|Workers take/);
  });

  it('says that the rows wait until somebody resumes it', async () => {
    const { stdout } = await scene().run(['retry', 'c1']);
    expect(stdout).toMatch(/^1 row will be retried\./);
    expect(stdout).toMatch(/c1 is paused: these rows wait until you resume it:\n {2}campaigns resume c1$/m);
    expect(stdout).not.toContain('Workers take');
  });

  it('so does resume --creator', async () => {
    const { stdout } = await scene().run(['resume', 'c1', '--creator', 'demo_ines']);
    expect(stdout).toMatch(/1 row will be retried\.\nc1 is paused: these rows wait/);
  });
});
