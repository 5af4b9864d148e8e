/** `campaigns sandbox`: runs a local stand-in for the service, in the foreground. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { documentPlace, packagePath } from '../../app/runtime/package.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { apiOperations } from '../../sandbox/description/operations.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { CommandError } from '../exit.ts';
import { type Define, parsedBy, portNumber, wholeNumber } from '../flags/common.ts';
import { write, writeJson } from '../print/terminal.ts';

interface Flags extends Pick<SandboxOptions, 'adminPort' | 'data' | 'strict' | 'maxPageSize'> {
  readonly port: number;
  readonly speed: number;
  readonly rate: Readonly<Record<string, number>>;
  readonly key: string;
  /** File. */
  readonly notifySecret?: string;
  readonly json?: boolean;
}

const help = `
The sandbox answers every operation as the service would. Nothing leaves this machine. To work against it:

  $ campaigns sandbox
  $ export CREATOR_API_URL=http://127.0.0.1:8787 CREATOR_API_KEY=sandbox-key
  $ export CAMPAIGNS_CONFIG=config/sandbox.json
  $ campaigns run examples/campaign.csv

The admin address shows what was called, injects faults, and receives notifications (the setting notify):

  $ curl http://127.0.0.1:8788/stats
  $ curl http://127.0.0.1:8788/calls?operation=createCreatorPost
  $ curl http://127.0.0.1:8788/faults -H 'content-type: application/json' \\
      -d '{"operation":"createCreatorPost","kind":"lost-answer","times":3}'
  $ curl -X DELETE http://127.0.0.1:8788/faults

Its creators, and the words in a sheet that choose what goes wrong:
${documentPlace('cli.md')}

Ctrl-C or SIGTERM ends it with exit code 0.
`;

export const sandbox: Define = (command) =>
  command
    .option('--port <port>', 'listen here on 127.0.0.1; 0 takes a free port', portNumber, 8787)
    .option('--admin-port <port>', 'serve the admin address here (default: the next port)', portNumber)
    .option('--data <file>', 'keep data in this SQLite file (default: in memory)')
    .option('--speed <factor>', 'speed up generations and publishing by this factor', positive, 10)
    .option('--strict', 'refuse mistakes that the contract allows')
    .addOption(
      new Option('--rate <limit>', 'limit calls a second: N or OPERATION=N, repeatable')
        .argParser(rateLimit)
        .default({}, 'no limit'),
    )
    .option(
      '--max-page-size <n>',
      'refuse larger pages of lists (default: cut to 50)',
      wholeNumber('It must be a whole number from 1 to 99999.', 1, 99_999),
    )
    .option('--key <key>', 'use this API key, which may do everything', 'sandbox-key')
    .option('--notify-secret <file>', 'check notifications with the secret in this file')
    .notes(help)
    .action(run);

async function run(flags: Flags): Promise<void> {
  const unknown = Object.keys(flags.rate).find((name) => name !== 'default' && !(name in apiOperations));
  if (unknown !== undefined) {
    const fix = `Choose one of ${Object.keys(apiOperations).join(', ')}.`;
    throw new CommandError(`--rate: there is no operation ${unknown}`, { fix });
  }
  const sandbox = await startSandbox(optionsOf(flags)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const fix = 'Give another --port, --admin-port (default: the port after --port) or --data.';
    throw new CommandError(`the sandbox could not start: ${why}`, { cause, fix });
  });
  // Listen before the announcement: its reader may signal at once.
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  announce(sandbox, flags);
  await stopped;
  await sandbox.close();
}

function optionsOf(flags: Flags): SandboxOptions {
  return {
    port: flags.port,
    adminPort: flags.adminPort ?? (flags.port === 0 ? 0 : flags.port + 1),
    data: flags.data,
    speed: flags.speed,
    strict: flags.strict,
    rates: flags.rate,
    maxPageSize: flags.maxPageSize,
    refuseLargerPages: flags.maxPageSize !== undefined,
    apiKey: flags.key,
    notifySecret: flags.notifySecret === undefined ? undefined : readSecret(flags.notifySecret),
  };
}

/** @throws {CommandError} for a file that cannot be read. */
function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const fix = 'Make it:\nopenssl rand -base64 32 >FILE';
    throw new CommandError(`--notify-secret ${file}: ${describeFileError(cause)}`, { cause, fix });
  }
}

function announce({ url, adminUrl, apiKey }: Sandbox, { json, data }: Flags): void {
  if (json) {
    // One line: its reader need not know where the document ends.
    writeJson({ url, adminUrl, apiKey, data: data ?? null, pid: process.pid }, 0);
    return;
  }
  // Absolute, so that the line works in any folder.
  const settingsFile = packagePath('config', 'sandbox.json');
  write(
    'stdout',
    `Sandbox at   ${url}\n` +
      `Admin at     ${adminUrl}\n` +
      `API key      ${apiKey}\n` +
      `Data         ${data ?? 'in memory'}\n\n` +
      `export CREATOR_API_URL=${url} CREATOR_API_KEY=${apiKey} CAMPAIGNS_CONFIG=${settingsFile}\n\n` +
      'Ctrl-C ends it.\n',
  );
}

const positive = parsedBy((text) => {
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}, 'It must be a number above 0.');

function rateLimit(text: string, former: Readonly<Record<string, number>>): Record<string, number> {
  const [operation, rate] = text.includes('=') ? text.split('=', 2) : ['default', text];
  return { ...former, [operation ?? 'default']: positive(rate ?? '') };
}
