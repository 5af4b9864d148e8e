/** Every command. Only the module of the command that was named is loaded. */
import type { Define } from './flags/common.ts';

interface CommandModule {
  /** By name: related commands share a module. */
  readonly commands: Readonly<Record<string, Define>>;
}

type CommandEntry = readonly [usage: string, summary: string, load: () => Promise<CommandModule>];

/** Commands that read no settings file, and so take no `--config`. */
export const withoutSettings: ReadonlySet<string> = new Set(['template', 'sandbox', 'demo', 'stop']);

export const commands: readonly CommandEntry[] = [
  ['run [file]', 'post every row of a sheet, or resume where it stopped', () => import('./commands/run.ts')],
  ['import <file>', 'import a sheet, for workers elsewhere to post', () => import('./commands/import.ts')],
  ['check <file>', 'show all problems of a sheet, and the plan', () => import('./commands/check.ts')],
  ['template', 'print an example sheet that explains every column', () => import('./commands/template.ts')],
  ['list', 'list all campaigns, newest first', () => import('./commands/list.ts')],
  ['show <id> [key]', "show counts and causes, or one row's history", () => import('./commands/show.ts')],
  ['watch <id>', 'follow a campaign until it ends or is paused', () => import('./commands/watch.ts')],
  ['report <id>', 'write the results sheet of a campaign', () => import('./commands/report.ts')],
  ['refresh <id>', 'look for posts in the publishing records', () => import('./commands/refresh.ts')],
  ['retry <id>', 'retry failed rows, but not rows in review', () => import('./commands/retry.ts')],
  ['decide <id> [row]', 'decide rows in review: one, or many', () => import('./commands/decide.ts')],
  ['pause <id>', 'send nothing more until the campaign is resumed', () => import('./commands/steer.ts')],
  ['resume <id>', "resume a campaign, or a creator's rows", () => import('./commands/steer.ts')],
  ['cancel <id>', 'cancel all waiting and running rows, for good', () => import('./commands/steer.ts')],
  ['delete <id>', 'remove an ended campaign and its results', () => import('./commands/steer.ts')],
  ['rate-limits [name] [rate]', 'show or change call rates', () => import('./commands/rate-limits.ts')],
  ['journal', 'check whether Redis lost records of what was sent', () => import('./commands/journal.ts')],
  ['creators', 'list authorized creators and what they may post', () => import('./commands/look-ups.ts')],
  ['products <creator>', "list a creator's showcase products", () => import('./commands/look-ups.ts')],
  ['music <text>', 'search background music', () => import('./commands/look-ups.ts')],
  ['videos [command]', 'show how published videos do', () => import('./commands/videos.ts')],
  ['users [command]', 'who may sign in to the console', () => import('./commands/users.ts')],
  ['worker', 'process campaigns until stopped', () => import('./commands/worker.ts')],
  ['serve', 'process campaigns, and serve the console', () => import('./commands/serve.ts')],
  ['doctor', 'check all that a run needs, and show what to fix', () => import('./doctor/examine.ts')],
  ['sandbox', 'run a local stand-in for the service', () => import('./commands/sandbox.ts')],
  ['demo', 'run the example campaign in a sandbox', () => import('./demo/demo.ts')],
  ['stop', 'end the private Redis of DATA_DIR; its data stays', () => import('./commands/stop.ts')],
];
