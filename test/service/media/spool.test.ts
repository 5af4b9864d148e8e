import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openSpool, SpoolFile } from '../../../src/service/media/spool.ts';
import { rejection } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folder.ts';

const host = encodeURIComponent(hostname());

test('a file claims its space, and releases it when disposed', async () => {
  const directory = join(temporaryFolder(), 'spool');
  const spool = await openSpool({ directory, quotaBytes: 10 });
  {
    await using file = await spool.create('u');
    await file.append(Buffer.from('12345'));
    await file.append(Buffer.from('678'));
    expect([file.size, spool.claimedBytes, readdirSync(directory).length]).toEqual([8, 8, 1]);
  }
  expect([spool.claimedBytes, readdirSync(directory).length]).toEqual([0, 0]);
});

test('all downloads together stay under the quota, and the error names the folder and its machine', async () => {
  const directory = temporaryFolder();
  const spool = await openSpool({ directory, quotaBytes: 10 });
  await using first = await spool.create('a');
  await using second = await spool.create('b');
  await first.append(Buffer.from('1234567'));
  await second.append(Buffer.from('123'));

  expect(await rejection(second.append(Buffer.from('4')))).toMatchObject({
    code: 'media_spool_full',
    transient: true,
    subject: 'b',
    message: expect.stringContaining(`${directory} on ${hostname()} `),
  });
});

test('to ask for room claims none', async () => {
  const spool = await openSpool({ directory: temporaryFolder(), quotaBytes: 10 });
  await spool.requireFreeDisk(10, 'a');

  expect(spool.claimedBytes).toBe(0);
  expect(await rejection(spool.requireFreeDisk(11, 'a'))).toMatchObject({ code: 'media_spool_full' });
});

test('the files of another process count', async () => {
  const directory = temporaryFolder();
  // The parent outlives this process.
  writeFileSync(join(directory, `${host}~${process.ppid}~1~x.part`), '12345678');
  const spool = await openSpool({ directory, quotaBytes: 10 });
  await using file = await spool.create('a');

  expect(await rejection(file.append(Buffer.from('123')))).toMatchObject({ code: 'media_spool_full' });
});

test('the files of another spool of this process count', async () => {
  const directory = temporaryFolder();
  const spool = await openSpool({ directory, quotaBytes: 10 });
  await using first = await spool.create('a');
  await first.append(Buffer.from('12345678'));
  const other = await openSpool({ directory, quotaBytes: 10 });
  await using second = await other.create('b');

  expect(await rejection(second.append(Buffer.from('123')))).toMatchObject({ code: 'media_spool_full' });
});

test('the files of another process are counted again as they grow', async () => {
  const directory = temporaryFolder();
  let now = 0;
  const spool = await openSpool({ directory, quotaBytes: 10, now: () => now });
  await using file = await spool.create('a');
  await file.append(Buffer.from('1'));
  writeFileSync(join(directory, `${host}~${process.ppid}~1~x.part`), '12345678');
  now = 1000;

  expect(await rejection(file.append(Buffer.from('23')))).toMatchObject({ code: 'media_spool_full' });
});

test('only the files of killed processes are removed', async () => {
  const directory = temporaryFolder();
  const left = {
    alive: `${host}~${process.ppid}~1~a.part`,
    dead: `${host}~999999999~1~b.part`,
    sameIdEarlier: `${host}~${process.pid}~1~c.part`,
    elsewhere: 'other-host~999999999~1~d.part',
    elsewhereOld: 'other-host~999999999~1~e.part',
    foreign: 'notes.txt',
  };
  for (const name of Object.values(left)) writeFileSync(join(directory, name), 'x');
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(directory, left.elsewhereOld), longAgo, longAgo);
  await openSpool({ directory, quotaBytes: 10 });

  expect(readdirSync(directory).sort()).toEqual([left.alive, left.elsewhere, left.foreign].sort());
});

test('a full disk is a transient error', async () => {
  // Writing to this device fails as on a full disk. The path is only removed at the end.
  const path = join(temporaryFolder(), 'x.part');
  await using file = new SpoolFile(path, await open('/dev/full', 'w'), 'u', {
    claim: async () => undefined,
    release: () => undefined,
  });

  expect(await rejection(file.append(Buffer.from('1')))).toMatchObject({
    code: 'media_spool_full',
    transient: true,
    message: expect.stringContaining(`${dirname(path)} on ${hostname()} `),
  });
});
