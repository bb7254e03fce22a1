import { createInterface } from 'node:readline/promises'

type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  /** Not standard output: that is the command's own. */
  output: NodeJS.WritableStream
}

/**
 * Asks a person before something that cannot be taken back; anything but "y" or "yes" is no. Throws an Error that names the option
 * where nobody can be asked.
 */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (input.isTTY !== true) throw new Error(`${question} To go on without being asked, add --yes.`)
  const lines = createInterface({ input, output })
  // The end of the input is no answer.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} Go on? [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
