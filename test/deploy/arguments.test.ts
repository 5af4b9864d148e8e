import { expect, it } from 'vitest';
import { commands as entries } from '../../src/cli/commands.ts';
import { CliCommand } from '../../src/cli/flags/common.ts';
import { allWorkloads, type ComposeService, composeFiles, readCompose } from '../support/sheets/manifests.ts';

const commands = await Promise.all(
  entries.map(async ([usage, _summary, load]) => (await load())(new CliCommand(usage.split(' ')[0]))),
);

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
