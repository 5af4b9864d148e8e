/** Options that several commands share. */
import { InvalidArgumentError, Option } from 'commander';

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'settings file (default: the one that CAMPAIGNS_CONFIG names)');
export const yesOption = () => new Option('--yes', 'do not ask, on a terminal');
export const csvOption = () => new Option('--csv', 'print CSV, to be pasted into a sheet').conflicts('json');

/** Reads the value of an option that is a port. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return port;
}
/** Under which account of the service: beside the one of the environment the settings may name others. */
export const accountOption = () =>
  new Option(
    '--account <name>',
    'account of the service, as the settings name it (default: the one of CREATOR_API_URL)',
  );
