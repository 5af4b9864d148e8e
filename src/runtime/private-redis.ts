/** The private Redis of a data directory, ended by hand. */
import { stopPrivateRedis as stop } from '../redis/private-server.ts';
import { readDataDir } from './configuration.ts';

export interface StoppedRedis {
  readonly dataDir: string;
  /** False where none was running. */
  readonly stopped: boolean;
  /** Processes that were using it. */
  readonly users: readonly number[];
}

/** Ends the private Redis of `DATA_DIR`; its data stays. */
export async function stopPrivateRedis(): Promise<StoppedRedis> {
  const dataDir = readDataDir();
  return { dataDir, ...(await stop(dataDir)) };
}
