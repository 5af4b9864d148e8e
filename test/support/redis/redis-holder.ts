/**
 * A process that opens Redis as every command does, reports it, and holds it until SIGTERM.
 * Arguments: the data directory, and the id of a user to become. Lines: `ready <pid of the server>`, `warn ...`, `gone ...`, `failed ...`, `closed`.
 */
import { openRedisServer } from '../../../src/platform/redis/choose-redis.ts';

const [, , dataDir = '', user] = process.argv;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

// Only now, with all code loaded: that user may be unable to read the project, or even this Node (a clone under /root).
if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}

try {
  const server = await openRedisServer({
    url: process.env.REDIS_URL,
    dataDir,
    warn: (message) => say(`warn ${message}`),
  });
  server.gone.addEventListener('abort', () => say(`gone ${(server.gone.reason as Error).name}`));
  // Listen before `ready`: the test may end the process at once.
  process.once('SIGTERM', () => void server.close().then(() => say('closed')));
  const info = await server.connect('holder').info('server');
  say(`ready ${/process_id:(\d+)/.exec(info)?.[1]}`);
} catch (error) {
  say(`failed ${(error as Error).name}`);
  process.exitCode = 2;
}
