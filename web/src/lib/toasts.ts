/** Something that was done, told below the page for a while; with `undo` it can be taken back as long as it is there. */
export type Toast = { id: number; text: string; kind: 'good' | 'problem'; undo?: () => void }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
/** Long enough to read it, and to think about taking it back. */
const shownMs = { good: 5_000, undo: 10_000, problem: 10_000 } as const
const shownMax = 3

export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId
  // Said twice is not done twice.
  const others = toasts.filter(({ text }) => text !== toast.text)
  change([...others.slice(1 - shownMax), { ...toast, id }])
  const ms = toast.undo === undefined ? shownMs[toast.kind] : shownMs.undo
  setTimeout(() => hideToast(id), ms)
}

export function hideToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export const readToasts = () => toasts

/** Calls `listener` at every change; gives what ends that. */
export function watchToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
