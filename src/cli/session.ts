/** What most commands open first: the runtime and their output. */
import { recordCommand } from '../access/audit.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import { createOutput, type Output } from './print/output.ts';

/** Options that most commands have. */
export interface CommonOptions {
  readonly json?: boolean | undefined;
  /** Settings file. */
  readonly config?: string | undefined;
}

export interface Session extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly output: Output;
  /** Notes a change that the command made, in the audit. @param what in words, a sentence. */
  record(what: string): Promise<void>;
}

/** What they do is done for others, and never ends. */
const endless = ['serve', 'worker'];

/**
 * @param flags `out`: file for a sheet. With `-` the sheet has standard output to itself: text goes to standard error.
 * @throws {UseCaseError} as `openRuntime` does.
 */
export async function openSession(
  { json = false, config, out }: CommonOptions & { readonly out?: string | undefined },
  options: Omit<RuntimeOptions, 'notify'> = {},
): Promise<Session> {
  const output = createOutput(json, out === '-' ? 'stderr' : 'stdout');
  const [command = ''] = process.argv.slice(2);
  const ends = !endless.includes(command);
  const runtime = await openRuntime({
    configuration: config,
    ...(ends && { command }),
    ...options,
    notify: output.say,
  });
  return {
    runtime,
    output,
    async record(what) {
      try {
        await recordCommand(runtime, what, ['campaigns', ...process.argv.slice(2)].join(' '));
      } catch (error) {
        // The change is made.
        runtime.log.error({ error: String(error), what }, 'change not noted in the audit');
      }
    },
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
}
