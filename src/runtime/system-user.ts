/** Who a change by a command, or in an open console, counts as: the user of the system. */
import { userInfo } from 'node:os';

export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
