import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useCallback, useMemo, useRef, useState } from 'react'

/** Codes that were chosen, on any page of the list; at most as many as a batch takes. */
export type Selection = {
  codes: ReadonlyMap<string, QrCode>
  /** Chooses a code or lets go of it; with `range`, all from the one before it on. */
  toggle: (code: QrCode, how: { range: boolean; on: boolean }) => void
  /** Chooses codes or lets go of them, as many as fit. */
  set: (codes: readonly QrCode[], on: boolean) => void
  /** Chooses more codes, whatever was chosen meanwhile. */
  add: (codes: readonly QrCode[]) => void
  /** Takes note of codes as they are now. */
  renew: (codes: readonly QrCode[]) => void
  clear: () => void
}

/** `shown`: the codes of the page, in their order. `onFull`: told when there was no room for all. */
export function useSelection(shown: readonly QrCode[], onFull: () => void): Selection {
  const [codes, setCodes] = useState<ReadonlyMap<string, QrCode>>(new Map())
  const last = useRef<string>(undefined)
  const set = useCallback(
    (changed: readonly QrCode[], on: boolean) => {
      const next = changedBy(codes, changed, on)
      if (on && changed.some(({ id }) => !next.has(id))) onFull()
      setCodes(next)
    },
    [codes, onFull],
  )
  return useMemo(
    () => ({
      codes,
      set,
      add: (more) => setCodes((now) => changedBy(now, more, true)),
      renew: (renewed) =>
        setCodes((now) =>
          changedBy(
            now,
            renewed.filter(({ id }) => now.has(id)),
            true,
          ),
        ),
      clear: () => setCodes(new Map()),
      toggle: (code, { range, on }) => {
        const from = range ? shown.findIndex(({ id }) => id === last.current) : -1
        const to = shown.findIndex(({ id }) => id === code.id)
        last.current = code.id
        set(from < 0 ? [code] : shown.slice(Math.min(from, to), Math.max(from, to) + 1), on)
      },
    }),
    [codes, set, shown],
  )
}

/** With `on`, as many of them as a batch takes. */
function changedBy(
  codes: ReadonlyMap<string, QrCode>,
  changed: readonly QrCode[],
  on: boolean,
): ReadonlyMap<string, QrCode> {
  const next = new Map(codes)
  for (const code of changed) {
    if (!on) next.delete(code.id)
    else if (next.has(code.id) || next.size < limits.batchMax) next.set(code.id, code)
  }
  return next
}
