/** The process that the fuzzer tries inputs in. Messages: an `Input` comes in, a `Tried` goes out. */
import { callService } from './call-service.ts';
import { readSheet } from './read-sheet.ts';
import type { Input, Tried } from './supervisor.ts';

const sheets = ['csv', 'json', 'jsonl', 'xlsx'];

process.on('disconnect', () => process.exit());
process.on('message', ({ kind, bytes }: Input) => void tryInput(kind, Buffer.from(bytes)));

async function tryInput(kind: string, bytes: Buffer): Promise<void> {
  const before = process.cpuUsage();
  let failure: string | undefined;
  try {
    await (sheets.includes(kind) ? readSheet(kind, bytes) : callService(kind, bytes));
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.cpuUsage(before);
  const { maxRSS } = process.resourceUsage();
  process.send?.({ failure, cpuMs: (user + system) / 1000, peakBytes: maxRSS * 1024 } satisfies Tried);
}
