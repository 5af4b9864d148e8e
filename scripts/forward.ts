/**
 * Forwards a port of this container to a port of its loopback: `node scripts/forward.ts 3001 3000`.
 * For pages that listen on loopback only. Publishing the port decides who can reach them.
 */
import { connect, createServer } from 'node:net';

const [from, to] = process.argv.slice(2).map(Number);
if (!from || !to) throw new TypeError('usage: forward.ts FROM-PORT TO-PORT');

const server = createServer((client) => {
  const target = connect(to, '127.0.0.1');
  // When one end breaks, close the other.
  client.on('error', () => target.destroy()).on('close', () => target.destroy());
  target.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.pipe(target).pipe(client);
});
server.listen(from, () => process.stdout.write(`listening on ${from}\n`));
process.once('SIGTERM', () => process.exit());
