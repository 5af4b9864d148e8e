import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

it('check and run take the sheet at an address', async (test) => {
  const scene = await openScene(test, { settings: { media: { allowPrivateAddresses: ['127.0.0.1'] } } });
  const bytes = readFileSync(`${scene.folder}/${scene.manifest([videoRow('a')], 'own.csv')}`);
  const { origin } = await wireServer((_, socket) => socket.write(httpAnswer(200, bytes)));

  const checked = await scene.run(['check', `${origin}/Plan.csv`]);
  expect(checked.stdout).toContain('no problems');
  expect(checked.code).toBe(0);
  const ran = await scene.run(['run', `${origin}/Plan.csv`, '--json']);
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'Plan', counts: { posted: 1 } });
});

it('a page in place of the sheet ends the command, and says what to do', async (test) => {
  const scene = await openScene(test, { settings: { media: { allowPrivateAddresses: ['127.0.0.1'] } } });
  const page = httpAnswer(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
  const { origin } = await wireServer((_, socket) => socket.write(page));
  const { code, stderr } = await scene.run(['check', `${origin}/d/1`]);
  expect(stderr).toContain('leads to a web page, not to a sheet');
  expect(stderr).toContain('anyone with the link');
  expect(code).toBe(2);
});
