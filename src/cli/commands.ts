/** Every command: how it is called, what it does, and where it is. Only the one that is named is loaded. */
import type { Command } from 'commander';

export interface CommandEntry {
  /** Name and arguments, as the list of commands shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

export interface CommandModule {
  /** Gives a command its arguments, options and action. */
  readonly define: (command: Command) => Command;
}

export const commands: readonly CommandEntry[] = [
  {
    usage: 'run [file]',
    summary: 'carry every row of a manifest to its post; without a file, go on with what is unfinished',
    load: () => import('./commands/run.ts'),
  },
  {
    usage: 'import <file>',
    summary: 'check a manifest and hand it to workers that run elsewhere (campaigns worker)',
    load: () => import('./commands/import.ts'),
  },
  {
    usage: 'check <file>',
    summary: 'check a manifest: all problems, and the plan; nothing is posted',
    load: () => import('./commands/check.ts'),
  },
  {
    usage: 'template',
    summary: 'print an example manifest: each kind of post, and what every column means',
    load: () => import('./commands/template.ts'),
  },
  {
    usage: 'list',
    summary: 'list all campaigns, newest first',
    load: () => import('./commands/list.ts'),
  },
  {
    usage: 'show <id>',
    summary: 'show one campaign: its counts, and why rows failed or wait for a decision',
    load: () => import('./commands/show.ts'),
  },
  {
    usage: 'watch <id>',
    summary: 'follow a campaign until it ends or is paused: steps, pace, and what holds it back',
    load: () => import('./commands/watch.ts'),
  },
  {
    usage: 'report <id>',
    summary: 'write the results sheet of a campaign: its own columns, then what became of each row',
    load: () => import('./commands/report.ts'),
  },
  {
    usage: 'refresh <id>',
    summary: 'look into the publishing records: find rows in review, and follow posts',
    load: () => import('./commands/refresh.ts'),
  },
  {
    usage: 'retry <id>',
    summary: 'do failed rows of a campaign again; rows in review are left for a person to decide',
    load: () => import('./commands/retry.ts'),
  },
  {
    usage: 'settle <id> <row>',
    summary: 'decide about a row in review: what became of its post or its generation',
    load: () => import('./commands/settle.ts'),
  },
  {
    usage: 'pause <id>',
    summary: 'hold a campaign: calls under way finish, nothing further is sent until it is resumed',
    load: () => import('./commands/pause.ts'),
  },
  {
    usage: 'resume <id>',
    summary: 'let a paused campaign go on, or take up a creator who has authorized anew',
    load: () => import('./commands/resume.ts'),
  },
  {
    usage: 'cancel <id>',
    summary: 'call a campaign off, for good: rows that wait or run are cancelled',
    load: () => import('./commands/cancel.ts'),
  },
  {
    usage: 'delete <id>',
    summary: 'remove a campaign that has ended, with all that is known of its rows',
    load: () => import('./commands/delete.ts'),
  },
  {
    usage: 'budgets [operation] [rate]',
    summary: 'see the rate of each operation, and change it while campaigns run',
    load: () => import('./commands/budgets.ts'),
  },
  {
    usage: 'journal',
    summary: 'tell whether Redis has lost entries of the send journal, and accept it as it is',
    load: () => import('./commands/journal.ts'),
  },
  {
    usage: 'creators',
    summary: 'list the creators that have authorized the service, and what each may post',
    load: () => import('./commands/creators.ts'),
  },
  {
    usage: 'products <creator>',
    summary: "list the products in a creator's showcase",
    load: () => import('./commands/products.ts'),
  },
  {
    usage: 'music <text>',
    summary: 'search background music; needs the setting api.searchMusic',
    load: () => import('./commands/music.ts'),
  },
  {
    usage: 'worker',
    summary: 'work off all campaigns, beside other workers, until SIGTERM or Ctrl-C',
    load: () => import('./commands/worker.ts'),
  },
  {
    usage: 'serve',
    summary: 'work off all campaigns, with Bull Board at /board, until SIGTERM or Ctrl-C',
    load: () => import('./commands/serve.ts'),
  },
  {
    usage: 'doctor',
    summary: 'look at all that a run needs: settings, Redis, service, key, clock, disk, workers',
    load: () => import('./commands/doctor.ts'),
  },
  {
    usage: 'sandbox',
    summary: 'run the service locally, to develop and test against',
    load: () => import('./commands/sandbox.ts'),
  },
  {
    usage: 'demo',
    summary:
      'carry the campaign of examples/ through a sandbox and a private Redis, and check what came of it',
    load: () => import('./commands/demo.ts'),
  },
  {
    usage: 'stop',
    summary:
      'end the private Redis of this data directory (DATA_DIR), and with it whatever uses it; its data stays',
    load: () => import('./commands/stop.ts'),
  },
];
