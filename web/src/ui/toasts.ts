/**
 * A report of an action, shown below the page for a while. With `undo`, the action can be undone
 * until the toast ends.
 */
export type Toast = {
  id: number
  text: string
  kind: 'good' | 'problem'
  undo?: () => void
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
/** Long enough to read it and to think about undoing it. */
const shownMs = { good: 5_000, undo: 10_000, problem: 10_000 } as const
const shownMax = 3

/** Shows a toast and returns its id. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++lastId
  // The same report is shown once. Toasts with undo stay separate, because each undoes something
  // else.
  for (const same of toasts.filter(({ text, undo }) => text === toast.text && undo === undefined))
    hideToast(same.id)
  for (const oldest of toasts.slice(0, Math.max(0, toasts.length + 1 - shownMax))) hideToast(oldest.id)
  change([...toasts, { ...toast, id }])
  const ms = toast.undo === undefined ? shownMs[toast.kind] : shownMs.undo
  setTimeout(() => hideToast(id), ms)
  return id
}

export function hideToast(id: number): void {
  take(id)
}

/** Undoes the action of a toast. */
export function undoToast(id: number): void {
  take(id)?.undo?.()
}

export const readToasts = () => toasts

/** Calls `listener` at every change. Returns a function that ends that. */
export function watchToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function take(id: number): Toast | undefined {
  const found = toasts.find((toast) => toast.id === id)
  if (found !== undefined) change(toasts.filter((toast) => toast !== found))
  return found
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
