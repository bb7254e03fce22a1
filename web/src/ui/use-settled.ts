import { useEffect, useState } from 'react'

/** The value, once it has not changed for so long. The first one is there at once. */
export function useSettled<T extends object>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
