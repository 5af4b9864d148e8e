/** Reads on after a refusal: the answer uses the same connection, and a browser sees it only when it has sent its body. */
import type { Request } from 'express';

/** Most bytes that are read and dropped. */
export const mostDropped = 32 * 1024 * 1024;

/** Drops the rest of a body. Ends the connection of one that goes on and on. Never rejects. */
export async function dropRest(request: Request): Promise<void> {
  let dropped = 0;
  try {
    // Leaving a usual iterator takes the socket off a request: then nobody could end the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      dropped += chunk.length;
      if (dropped > mostDropped) break;
    }
  } catch {
    // The connection is lost: nobody waits for the answer.
  }
  if (dropped > mostDropped) request.destroy();
}
