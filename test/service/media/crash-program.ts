/** Takes images as `shrink-program.ts` does; crashes or hangs where one says so. */
process.on('message', (image: Uint8Array) => {
  const text = Buffer.from(image).toString();
  if (text === 'crash') process.kill(process.pid, 'SIGSEGV');
  else if (text !== 'hang') process.send?.(Buffer.from(`small ${text}`));
});
process.on('disconnect', () => process.exit(0));
