const lineMs = 10_000
const terminalMs = 100

/** Says how far long work is: on a terminal in one line that is written again, elsewhere in a line every 10 s. */
export function createProgress(output: { write: (text: string) => unknown; isTTY?: boolean }): {
  say: (text: string) => void
  end: () => void
} {
  const isTerminal = output.isTTY === true
  let saidAtMs = performance.now()
  let isOpen = false
  const end = (): void => {
    if (isOpen) output.write('\r\u001B[K')
    isOpen = false
  }
  return {
    say: (text) => {
      if (text === '') return end()
      if (performance.now() - saidAtMs < (isTerminal ? terminalMs : lineMs)) return
      saidAtMs = performance.now()
      output.write(isTerminal ? `\r\u001B[K${text}` : `${text}\n`)
      isOpen = isTerminal
    },
    end,
  }
}
