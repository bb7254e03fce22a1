/**
 * Does something to a code, or to one that waits. One that stops waiting between both is looked for
 * again.
 */
export async function codeOrWaiting<Result>(
  ofCode: () => Promise<Result | undefined>,
  ofWaiting: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return (await ofCode()) ?? (await ofWaiting()) ?? (await ofCode())
}
