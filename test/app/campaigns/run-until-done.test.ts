import { expect, it } from 'vitest';
import { checkSettings, readEnvironment } from '../../../config/load.ts';
import sandboxSettings from '../../../config/sandbox.json' with { type: 'json' };
import { openManifest, openRuntime, operations, workOff } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { redisNamespace } from '../../support/redis/redis.ts';
import { testSandbox } from '../../support/sandbox.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';

it('takes no job any more once what receives its progress has failed', async () => {
  const { url, prefix } = redisNamespace();
  await using sandbox = await testSandbox();
  const environment = readEnvironment({
    REDIS_URL: url,
    CAMPAIGNS_PREFIX: prefix.slice(1, -1),
    DATA_DIR: temporaryFolder(),
    CREATOR_API_URL: sandbox.url,
    CREATOR_API_KEY: sandbox.apiKey,
    LOG_LEVEL: 'silent',
  });
  await using runtime = await openRuntime({
    configuration: { environment, settings: checkSettings(sandboxSettings) },
  });
  await using manifest = await openManifest(runtime, [aiVideoRow('a')], { name: 'tea' });
  const { id } = await operations.importSheet(runtime, {}, manifest);
  const onProgress = () => {
    throw new Error('nobody listens');
  };
  await expect(workOff(runtime, [id], { onProgress })).rejects.toThrow('nobody listens');
  const queue = await runtime.queues.queue('post');
  expect(await queue.getWorkers()).toEqual([]);
});
