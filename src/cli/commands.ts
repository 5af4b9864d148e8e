/** Every command. Only the module of the command that was named is loaded. */
import type { Define } from './flags/common.ts';

export interface CommandModule {
  /** By name: related commands share a module. */
  readonly commands: Readonly<Record<string, Define>>;
}

type CommandEntry = readonly [usage: string, summary: string, load: () => Promise<CommandModule>];

/** Commands that read no settings file, and so take no `--config`. */
export const withoutSettings: ReadonlySet<string> = new Set(['template', 'sandbox', 'demo', 'stop']);

/** Under their headings in the help. */
export const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Plan:': [
    ['template', 'print an example sheet, every column explained', () => import('./commands/template.ts')],
    ['check <file>', 'show all problems of a sheet, and the plan', () => import('./commands/check.ts')],
    ['creators', 'list creators and what they may post', () => import('./commands/look-ups.ts')],
    ['products <creator>', "list a creator's showcase products", () => import('./commands/look-ups.ts')],
    ['music <text>', 'search background music', () => import('./commands/look-ups.ts')],
  ],
  'Post:': [
    ['run [file]', 'post a sheet, or resume where it stopped', () => import('./commands/run.ts')],
    ['import <file>', 'import a sheet, for running workers to post', () => import('./commands/import.ts')],
    [
      'approve <id> [rows...]',
      'approve or reject posts that wait, or withdraw approvals',
      () => import('./commands/approve.ts'),
    ],
    ['share [id]', 'make a link for clients to see the posts', () => import('./commands/share.ts')],
    ['pause <id>', 'send nothing more until resumed', () => import('./commands/steer.ts')],
    ['resume <id>', "resume a campaign, or a creator's rows", () => import('./commands/steer.ts')],
    [
      'cancel <id> [rows...]',
      'cancel unposted rows for good: all, or those named',
      () => import('./commands/steer.ts'),
    ],
    ['delete <id>', 'remove an ended campaign and its results', () => import('./commands/steer.ts')],
  ],
  'Fix:': [
    ['retry <id>', 'retry failed rows, but not those in review', () => import('./commands/retry.ts')],
    ['decide <id> [row]', 'decide rows in review: one, or many', () => import('./commands/decide.ts')],
    ['refresh <id>', 'search the publishing records for posts', () => import('./commands/refresh.ts')],
  ],
  'Watch:': [
    ['list', 'list all campaigns, newest first', () => import('./commands/list.ts')],
    ['show <id> [key]', "show counts and causes, or a row's history", () => import('./commands/show.ts')],
    ['watch <id>', 'follow a campaign until it ends', () => import('./commands/watch.ts')],
    ['report <id>', 'write the results sheet of a campaign', () => import('./commands/report.ts')],
    ['videos [command]', 'show how published videos perform', () => import('./commands/videos.ts')],
  ],
  'Operate:': [
    ['worker', 'process campaigns until stopped', () => import('./commands/worker.ts')],
    ['serve', 'the same, with the console', () => import('./commands/serve.ts')],
    ['users [command]', 'who may sign in to the console', () => import('./commands/users.ts')],
    ['rate-limits [name] [rate]', 'show or change call rates', () => import('./commands/rate-limits.ts')],
    ['doctor', 'check all that a run needs', () => import('./doctor/examine.ts')],
    ['journal', 'check if Redis lost what was sent', () => import('./commands/journal.ts')],
    ['sandbox', 'run a local stand-in for the service', () => import('./commands/sandbox.ts')],
    ['demo', 'post the example campaign to a sandbox', () => import('./demo/demo.ts')],
    ['stop', 'end the private Redis; its data stays', () => import('./commands/stop.ts')],
  ],
};

export const commands: readonly CommandEntry[] = Object.values(commandGroups).flat();
