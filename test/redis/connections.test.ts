import { expect, it } from 'vitest';
import { parseRedisAddress } from '../../src/redis/address.ts';
import { RedisConnections } from '../../src/redis/connections.ts';
import { waitForEvent, waitUntil } from '../support/events.ts';
import { redisNamespace } from '../support/redis/redis.ts';

/** A connection that somebody ended and opened again, as BullMQ does when a worker pauses. */
async function reopened() {
  const connections = new RedisConnections(parseRedisAddress(redisNamespace().url), () => undefined);
  const connection = connections.connect('test');
  await waitForEvent(connection, 'ready');
  const ended = waitForEvent(connection, 'end');
  connection.disconnect();
  await ended;
  const open = () => connection.connect().catch(() => undefined);
  return { connections, connection, open };
}

it('a connection that was opened again is closed with the others', async () => {
  const { connections, connection, open } = await reopened();
  await open();
  expect(connection.status).toBe('ready');
  connections.close();
  await waitUntil(() => connection.status === 'end', 'its end');
});

it('a connection that is opened again after all were closed is closed at once', async () => {
  const { connections, connection, open } = await reopened();
  connections.close();
  await open();
  await waitUntil(() => connection.status === 'end', 'its end');
  expect(await connection.ping().catch(String)).toBe('Error: Connection is closed.');
});
