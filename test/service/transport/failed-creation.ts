import { rejection, testClient } from '../../support/client.ts';
import { type Answer, wireServer } from '../../support/wire-server.ts';

export const someGeneration = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

export async function failedCreation(
  answer: Answer | Buffer,
  options: Parameters<typeof testClient>[1] = {},
) {
  const server = await wireServer(Buffer.isBuffer(answer) ? (_, socket) => socket.write(answer) : answer);
  return rejection(testClient(server.origin, options).generations.create(someGeneration));
}
