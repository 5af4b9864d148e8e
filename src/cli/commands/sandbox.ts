/** `campaigns sandbox`: runs a local stand-in for the service, in the foreground. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { packagePath } from '../../app/runtime/configuration.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { apiOperations } from '../../sandbox/description/operations.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { CommandError } from '../exit.ts';
import { type Define, parsedBy, portNumber, wholeNumber } from '../flags/common.ts';
import { write, writeJson } from '../print/terminal.ts';

interface Flags {
  readonly port: number;
  readonly adminPort?: number;
  readonly data?: string;
  readonly speed: number;
  readonly strict?: boolean;
  readonly rate: Readonly<Record<string, number>>;
  readonly maxPageSize?: number;
  readonly key: string;
  readonly notifySecret?: string;
  readonly json?: boolean;
}

const help = `
The sandbox answers every operation as the service would. Nothing leaves this machine. To work against it:

  $ campaigns sandbox
  $ export CREATOR_API_URL=http://127.0.0.1:8787
  $ export CREATOR_API_KEY=sandbox-key
  $ export CAMPAIGNS_CONFIG=config/sandbox.json
  $ campaigns run examples/campaign.csv

It starts with 60 creators, demo_anna to demo_jack. demo_hugo is not valid, the authorization of demo_ines has expired
(40101), and demo_tom may not post photos. A product id that begins with "unavailable-" is refused (16001001). In a
prompt, [fail] [cancel] [expire] [stuck] choose how a generation ends; [fail:2] fails only its second output, [fail once]
only the first time. A post with [publish-fail] in its caption is accepted, but never published. A public video of the
sandbox or an example host (video.example) with "gone" in its path does not exist; other words in its path: vanishes,
returns, late, falls (by simulated days), huge (figures beyond 2^53). More keys: sandbox-key-readonly, sandbox-key-no-post, sandbox-key-no-generation,
sandbox-key-no-upload, sandbox-key-no-showcase.

The URLs of a completed task come in all forms that the contract allows, by turns: customResult, result or one of its
URLs may be missing or null. The preferred URL leads to the result, any other to a file with "wrong asset" in its bytes.

Without --strict, it accepts all that the contract allows, and notes in a post (/effects of the admin address, field
notes) what is surely a mistake: a time that is past, a video by a creator without the permission (demo_frida), the anchor
SHOWCASE for a product that is not in the showcase, a wrong asset. --strict refuses these with 400, and also unknown
fields, empty texts and more than 100 outputs. The demo and the tests of this project use --strict.

  $ curl -H 'x-api-key: sandbox-key' 'http://127.0.0.1:8787/v1/creatorAccount/pageList?pageSize=5&pageNumber=1'

Pages of lists have at most 50 entries: a request for more is cut. With --max-page-size it is refused (400), as services do.

The admin address shows what was called, injects faults, and receives notifications (the setting notify):

  $ curl http://127.0.0.1:8788/stats
  $ curl http://127.0.0.1:8788/calls?operation=createCreatorPost
  $ curl http://127.0.0.1:8788/effects
  $ curl -H 'content-type: application/json' http://127.0.0.1:8788/faults \\
      -d '{ "operation": "createCreatorPost", "kind": "lost-answer", "times": 3 }'
  $ curl -X DELETE http://127.0.0.1:8788/faults
  $ curl http://127.0.0.1:8788/notifications
  $ curl http://127.0.0.1:8788/clock -d '{ "advanceMs": 3600000 }'

Open http://127.0.0.1:8787/ in a browser. The OpenAPI document is http://127.0.0.1:8787/openapi.json.
Ctrl-C or SIGTERM ends the sandbox with exit code 0.
`;

const sandbox: Define = (command) =>
  command
    .option('--port <port>', 'listen on this port of 127.0.0.1; 0 takes a free port', portNumber, 8787)
    .option('--admin-port <port>', 'serve the admin address here (default: the next port)', portNumber)
    .option('--data <file>', 'keep data in this SQLite file (default: in memory)')
    .option('--speed <factor>', 'speed up generations and publishing by this factor', positive, 10)
    .option('--strict', 'also refuse what the contract allows but is surely a mistake (see below)')
    .addOption(
      new Option('--rate <limit>', 'limit calls per second: N or OPERATION=N (repeatable)')
        .argParser(rateLimit)
        .default({}, 'no limit'),
    )
    .option(
      '--max-page-size <n>',
      'refuse larger pages of lists (default: cut them to 50)',
      wholeNumber('It must be a whole number from 1 to 99999.', 1, 99_999),
    )
    .option('--key <key>', 'use this API key, which may do everything', 'sandbox-key')
    .option('--notify-secret <file>', 'check notifications with the secret in this file')
    .addHelpText('after', help)
    .action(run);

async function run(flags: Flags): Promise<void> {
  const unknown = Object.keys(flags.rate).find((name) => name !== 'default' && !(name in apiOperations));
  if (unknown !== undefined) {
    const cure = `Choose one of ${Object.keys(apiOperations).join(', ')}.`;
    throw new CommandError(`--rate: there is no operation ${unknown}`, { cure });
  }
  const sandbox = await startSandbox(optionsOf(flags)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`the sandbox could not start: ${why}`, {
      cause,
      cure: 'Give another --port, --admin-port (default: the port after --port) or --data.',
    });
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
    throw new CommandError(`--notify-secret ${file}: ${describeFileError(cause)}`, {
      cause,
      cure: 'Make it:\nopenssl rand -base64 32 >FILE',
    });
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

export const commands = { sandbox };
