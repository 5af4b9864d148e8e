/** Takes images as `shrink-program.ts` does; crashes or hangs where one says so. */
process.on('message', (image: Uint8Array) => {
  const text = Buffer.from(image).toString();
  if (text === 'crash') process.kill(process.pid, 'SIGSEGV');
  else if (text !== 'hang') process.send?.(['small', 'tiny'].map((size) => Buffer.from(`${size} ${text}`)));
});
process.on('disconnect', () => process.exit(0));
