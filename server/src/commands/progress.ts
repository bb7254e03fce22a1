const lineMs = 10_000
const terminalMs = 100

/** Reports progress: on a terminal in one changing line, elsewhere at most every 10 s. */
export function createProgress(output: { write: (text: string) => unknown; isTTY?: boolean }): {
  say: (text: string) => void
  end: () => void
} {
  const isTerminal = output.isTTY === true
  let writtenAtMs = performance.now()
  let isOpen = false
  const end = (): void => {
    if (isOpen) output.write('\r\u001B[K')
    isOpen = false
  }
  return {
    say: (text) => {
      if (text === '') return end()
      if (performance.now() - writtenAtMs < (isTerminal ? terminalMs : lineMs)) return
      writtenAtMs = performance.now()
      output.write(isTerminal ? `\r\u001B[K${text}` : `${text}\n`)
      isOpen = isTerminal
    },
    end,
  }
}
