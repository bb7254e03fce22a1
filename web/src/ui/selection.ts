import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useCallback, useMemo, useRef, useState } from 'react'

/** Selected codes, on any page of the list. At most as many as a batch accepts. */
export type Selection = {
  codes: ReadonlyMap<string, QrCode>
  /** Selects or deselects a code. With `range`, all codes from the last one on. */
  toggle: (code: QrCode, how: { range: boolean; on: boolean }) => void
  /** Selects or deselects codes, as many as fit. */
  set: (codes: readonly QrCode[], on: boolean) => void
  /** Selects more codes, whatever was selected meanwhile. */
  add: (codes: readonly QrCode[]) => void
  /** Updates selected codes to their current versions. */
  renew: (codes: readonly QrCode[]) => void
  clear: () => void
}

/**
 * Returns the selection. `shown` are the codes of the page, in order. `onFull` is called if there
 * was no room for all.
 */
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

/** Selects or deselects codes. With `on`, selects at most as many as a batch accepts. */
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
