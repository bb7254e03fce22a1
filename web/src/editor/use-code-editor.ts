import {
  ConflictError,
  EverscanError,
  PreconditionFailedError,
  type ErrorDetail,
  type TypedQrCode,
} from '@everscan/client/create-client.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { afterPress } from '../ui/after-press.ts'
import { api } from '../session/api.ts'
import {
  createBody,
  draftOf,
  draftProblems,
  isChanged,
  isSame,
  plainProblem,
  updateBody,
  type Draft,
} from './code-drafts.ts'
import { words } from '../words/words.ts'
import { keepCode, type ReadCode } from '../codes/codes.ts'

type Options = {
  orgId: string
  /** The code as it was read last; absent while it is made. */
  read?: ReadCode
  /** What the form begins with. */
  start: Draft
  saved: readonly SavedStyle[]
  onSaved: (code: TypedQrCode) => void
}

/** The paths that have a field to say it under. */
const shownPaths = /^(data\b|(name|folderId|shortCode|tags|style\.logo\.dataUri|style\.frame\.text)$)/

/** A draft of a code: what changes it, what is wrong with it, and what saves it. */
export function useCodeEditor({ orgId, read, start, saved, onSaved }: Options) {
  const [base, setBase] = useState(read)
  const [before, setBefore] = useState(start)
  const [draft, setDraft] = useState(start)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [wasTried, setTried] = useState(false)
  const isDirty = isChanged(before, draft)

  const rebase = (to: ReadCode, next: (last: Draft) => Draft = () => draftOf(to.code)) => {
    setBase(to)
    setBefore(draftOf(to.code))
    setDraft(next)
    setTried(false)
    setLeft(new Set())
  }
  // What was read again, or changed by other buttons of the page, is taken over; what is being written is left alone.
  if (read !== undefined && read !== base) {
    if (!isDirty) rebase(read)
    else if (isSame(draftOf(read.code), before)) setBase(read)
  }

  const save = useMutation({
    mutationFn: async ({ wanted, ifMatch }: { wanted: Draft; ifMatch?: string | undefined }) => {
      const code = base?.code
      // The client has one body for each type; that this one fits its own was asked of its schema.
      if (code !== undefined)
        return api.qrCodes.update(orgId, code.id, updateBody(before, wanted, saved), { ifMatch })
      const body = createBody(wanted, saved) as never
      return (await api.qrCodes.create(orgId, body, { idempotencyKey: randomKey() })) as TypedQrCode
    },
    onSuccess: (code, { wanted }) => {
      // What was written meanwhile stays, and is not saved yet.
      rebase(keepCode(orgId, code), (last) => (last === wanted ? draftOf(code) : last))
      onSaved(code)
    },
  })
  const problems = draftProblems(draft)
  const told = toldProblems(save.error, base === undefined)
  const toldAt = (path: string) => told.find((detail) => detail.path === path)?.message
  const problemAt = (path: string) => {
    const message = toldAt(path)
    if (message !== undefined) return plainProblem(message)
    return wasTried || left.has(path) ? problems.get(path) : undefined
  }
  const toldInFields = told.every(({ path }) => shownPaths.test(path))
  const readAgain = async () => api.qrCodes.read(orgId, base?.code.id ?? '')

  return {
    draft,
    isDirty,
    /** How many fields show that something is wrong with them since the last attempt. */
    fieldProblems: wasTried ? Math.max(problems.size, toldInFields ? told.length : 0) : 0,
    isSaving: save.isPending,
    error: save.error,
    isOvertaken: save.error instanceof PreconditionFailedError,
    /** Forgets what came of the last attempt. */
    forgetError: () => save.reset(),
    change: (changes: Partial<Draft>) => {
      if (save.isError) save.reset()
      setDraft((last) => ({ ...last, ...changes }))
    },
    discard: () => {
      save.reset()
      setDraft(before)
      setTried(false)
    },
    /** Saves, unless something is wrong, which is then shown everywhere. */
    save: (changes: Partial<Draft> = {}) => {
      const wanted = { ...draft, ...changes }
      setDraft(wanted)
      setTried(true)
      if (draftProblems(wanted).size > 0) return false
      save.mutate({ wanted, ifMatch: base?.etag })
      return true
    },
    /** After somebody else's change: takes that. */
    loadTheirs: async () => {
      rebase(keepCode(orgId, await readAgain()))
      save.reset()
    },
    /** After somebody else's change: writes what was changed here over it. */
    saveMine: async () => {
      const { etag } = keepCode(orgId, await readAgain())
      await save.mutateAsync({ wanted: draft, ifMatch: etag })
    },
    form: {
      problemAt,
      hasProblemIn: (path: string) =>
        [...problems.keys(), ...told.map((detail) => detail.path)].some(
          (one) => one.startsWith(`${path}.`) && problemAt(one) !== undefined,
        ),
      onLeave: (path: string) =>
        afterPress(() => setLeft((all) => (all.has(path) ? all : new Set([...all, path])))),
    },
  }
}

/** What the service says is wrong, by path. A short code that is taken is the one conflict that a new code can have. */
function toldProblems(error: unknown, isNew: boolean): readonly ErrorDetail[] {
  if (isNew && error instanceof ConflictError) return [{ path: 'shortCode', message: words.editor.taken }]
  return error instanceof EverscanError ? error.details : []
}

/** `crypto.randomUUID` is there only over https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}
