import { createInterface } from 'node:readline/promises'

type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  /** Not standard output, which holds only the output of the command. */
  output: NodeJS.WritableStream
}

/**
 * Asks the operator before an action that cannot be undone. Any answer but "y" or "yes" is no.
 * Throws an Error that names --yes if the input is not a terminal.
 */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (input.isTTY !== true) throw new Error(`${question} To go on without this question, add --yes.`)
  const lines = createInterface({ input, output })
  // The end of the input counts as no.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} Go on? [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
