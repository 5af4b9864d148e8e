/** Connections that are lost at any moment of an upload: the process that serves the console is the same that others work with. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { film, openDropScene } from '../../support/console/drop-scene.ts';

const moments = 60;

it('a connection that is lost before its bytes are read, amid them, or after a refusal ends that upload alone', async (test) => {
  const { drop, pages } = await openDropScene(test);
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  test.onTestFinished(() => void process.off('uncaughtException', note));
  const { hostname, port, host } = new URL(pages.url);

  async function lose(turns: number, offset: number): Promise<void> {
    const id = await drop.begin(`${turns}-${offset}.mp4`, film.length);
    const head = [
      `PATCH /campaigns/new/${drop.draft}/uploads/${id} HTTP/1.1`,
      `host: ${host}`,
      `origin: ${pages.url}`,
      `x-csrf-token: ${drop.proof}`,
      'tus-resumable: 1.0.0',
      `upload-offset: ${offset}`,
      'content-type: application/offset+octet-stream',
      `content-length: ${film.length}`,
    ];
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(film.subarray(0, 1000));
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    socket.resume().destroy();
    await once(socket, 'close');
  }
  for (let turns = 0; turns < moments; turns += 1)
    await Promise.all([lose(turns * 3, 0), lose(turns * 3, 7)]);

  expect((await drop.send('whole.mp4', film)).status).toBe(204);
  expect(uncaught).toEqual([]);
});
