/** Every command. Only the module of the command that was named is loaded. */
import type { Define } from './flags/common.ts';

type CommandEntry = readonly [usage: string, summary: string, load: () => Promise<Define>];

/** Commands that read no settings file, and so take no `--config`. */
export const withoutSettings: ReadonlySet<string> = new Set(['template', 'sandbox', 'demo', 'stop']);

export const commands: readonly CommandEntry[] = [
  [
    'run [file]',
    'post every row of a manifest, or go on where it stopped',
    async () => (await import('./commands/run.ts')).run,
  ],
  [
    'import <file>',
    'check a manifest and hand it to workers elsewhere',
    async () => (await import('./commands/import.ts')).defineImport,
  ],
  [
    'check <file>',
    'show all problems of a manifest, and the plan',
    async () => (await import('./commands/check.ts')).check,
  ],
  [
    'template',
    'print an example manifest, every column explained',
    async () => (await import('./commands/template.ts')).template,
  ],
  ['list', 'list all campaigns, newest first', async () => (await import('./commands/list.ts')).list],
  [
    'show <id> [key]',
    "show counts and causes, or one row's story",
    async () => (await import('./commands/list.ts')).show,
  ],
  [
    'watch <id>',
    'follow a campaign until it ends or is paused',
    async () => (await import('./commands/watch.ts')).watch,
  ],
  [
    'report <id>',
    'write the results sheet of a campaign',
    async () => (await import('./commands/report.ts')).report,
  ],
  [
    'refresh <id>',
    'look for posts in the publishing records',
    async () => (await import('./commands/refresh.ts')).refresh,
  ],
  [
    'retry <id>',
    'do failed rows again, but not rows in review',
    async () => (await import('./commands/retry.ts')).retry,
  ],
  [
    'settle <id> [row]',
    'decide about rows in review: one, many, a sheet',
    async () => (await import('./commands/settle.ts')).settle,
  ],
  ['decide <id> [row]', 'another name of settle', async () => (await import('./commands/settle.ts')).settle],
  [
    'pause <id>',
    'send nothing more until the campaign is resumed',
    async () => (await import('./commands/steer.ts')).pause,
  ],
  [
    'resume <id>',
    'go on with a paused campaign, or with a creator',
    async () => (await import('./commands/steer.ts')).resume,
  ],
  [
    'cancel <id>',
    'cancel all waiting and running rows, for good',
    async () => (await import('./commands/steer.ts')).cancel,
  ],
  [
    'delete <id>',
    'remove an ended campaign and its results',
    async () => (await import('./commands/steer.ts')).remove,
  ],
  [
    'budgets [operation] [rate]',
    'show or change call rates',
    async () => (await import('./commands/budgets.ts')).define,
  ],
  [
    'journal',
    'check whether Redis lost records of what was sent',
    async () => (await import('./commands/journal.ts')).journal,
  ],
  [
    'creators',
    'list authorized creators and what they may post',
    async () => (await import('./commands/look-ups.ts')).creators,
  ],
  [
    'products <creator>',
    "list a creator's showcase products",
    async () => (await import('./commands/look-ups.ts')).products,
  ],
  ['music <text>', 'search background music', async () => (await import('./commands/look-ups.ts')).music],
  [
    'videos [command]',
    'watch how published videos do',
    async () => (await import('./commands/videos.ts')).videos,
  ],
  [
    'users [command]',
    'who may sign in to the console',
    async () => (await import('./commands/users.ts')).users,
  ],
  [
    'worker',
    'work off all campaigns until SIGTERM or Ctrl-C',
    async () => (await import('./commands/worker.ts')).worker,
  ],
  [
    'serve',
    'work off all campaigns, and serve the console',
    async () => (await import('./commands/serve.ts')).serve,
  ],
  [
    'doctor',
    'check all that a run needs, and show how to mend it',
    async () => (await import('./doctor/examine.ts')).doctor,
  ],
  [
    'sandbox',
    'run a local stand-in for the service',
    async () => (await import('./commands/sandbox.ts')).sandbox,
  ],
  ['demo', 'run the example campaign in a sandbox', async () => (await import('./demo/demo.ts')).demo],
  [
    'stop',
    'end the private Redis of DATA_DIR; its data stays',
    async () => (await import('./commands/stop.ts')).stop,
  ],
];
