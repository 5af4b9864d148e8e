/** `campaigns sandbox`: the service, locally, in the foreground. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { packagePath } from '../../runtime/package-facts.ts';
import { apiOperations } from '../../sandbox/operations.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { CommandError } from '../exit.ts';
import { jsonOption, portNumber } from '../flags/common.ts';

interface Flags {
  readonly port: number;
  readonly adminPort?: number;
  readonly data?: string;
  readonly speed: number;
  readonly rate: Readonly<Record<string, number>>;
  readonly key: string;
  readonly json?: boolean;
}

const help = `
The sandbox answers every operation as the service would; nothing leaves this machine. To work against it:

  $ campaigns sandbox
  $ export CREATOR_API_URL=http://127.0.0.1:8787
  $ export CREATOR_API_KEY=sandbox-key
  $ export CAMPAIGNS_CONFIG=config/sandbox.json
  $ campaigns run examples/campaign.csv

It begins with 60 creators, demo_anna to demo_jack; among them demo_hugo is not valid, the authorization of demo_ines
has expired (40101), and demo_tom has no permission for photos. Products whose id begins with "unavailable-" are
refused (16001001). In a prompt, [fail] [cancel] [expire] [stuck] choose how a generation ends; [fail:2] only its second
output, [fail once] only the first time. A caption with [publish-fail] is accepted and then not published. A public
video whose path contains "gone" does not exist. Further keys: sandbox-key-readonly, sandbox-key-no-post,
sandbox-key-no-generation, sandbox-key-no-upload, sandbox-key-no-showcase.

  $ curl -H 'x-api-key: sandbox-key' 'http://127.0.0.1:8787/v1/creatorAccount/pageList?pageSize=5&pageNumber=1'

The admin address shows what has happened, and makes the service misbehave:

  $ curl http://127.0.0.1:8788/stats
  $ curl http://127.0.0.1:8788/calls?operation=createCreatorPost
  $ curl http://127.0.0.1:8788/effects
  $ curl -H 'content-type: application/json' http://127.0.0.1:8788/faults \\
      -d '{ "operation": "createCreatorPost", "kind": "lost-answer", "times": 3 }'
  $ curl -X DELETE http://127.0.0.1:8788/faults
  $ curl http://127.0.0.1:8788/clock -d '{ "advanceMs": 3600000 }'

http://127.0.0.1:8787/ is a page for people, http://127.0.0.1:8787/openapi.json the description of the API.
Ctrl-C or SIGTERM ends it with exit code 0.
`;

export function define(command: Command): Command {
  return command
    .option('--port <port>', 'port of the service on 127.0.0.1; 0 takes a free one', portNumber, 8787)
    .option('--admin-port <port>', 'port of the admin address (default: the next one)', portNumber)
    .option('--data <file>', 'keep everything in this SQLite file (default: in memory)')
    .option('--speed <factor>', 'how many times faster generations and publishing go', positive, 10)
    .addOption(
      new Option('--rate <limit>', 'calls per second, of every operation or as OPERATION=N; may be repeated')
        .argParser(rateLimit)
        .default({}, 'no limit'),
    )
    .option('--key <key>', 'the API key that may do everything', 'sandbox-key')
    .addOption(jsonOption())
    .addHelpText('after', help)
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const unknown = Object.keys(flags.rate).find((name) => name !== 'default' && !(name in apiOperations));
  if (unknown !== undefined) {
    const cure = `There are ${Object.keys(apiOperations).join(', ')}.`;
    throw new CommandError(`--rate: there is no operation ${unknown}`, { cure });
  }
  const sandbox = await startSandbox(optionsOf(flags)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`the sandbox could not start: ${why}`, {
      cause,
      cure: 'Give another --port or --data.',
    });
  });
  // Before the announcement: whoever reads it may signal at once.
  const stopped = stopSignal();
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
    rates: flags.rate,
    apiKey: flags.key,
  };
}

function announce({ url, adminUrl, apiKey }: Sandbox, { json, data }: Flags): void {
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ url, adminUrl, apiKey, data: data ?? null, pid: process.pid })}\n`,
    );
    return;
  }
  // Absolute: the line is to work in any folder.
  const settingsFile = packagePath('config', 'sandbox.json');
  process.stdout.write(
    `Sandbox at   ${url}\n` +
      `Admin at     ${adminUrl}\n` +
      `API key      ${apiKey}\n` +
      `Data         ${data ?? 'in memory'}\n\n` +
      `export CREATOR_API_URL=${url} CREATOR_API_KEY=${apiKey} CAMPAIGNS_CONFIG=${settingsFile}\n\n` +
      'Ctrl-C ends it.\n',
  );
}

/** Resolves at the first SIGINT or SIGTERM. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  return promise;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function rateLimit(text: string, former: Readonly<Record<string, number>>): Record<string, number> {
  const [operation, rate] = text.includes('=') ? text.split('=', 2) : ['default', text];
  return { ...former, [operation ?? 'default']: positive(rate ?? '') };
}
