import {
  ConflictError,
  EverscanError,
  PreconditionFailedError,
  type Domain,
  type TypedQrCode,
} from '@everscan/client/create-client.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { afterPress } from '../ui/after-press.ts'
import { api } from '../session/api.ts'
import {
  codeFormOf,
  createBody,
  draftOf,
  draftProblems,
  isChanged,
  isSame,
  plainProblem,
  updateBody,
  type Draft,
} from './code-drafts.ts'
import { editorWords } from '../words/editor-words.ts'
import type { Told } from '../words/problems/say-problem.ts'
import { adoptRules, withSavedIds } from '../rules/rule-drafts.ts'
import { keepCode, type ReadCode } from '../codes/codes.ts'

type Options = {
  orgId: string
  /** Code as it was last read. Absent for a new one. */
  read?: ReadCode
  /** Initial content of the form. */
  start: Draft
  /** Content to go on with. It is not saved yet. */
  resumed?: Draft | undefined
  saved: readonly SavedStyle[]
  /** Domains that a new code can be on. */
  domains: readonly Domain[]
  onSaved: (code: TypedQrCode) => void
}

/** Paths with a field that can show their problem. */
const shownPaths =
  /^((data|rules)\b|passQuery$|(name|folderId|shortCode|domainId|tags|style\.logo\.dataUri|style\.frame\.text)$)/

/** Returns a draft of a code with its problems, and functions that change and save it. */
export function useCodeEditor({ orgId, read, start, resumed, saved, domains, onSaved }: Options) {
  const [base, setBase] = useState(read)
  const [before, setBefore] = useState(start)
  const [written, setDraft] = useState(resumed ?? start)
  // Undo may bring a rule back that is gone from the code since: it is then a new one.
  const rules = adoptRules(written.rules, base?.code.rules ?? [])
  const draft = rules === written.rules ? written : { ...written, rules }
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
  // A code that was read again, or changed by other buttons of the page, replaces an unchanged
  // draft. Edits in progress stay.
  if (read !== undefined && read !== base) {
    if (!isDirty) rebase(read)
    else if (isSame(draftOf(read.code), before)) setBase(read)
  }

  const save = useMutation({
    mutationFn: async ({ wanted, ifMatch }: { wanted: Draft; ifMatch?: string | undefined }) => {
      const code = base?.code
      // The client has one body for each type. The schema has already confirmed that this body fits
      // its type.
      if (code !== undefined)
        return api.qrCodes.update(orgId, code.id, updateBody(before, wanted, saved), { ifMatch })
      const body = createBody(wanted, saved) as never
      return (await api.qrCodes.create(orgId, body, { idempotencyKey: randomKey() })) as TypedQrCode
    },
    onSuccess: (code, { wanted }) => {
      // Edits made while saving stay, and are not saved yet.
      rebase(keepCode(orgId, code), (last) =>
        last === wanted
          ? draftOf(code)
          : { ...last, rules: withSavedIds(last.rules, { sent: wanted.rules, saved: code.rules }) },
      )
      onSaved(code)
    },
  })
  const problemsOf = (wanted: Draft) =>
    draftProblems(wanted, base === undefined ? codeFormOf(domains, wanted) : undefined)
  const problems = problemsOf(draft)
  const told = toldProblems(save.error, base === undefined)
  const problemAt = (path: string) => {
    const found = told.find((detail) => detail.path === path)
    if (found !== undefined) return plainProblem(found)
    return wasTried || left.has(path) ? problems.get(path) : undefined
  }
  const toldInFields = told.every(({ path }) => shownPaths.test(path))
  const readAgain = async () => api.qrCodes.read(orgId, base?.code.id ?? '')

  return {
    draft,
    isDirty,
    /** Number of fields that show a problem since the last attempt. */
    fieldProblems: wasTried ? Math.max(problems.size, toldInFields ? told.length : 0) : 0,
    isSaving: save.isPending,
    error: save.error,
    isOvertaken: save.error instanceof PreconditionFailedError,
    /** Forgets the result of the last attempt. */
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
    /** Saves the draft. If it has problems, shows all of them instead. */
    save: (changes: Partial<Draft> = {}) => {
      const wanted = { ...draft, ...changes }
      setDraft(wanted)
      setTried(true)
      if (problemsOf(wanted).size > 0) return false
      save.mutate({ wanted, ifMatch: base?.etag })
      return true
    },
    /** After another user's change: loads their version. */
    loadTheirs: async () => {
      rebase(keepCode(orgId, await readAgain()))
      save.reset()
    },
    /** After another user's change: writes the changes made here over it. */
    saveMine: async () => {
      const { etag, code } = keepCode(orgId, await readAgain())
      // Rules that they deleted are new ones again.
      const wanted = { ...draft, rules: adoptRules(draft.rules, code.rules) }
      setDraft(wanted)
      await save.mutateAsync({ wanted, ifMatch: etag })
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

/**
 * Returns the problems that the service reported, by path. A taken short code is the only conflict
 * of a new code.
 */
function toldProblems(error: unknown, isNew: boolean): readonly ({ path: string } & Told)[] {
  if (isNew && error instanceof ConflictError) return [{ path: 'shortCode', message: editorWords.taken }]
  return error instanceof EverscanError ? error.details : []
}

/** Returns a random key. `crypto.randomUUID` exists only over https. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}
