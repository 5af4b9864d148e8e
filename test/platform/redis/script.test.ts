import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { batched, defineScript } from '../../../src/platform/redis/script.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { redisNamespace } from '../../support/redis/redis.ts';

test('a script takes more arguments than a call of JavaScript can have', async () => {
  const { redis, prefix } = redisNamespace();
  const file = join(temporaryFolder(), 'count.lua');
  writeFileSync(file, 'return { #ARGV, ARGV[#ARGV] }');
  const run = defineScript(redis, prefix, pathToFileURL(file));
  const args = Array.from({ length: 150_000 }, (_, index) => index);

  expect(await run(args)).toEqual([150_000, '149999']);
  // With the number of calls before them.
  expect(await batched(run)(args)).toBe(150_001);
});
