import { Command } from 'commander';
import { expect, it } from 'vitest';
import { list } from '../../src/cli/commands/list.ts';
import { sandbox } from '../../src/cli/commands/sandbox.ts';
import { serve } from '../../src/cli/commands/serve.ts';
import { worker } from '../../src/cli/commands/worker.ts';
import { allWorkloads, readCompose } from '../support/sheets/manifests.ts';

const commands = Object.entries({ list, sandbox, serve, worker }).map(([name, define]) =>
  define(new Command(name)),
);

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
