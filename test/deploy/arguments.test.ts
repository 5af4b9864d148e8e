import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commands as importing } from '../../src/cli/commands/import.ts';
import { commands as list } from '../../src/cli/commands/list.ts';
import { commands as sandbox } from '../../src/cli/commands/sandbox.ts';
import { commands as serve } from '../../src/cli/commands/serve.ts';
import { commands as show } from '../../src/cli/commands/show.ts';
import { commands as steer } from '../../src/cli/commands/steer.ts';
import { commands as worker } from '../../src/cli/commands/worker.ts';
import { allWorkloads, type ComposeService, composeFiles, readCompose } from '../support/sheets/manifests.ts';

const modules = { ...importing, ...list, ...show, ...sandbox, ...serve, ...steer, ...worker };
const commands = Object.entries(modules).map(([name, define]) => define(new Command(name)));

/** The commands of a service, with their arguments; for a script, only the commands that it names. */
function commandsOf({ entrypoint, command }: ComposeService): readonly (readonly string[])[] {
  const inScript = [...entrypoint.join(' ').matchAll(/campaigns ([a-z]+)/g)].map(([, name = '']) => [name]);
  return inScript.length > 0 ? inScript : [command];
}

const started = [
  ...composeFiles.flatMap((file) =>
    Object.entries(readCompose(file).services)
      .filter(([, { build, command }]) => build !== undefined && command.length > 0)
      .flatMap(([name, service]) =>
        commandsOf(service).map((command) => [`service ${name} of ${file}`, command] as const),
      ),
  ),
  ...allWorkloads().flatMap(({ spec }) =>
    spec.template.spec.containers
      .filter(({ image }) => image === 'campaign-runner')
      .map(({ name, args }) => [`container ${name}`, args] as const),
  ),
];

it.each(started)('%s is started by a command that takes its options', (_name, [name, ...args]) => {
  const command = commands.find((known) => known.name() === name);
  expect(command, name).toBeDefined();
  const options = command?.options.map(({ long }) => long);
  expect(options).toEqual(expect.arrayContaining(args.filter((arg) => arg.startsWith('--'))));
});
