/**
 * A process that opens Redis as every command does, reports it, and holds it until SIGTERM.
 * Arguments: the data directory. Lines: `ready <pid of the server>`, `warn ...`, `gone ...`, `failed ...`, `closed`.
 */
import { openRedisServer } from '../../../src/redis/server.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const server = await openRedisServer({
    url: process.env.REDIS_URL,
    dataDir: process.argv[2] ?? '',
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
