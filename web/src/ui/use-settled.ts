import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for `afterMs`. Returns the first value immediately. */
export function useSettled<T extends object>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
