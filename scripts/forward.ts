/**
 * Hands on what comes to a port of this container to one of its loopback: `node scripts/forward.ts 3001 3000`.
 * For pages that listen on loopback only; whoever publishes the port decides who gets there.
 */
import { connect, createServer } from 'node:net';

const [from, to] = process.argv.slice(2).map(Number);
if (!from || !to) throw new TypeError('usage: forward.ts FROM-PORT TO-PORT');

const server = createServer((client) => {
  const target = connect(to, '127.0.0.1');
  // Either end that breaks takes the other with it.
  client.on('error', () => target.destroy()).on('close', () => target.destroy());
  target.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.pipe(target).pipe(client);
});
server.listen(from, () => process.stdout.write(`listening on ${from}\n`));
process.once('SIGTERM', () => process.exit());
