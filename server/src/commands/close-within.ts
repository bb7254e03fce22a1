const closeMsMax = 3_000

/** Closes what a command opened; a server that hangs does not keep the command from ending. */
export async function closeWithin({ close }: { close: () => Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMsMax)
  })
  await Promise.race([close().catch(() => undefined), late])
  clearTimeout(timer)
}
