/** The creator of a row: username, `creatorId` or account id, or the link of a profile. */
import type { RowInput } from '../row-input.ts';
import { findIdFault, nameInLink } from './id.ts';

/** A profile link, on any host, is read as its `@username`. `1.234.0` stays: a username may have dots. */
export function readCreator(input: RowInput): string {
  const text = input.required('creator');
  const fault = text === '' ? null : findIdFault(text);
  if (fault === null || (fault === 'number' && !/[^\d.]/.test(text))) return text;
  const linked = fault === 'link' ? nameInLink(text) : undefined;
  if (linked?.isProfile) return linked.name;
  input.reportIdFault('creator', fault);
  return text;
}

/** The creator that a text names: of the link of a profile, its `@username`. */
export function creatorIn(text: string): string {
  const linked = text.includes('/') ? nameInLink(text) : undefined;
  return linked?.isProfile ? linked.name : text;
}

/** The name that a text gives, as the service has it: people write `@name` or the link of a profile for a username. */
export function usernameIn(text: string): string {
  const name = creatorIn(text);
  return name.startsWith('@') ? name.slice(1) : name;
}
