/** Private servers that start at once: there is never more than one for a folder. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitUntil } from '../../../support/events.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { spawnNode, type TestProcess } from '../../../support/processes/child.ts';
import { isAlive, processesIn, serversIn } from '../../../support/processes/processes.ts';
import { seededRandom } from '../../../support/random.ts';
import { close, dataFolder, hold, holder } from '../../../support/redis/private-redis.ts';

test('processes that start at once get one server', async () => {
  const dataDir = dataFolder();
  const holders = await Promise.all([hold(dataDir), hold(dataDir), hold(dataDir)]);
  expect(new Set(holders.map((each) => each.server)).size).toBe(1);
  for (const each of holders) await close(each.process);
  expect(isAlive(holders[0]?.server ?? 0)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'of two starts in one folder, only the first to leave its record becomes a server',
  async () => {
    const dataDir = dataFolder();
    // The shell of the first start waits in `ln`, and its command is killed.
    const programs = temporaryFolder();
    const pipe = join(programs, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const waiting = `#!/bin/sh\necho waiting >&2\nread line < ${pipe}\nexec /bin/ln "$@"\n`;
    writeFileSync(join(programs, 'ln'), waiting, { mode: 0o755 });
    const first = spawnNode(holder, [dataDir], { PATH: `${programs}:${process.env.PATH}` });
    const [shell = 0] = await waitUntil(
      () => processesIn(join(dataDir, 'redis')).length > 1 && processesIn(join(dataDir, 'redis')),
      'the shell to wait',
    );
    first.kill('SIGKILL');
    await first.end();
    const second = await hold(dataDir);
    expect(second.server).not.toBe(shell);
    writeFileSync(pipe, 'go on\n');
    await waitUntil(() => !isAlive(shell), 'the shell to end');
    expect(processesIn(join(dataDir, 'redis'))).toEqual([second.server]);
    await close(second.process);
  },
);

test.runIf(process.platform === 'linux')(
  'two servers never write one directory, however processes start and are killed',
  async () => {
    const random = seededRandom();
    const dataDir = dataFolder();
    const folder = join(dataDir, 'redis');
    let holders: TestProcess[] = [];
    for (let round = 0; round < 6; round++) {
      const started = Array.from({ length: random.integer(1, 3) }, () => spawnNode(holder, [dataDir]));
      const ready = await Promise.all(started.map((each) => each.line(/^ready (\d+)$/)));
      expect(serversIn(folder)).toHaveLength(1);
      holders.push(...started);
      const leaving = holders.filter(() => random.next() < 0.6);
      holders = holders.filter((each) => !leaving.includes(each));
      for (const each of leaving) each.kill(random.pick(['SIGTERM', 'SIGKILL']));
      if (random.next() < 0.3) killIfThere(Number(ready[0]?.[1]));
      await Promise.all(leaving.map((each) => each.end()));
      expect(serversIn(folder).length).toBeLessThan(2);
    }
    await Promise.all(holders.map((each) => close(each)));
  },
  60_000,
);

function killIfThere(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
