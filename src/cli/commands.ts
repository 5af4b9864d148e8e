/** Every command. */
import type { Define } from './flags/common.ts';

/** Where each is. Only the module of the command that was named is loaded. */
const load = {
  template: async () => (await import('./commands/template.ts')).template,
  check: async () => (await import('./commands/check.ts')).check,
  creators: async () => (await import('./commands/look-ups.ts')).creators,
  products: async () => (await import('./commands/look-ups.ts')).products,
  music: async () => (await import('./commands/look-ups.ts')).music,
  run: async () => (await import('./commands/run.ts')).run,
  importSheet: async () => (await import('./commands/run.ts')).importSheet,
  approve: async () => (await import('./commands/approve.ts')).approve,
  share: async () => (await import('./commands/share.ts')).share,
  pause: async () => (await import('./commands/steer.ts')).pause,
  resume: async () => (await import('./commands/steer.ts')).resume,
  cancel: async () => (await import('./commands/steer.ts')).cancel,
  remove: async () => (await import('./commands/steer.ts')).remove,
  retry: async () => (await import('./commands/retry.ts')).retry,
  decide: async () => (await import('./commands/decide.ts')).decide,
  refresh: async () => (await import('./commands/retry.ts')).refresh,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  watch: async () => (await import('./commands/watch.ts')).watch,
  report: async () => (await import('./commands/report.ts')).report,
  videos: async () => (await import('./commands/videos.ts')).videos,
  worker: async () => (await import('./commands/worker.ts')).worker,
  serve: async () => (await import('./commands/serve.ts')).serve,
  users: async () => (await import('./commands/users.ts')).users,
  rateLimits: async () => (await import('./commands/rate-limits.ts')).rateLimits,
  doctor: async () => (await import('./doctor/examine.ts')).doctor,
  journal: async () => (await import('./commands/journal.ts')).journal,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  demo: async () => (await import('./demo/demo.ts')).demo,
  stop: async () => (await import('./commands/stop.ts')).stop,
};

type CommandEntry = readonly [usage: string, summary: string, load: () => Promise<Define>];

/** Commands that read no settings file, and so take no `--config`. */
export const withoutSettings: ReadonlySet<string> = new Set(['template', 'sandbox', 'demo', 'stop']);

/** Under their headings in the help. */
export const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Plan:': [
    ['template', 'print an example sheet, every column explained', load.template],
    ['check <file>', 'show all problems of a sheet, and the plan', load.check],
    ['creators', 'list creators and what they may post', load.creators],
    ['products <creator>', "list a creator's showcase products", load.products],
    ['music <text>', 'search background music', load.music],
  ],
  'Post:': [
    ['run [file]', 'post a sheet, or resume where it stopped', load.run],
    ['import <file>', 'import a sheet, for running workers to post', load.importSheet],
    ['approve <id> [rows...]', 'approve or reject posts that wait, or withdraw approvals', load.approve],
    ['share [id]', 'make a link for clients to see the posts', load.share],
    ['pause <id>', 'send nothing more until resumed', load.pause],
    ['resume <id>', "resume a campaign, or a creator's rows", load.resume],
    ['cancel <id> [rows...]', 'cancel unposted rows for good: all, or those named', load.cancel],
    ['delete <id>', 'remove an ended campaign and its results', load.remove],
  ],
  'Fix:': [
    ['retry <id>', 'retry failed rows, but not those in review', load.retry],
    ['decide <id> [row]', 'decide rows in review: one, or many', load.decide],
    ['refresh <id>', 'ask the service which posts were published', load.refresh],
  ],
  'Watch:': [
    ['list', 'list all campaigns, newest first', load.list],
    ['show <id> [key]', "show counts and causes, or a row's history", load.show],
    ['watch <id>', 'follow a campaign until it ends', load.watch],
    ['report <id>', 'write the results sheet of a campaign', load.report],
    ['videos [command]', 'show how published videos perform', load.videos],
  ],
  'Operate:': [
    ['worker', 'process campaigns until stopped', load.worker],
    ['serve', 'process campaigns, and serve the console', load.serve],
    ['users [command]', 'who may sign in to the console', load.users],
    ['rate-limits [name] [rate]', 'show or change call rates', load.rateLimits],
    ['doctor', 'check all that a run needs', load.doctor],
    ['journal', 'check if Redis lost what was sent', load.journal],
    ['sandbox', 'run a local stand-in for the service', load.sandbox],
    ['demo', 'post the example campaign to a sandbox', load.demo],
    ['stop', 'end the private Redis; its data stays', load.stop],
  ],
};

export const commands: readonly CommandEntry[] = Object.values(commandGroups).flat();
