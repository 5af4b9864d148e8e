/** Notifications of whole commands, with the sandbox as their receiver. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A scene whose sandbox receives notifications. */
async function receivingScene(test: TestContext): Promise<Scene> {
  const scene = await openScene(test, { sandbox: { notifySecret: secret } });
  const secretFile = join(scene.folder, 'secret');
  writeFileSync(secretFile, secret);
  const url = `${scene.sandbox.adminUrl}/notifications`;
  scene.configure({ notify: [{ url, secretFile, allowPrivateAddresses: ['127.0.0.0/8'] }] });
  return scene;
}

function eventsOf({ sandbox }: Scene): string[] {
  const { notifications } = sandbox;
  expect(notifications.list().map(({ signature }) => signature)).not.toContain('invalid');
  return notifications.list().map(({ body }) => (body as { readonly event: string }).event);
}

describe.concurrent('notifications', () => {
  it('of a run arrive before it ends, those that gather rows too', async (test) => {
    const scene = await receivingScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    const rows = [videoRow('a'), videoRow('b', { product_id: 'unavailable-1' })];
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(3);
    expect(eventsOf(scene).sort()).toEqual(['campaign.ended', 'review.waiting']);
    // Another end, after a retry that fails again.
    await scene.run(['retry', 'c1', '--json']);
    expect((await scene.run(['run'])).code).toBe(3);
    expect(eventsOf(scene).sort()).toEqual(['campaign.ended', 'campaign.ended', 'review.waiting']);
  });
});
