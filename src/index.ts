/**
 * `campaign-runner`: opens Redis, ledger and accounts as the settings and the environment name them, and does with
 * campaigns what the command line does.
 */

export { startCampaign } from './campaigns/hand-in/start.ts';
export { followCampaigns, openProgressReader } from './campaigns/progress/follow.ts';
export { writeResults } from './campaigns/results/write.ts';
export { openAccounts, type ServiceAccounts } from './runtime/accounts.ts';
export { findCampaign, type LedgerSession, openLedger } from './runtime/runtime.ts';
export { createLog, createWorkers } from './runtime/workers.ts';
