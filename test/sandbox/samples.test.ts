import { expect, test } from 'vitest';
import { testSandbox } from '../support/sandbox.ts';

test.each(['portrait', 'landscape', 'square'])('a sample video is there to download: %s', async (shape) => {
  await using sandbox = await testSandbox();
  const answer = await fetch(`${sandbox.url}/assets/sample/${shape}.mp4`);
  expect(answer.headers.get('content-type')).toBe('video/mp4');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
});

test('there are no other samples', async () => {
  await using sandbox = await testSandbox();
  const answer = await fetch(`${sandbox.url}/assets/sample/..%2Fpage.mp4`);
  expect(answer.status).toBe(404);
  await answer.body?.cancel();
});
