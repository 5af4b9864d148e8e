/** The environment of programs that the runner starts. */

/** The search path, and nothing else: the rest of our environment holds the API key and other secrets. */
export function environmentOfChildren(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { PATH: env.PATH, LC_ALL: 'C' };
}
