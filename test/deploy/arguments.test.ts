import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commands as list } from '../../src/cli/commands/list.ts';
import { commands as sandbox } from '../../src/cli/commands/sandbox.ts';
import { commands as serve } from '../../src/cli/commands/serve.ts';
import { commands as show } from '../../src/cli/commands/show.ts';
import { commands as worker } from '../../src/cli/commands/worker.ts';
import { allWorkloads, readCompose } from '../support/sheets/manifests.ts';

const modules = { ...list, ...show, ...sandbox, ...serve, ...worker };
const commands = Object.entries(modules).map(([name, define]) => define(new Command(name)));

const started = [
  ...Object.entries(readCompose())
    .filter(([, { build, command }]) => build !== undefined && command.length > 0)
    .map(([name, { command }]) => [`service ${name}`, command] as const),
  ...allWorkloads().flatMap(({ spec }) =>
    spec.template.spec.containers
      .filter(({ image }) => image === 'campaign-runner')
      .map(({ name, args }) => [`container ${name}`, args] as const),
  ),
];

it.each(started)('%s is started by a command that takes its options', (_name, [name, ...args]) => {
  const command = commands.find((known) => known.name() === name);
  const options = command?.options.map(({ long }) => long);
  expect(options).toEqual(expect.arrayContaining(args.filter((arg) => arg.startsWith('--'))));
});
