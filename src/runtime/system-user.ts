/** The author of changes by commands, or in an open console: the user of the system. */
import { userInfo } from 'node:os';

export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
