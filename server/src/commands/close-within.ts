const closeMsMax = 3_000

/** Closes the connections of a command within 3 s, even if a database server hangs. */
export async function closeWithin({ close }: { close: () => Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMsMax)
  })
  await Promise.race([close().catch(() => undefined), late])
  clearTimeout(timer)
}
