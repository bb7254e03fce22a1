import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dropWork, keepWork, readWork, type WorkPlace } from '../session/kept/kept-work.ts'
import { meQuery } from '../session/session.ts'
import type { DraftData } from './content-schemas.ts'
import { areDraftRules, type DraftRule } from '../rules/rule-drafts.ts'
import type { Draft } from './code-drafts.ts'

/** A new code that the user did not finish on an earlier visit. */
export type KeptCode = { draft: Draft; atMs: number; lacksPassword: boolean; drop: () => void }

/** Typing is kept as soon as it pauses, or when the page is left. */
const keepAfterMs = 300

/** Returns the unfinished new code of the signed-in user, as it was when the page opened. */
export function useKeptCode(orgId: string): KeptCode | undefined {
  const place = useWorkPlace(orgId)
  const [kept] = useState(() => readKeptCode(place))
  return kept
}

/**
 * Keeps a new code in this browser while the user writes it. The password of a network is left out,
 * because this browser would show it to anybody with access to it.
 */
export function useUnfinishedCode({
  orgId,
  draft,
  isUnfinished,
}: {
  orgId: string
  draft: Draft
  isUnfinished: boolean
}) {
  const place = useWorkPlace(orgId)
  const keeping = useRef<{ flush: () => void; isWhole: boolean; isOver: boolean }>({
    flush: () => undefined,
    isWhole: false,
    isOver: false,
  })
  const wasUnfinished = useRef(false)
  useEffect(() => {
    const now = keeping.current
    if (now.isOver) return undefined
    if (!isUnfinished) {
      if (wasUnfinished.current) dropWork(place)
      wasUnfinished.current = false
      return undefined
    }
    wasUnfinished.current = true
    const keptDraft = withoutPassword(draft)
    const lacksPassword = keptDraft !== draft
    const timer = setTimeout(() => now.flush(), keepAfterMs)
    now.flush = () => {
      clearTimeout(timer)
      now.flush = () => undefined
      now.isWhole = keepWork(place, { draft: keptDraft, lacksPassword }) && !lacksPassword
    }
    return () => clearTimeout(timer)
  }, [place, draft, isUnfinished])
  useEffect(() => {
    const flush = () => keeping.current.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  return {
    /** Keeps what was typed last, and returns whether nothing is lost when the user leaves. */
    isKept: () => {
      keeping.current.flush()
      return isUnfinished && keeping.current.isWhole
    },
    /** Deletes it, because the code exists now. */
    forget: () => {
      keeping.current = { flush: () => undefined, isWhole: false, isOver: true }
      dropWork(place)
    },
  }
}

function useWorkPlace(orgId: string): WorkPlace {
  const { data: user } = useSuspenseQuery(meQuery)
  const [place, setPlace] = useState({ userId: user.id, orgId })
  if (place.userId !== user.id || place.orgId !== orgId) setPlace({ userId: user.id, orgId })
  return place
}

function readKeptCode(place: WorkPlace): KeptCode | undefined {
  const kept = readWork(place)
  if (kept === undefined) return undefined
  const { draft, lacksPassword } = isRecord(kept.value) ? kept.value : {}
  if (isDraft(draft))
    return {
      draft: {
        ...draft,
        rules: areDraftRules(draft.rules) ? draft.rules : [],
        passQuery: draft.passQuery === true,
        domainId: typeof draft.domainId === 'string' ? draft.domainId : null,
      },
      atMs: kept.atMs,
      lacksPassword: lacksPassword === true,
      drop: () => dropWork(place),
    }
  dropWork(place)
  return undefined
}

/** A kept draft of an earlier version of this page has no rules, or no domain. */
type KeptDraft = Omit<Draft, 'rules' | 'passQuery' | 'domainId'> &
  Partial<Record<'rules' | 'passQuery' | 'domainId', unknown>>

/** Returns whether a form can show a value, which may be that of another version of this page. */
function isDraft(value: unknown): value is KeptDraft {
  if (!isRecord(value)) return false
  const { type, name, data, style, folderId, tags, shortCode } = value
  return (
    qrCodeTypes.some((one) => one === type) &&
    typeof name === 'string' &&
    isRecord(data) &&
    isRecord(style) &&
    (folderId === null || typeof folderId === 'string') &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string') &&
    typeof shortCode === 'string'
  )
}

/** Returns the same draft if it has no password. */
function withoutPassword(draft: Draft): Draft {
  const { password, ...data } = draft.data
  const rules = draft.rules.map(ruleWithoutPassword)
  const isSame = rules.every((rule, at) => rule === draft.rules[at])
  const isOpen = password === undefined || password === ''
  if (isOpen && isSame) return draft
  return { ...draft, ...(!isOpen && { data }), rules }
}

function ruleWithoutPassword(rule: DraftRule): DraftRule {
  const data = rule.data === undefined ? undefined : contentWithoutPassword(rule.data)
  const split = rule.split?.map((arm) => ({ ...arm, data: contentWithoutPassword(arm.data) }))
  const isSame =
    data === rule.data && split?.every((arm, at) => arm.data === rule.split?.[at]?.data) !== false
  return isSame ? rule : { ...rule, ...(data && { data }), ...(split && { split }) }
}

function contentWithoutPassword(data: DraftData): DraftData {
  const { password, ...rest } = data
  return password === undefined || password === '' ? data : rest
}
