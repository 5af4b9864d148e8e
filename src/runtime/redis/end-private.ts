/** Ends the private Redis of a data directory on request. */
import { stopPrivateRedis as stop } from '../../redis/private/server.ts';
import { readDataDir } from '../configuration.ts';

/** Ends the private Redis of `DATA_DIR`; its data stays. @returns whether one was running, and which processes used it. */
export async function stopPrivateRedis() {
  const dataDir = readDataDir();
  return { dataDir, ...(await stop(dataDir)) };
}
