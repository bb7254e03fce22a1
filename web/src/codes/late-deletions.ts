import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useSyncExternalStore } from 'react'
import { bulkWords } from '../words/codes-words.ts'
import { lastingApi } from '../session/api.ts'
import { codesText, reportErrors, refreshCodes } from './code-changes.ts'
import { showProblem } from '../ui/problems.ts'
import { hideToast, showToast } from '../ui/toasts.ts'

/** Codes that are deleted for the user, but not yet for the service, which cannot restore them. */
type LateDeletion = { codes: readonly QrCode[]; toastId: number; run: () => Promise<void> }

let waiting: readonly LateDeletion[] = []
let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/**
 * Deletes codes when the time for undo is over: when their toast ends, or when the user leaves. A
 * browser that is killed before that deletes nothing.
 */
export function deleteLate(orgId: string, codes: readonly QrCode[]): void {
  // When the page is closed, all deletions must fit into the data that a browser still sends.
  while (sizeOf(waiting) + codes.length > limits.batchMax) {
    const [oldest] = waiting
    if (oldest === undefined) break
    hideToast(oldest.toastId)
  }
  hide(codes, true)
  let ended: Promise<void> | undefined
  const forget = () => {
    waiting = waiting.filter((one) => one !== deletion)
  }
  const run = async () => {
    forget()
    ended ??= deleteNow(orgId, codes)
    return ended
  }
  const undo = () => {
    forget()
    hide(codes, false)
  }
  const text = bulkWords.done.deleted(codesText(codes.length))
  const toastId = showToast({ text, kind: 'good', undo, onEnd: () => void run() })
  const deletion: LateDeletion = { codes, toastId, run }
  waiting = [...waiting, deletion]
  addEventListener('pagehide', runAll)
}

/**
 * Runs the postponed deletions. Called before signing out, because they would be refused
 * afterwards.
 */
export async function finishDeletions(): Promise<void> {
  await Promise.all(
    waiting.map(async ({ toastId, run }) => {
      hideToast(toastId)
      await run()
    }),
  )
}

/** Returns the ids of codes that must not be shown. */
export function useHiddenCodes(): ReadonlySet<string> {
  return useSyncExternalStore(watch, () => hidden)
}

const runAll = () => void finishDeletions()

async function deleteNow(orgId: string, codes: readonly QrCode[]): Promise<void> {
  try {
    const ids = codes.map(({ id }) => id)
    const { errors } = await lastingApi.batches.delete(orgId, ids)
    // A code that was deleted elsewhere meanwhile is in the desired state.
    const failed = errors.filter(({ code }) => code !== 'NOT_FOUND')
    reportErrors(codes, failed)
    // The others stay hidden, because pages that were read before still have them.
    const kept = new Set(failed.map(({ id }) => id))
    hide(
      codes.filter(({ id }) => kept.has(id)),
      false,
    )
    await refreshCodes()
  } catch (error) {
    hide(codes, false)
    showProblem(error)
  }
}

function hide(codes: readonly QrCode[], on: boolean): void {
  const next = new Set(hidden)
  for (const { id } of codes) {
    if (on) next.add(id)
    else next.delete(id)
  }
  hidden = next
  for (const listener of listeners) listener()
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const sizeOf = (deletions: readonly LateDeletion[]) =>
  deletions.reduce((sum, { codes }) => sum + codes.length, 0)
