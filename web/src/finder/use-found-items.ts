import { canonicalShortCode } from '@everscan/contract/resources/short-codes.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { leadOf } from '../codes/lead.tsx'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { finderWords } from '../words/finder-words.ts'
import { codeItem, folderItem, type FinderGroup, type FinderItem } from './finder-groups.ts'

const text = finderWords
const codesMax = 8
const foldersMax = 5
const changedMax = 5
/** Long enough to skip single letters, short enough to feel immediate. */
const typingMs = 150

export type FoundItems = {
  groups: readonly FinderGroup[]
  /** Whether the groups are not yet those of what is typed now. */
  isPending: boolean
  /** Whether the service cannot be reached. */
  isPaused: boolean
  error: Error | null
}

/** Searches codes and folders for trimmed words. Without words: the codes that changed last. */
export function useFoundItems(orgId: string, typed: string): FoundItems {
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const codes = useQuery({
    queryKey: ['codes', orgId, 'finder', asked],
    queryFn: async ({ signal }) =>
      api.qrCodes.list(
        orgId,
        asked === '' ? { sort: 'updatedAt', limit: changedMax } : { q: asked, limit: codesMax },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  const folders = useQuery({
    queryKey: ['folders', orgId, 'finder', asked],
    queryFn: async ({ signal }) => api.folders.list(orgId, { search: asked, limit: foldersMax }, { signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const isPaused = codes.fetchStatus === 'paused'
  const isRead = !codes.isPending && !codes.isPlaceholderData && asked === typed
  const groups = useMemo(() => {
    const found = codes.data === undefined ? [] : bestFirst(codes.data.data, asked)
    const items: FinderItem[] = found.map((code) => codeItem(orgId, { ...code, detail: detailOf(code) }))
    const total = codes.data?.pagination.total ?? 0
    if (asked !== '' && total > items.length)
      items.push({
        id: 'all-codes',
        kind: 'page',
        name: text.moreCodes(formatNumber(total)),
        target: { link: { to: '/$orgId/codes', params: { orgId }, search: { q: asked } } },
      })
    const inFolders = asked === '' ? [] : (folders.data?.data ?? [])
    return [
      { name: asked === '' ? text.groups.changed : text.groups.codes, items },
      { name: text.groups.folders, items: inFolders.map((folder) => folderItem(orgId, folder)) },
    ]
  }, [orgId, codes.data, folders.data, asked])
  return {
    groups: isPaused ? [] : groups,
    isPending: !isPaused && !isRead && codes.error === null,
    isPaused,
    error: codes.error,
  }
}

/** Puts the code whose printed short code was typed first. */
function bestFirst(codes: readonly QrCode[], asked: string): readonly QrCode[] {
  const isAsked = ({ shortCode }: QrCode) => canonicalShortCode(shortCode) === canonicalShortCode(asked)
  return codes.toSorted((one, other) => Number(isAsked(other)) - Number(isAsked(one)))
}

function detailOf(code: QrCode): { full: string; shown: string } {
  const lead = leadOf(code)
  const state = code.status === 'ARCHIVED' ? ` · ${text.archived}` : ''
  const around = (leads: string | undefined) =>
    `${[code.shortCode, leads].filter((part) => part !== undefined).join(' · ')}${state}`
  return { full: around(lead?.full), shown: around(lead?.shown) }
}
