/** Whether the error says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Describes a file system error in plain words; any other error by its own message. */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder; name a file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read or written: check its permissions';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return message;
  }
}
