/** Tests that need a program which this machine may lack. */

/** Skips the test. Where nobody reads messages, it fails instead: continuous integration must run every test. */
export function lacking(
  test: { readonly skip: (note: string) => never },
  what: string,
  env: NodeJS.ProcessEnv = process.env,
): never {
  const message = `there is no ${what} on this machine: run scripts/setup --tests to install it`;
  if (env.CI) throw new Error(message);
  return test.skip(message);
}
