/** Lets the client make one call, which a server on this machine answers with given bytes. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { loadSettings } from '../../config/load.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { writeJson } from '../../src/service/contract/json.ts';
import { ApiError } from '../../src/service/errors.ts';
import { fuzzKey, serviceCalls } from './answers.ts';

/** The connection ends after each answer, so that no call waits this long. */
const timeoutMs = 2000;
/** A list that would not end: afterwards its pages are empty. */
const mostAnswers = 3;
const lastPage = JSON.stringify({ code: 0, message: 'ok', data: { list: [], products: [] } });
const lastAnswer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-length: ${lastPage.length}\r\nconnection: close\r\n\r\n${lastPage}`,
);
const { api: templates } = loadSettings(new URL('../../config/sandbox.json', import.meta.url).pathname);

let answer: Buffer = lastAnswer;
let answers = 0;
let client: ServiceClient | undefined;

/** @throws {Error} if the call ends with anything but a result or an `ApiError`, or tells the key. */
export async function callService(operation: string, bytes: Buffer): Promise<void> {
  client ??= await openClient();
  answer = bytes;
  answers = 0;
  try {
    const result = await serviceCalls[operation]?.call(client);
    if (writeJson(result ?? null).includes(fuzzKey)) throw new Error(`${operation} returns the key`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, serviceMessage = '', fix } = error;
    if (`${message}${serviceMessage}${fix}`.includes(fuzzKey)) {
      throw new Error(`${operation} tells the key in an error: ${message}`);
    }
  }
}

async function openClient(): Promise<ServiceClient> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return createServiceClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: fuzzKey, timeoutMs, templates });
}

function serve(socket: Socket): void {
  // The client breaks off when it has seen enough.
  socket.on('error', () => undefined);
  let request = '';
  socket.on('data', (bytes) => {
    request += bytes.toString('latin1');
    const end = request.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(request)?.[1] ?? 0);
    if (end < 0 || request.length < end + 4 + length) return;
    answers += 1;
    socket.end(answers > mostAnswers ? lastAnswer : answer);
  });
}
