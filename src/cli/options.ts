/** Options that several commands share. */
import { Option } from 'commander';

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'settings file (default: the one that CAMPAIGNS_CONFIG names)');
export const csvOption = () => new Option('--csv', 'print CSV, to be pasted into a sheet').conflicts('json');
/** Under which account of the service: beside the one of the environment the settings may name others. */
export const accountOption = () =>
  new Option(
    '--account <name>',
    'account of the service, as the settings name it (default: the one of CREATOR_API_URL)',
  );
