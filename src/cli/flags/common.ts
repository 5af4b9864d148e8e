/** Options that several commands share. */
import { InvalidArgumentError, Option } from 'commander';

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'read settings from this file (default: CAMPAIGNS_CONFIG)');
export const yesOption = () => new Option('--yes', 'do not ask for confirmation');
export const csvOption = () => new Option('--csv', 'print CSV, to paste into a sheet').conflicts('json');
export const accountOption = () =>
  new Option('--account <name>', 'use this account of the settings, not CREATOR_API_URL');

/** Parses the value of an option that is a port. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return port;
}
