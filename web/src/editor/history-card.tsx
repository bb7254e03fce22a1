import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { destinationsOf } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import type { QrCodeVersion } from '@everscan/contract/resources/qr-code-history.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { historyQuery, keepCode, withoutScheme } from '../codes/codes.ts'
import { formatAge, formatNumber, formatTime } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'

const text = editorWords.history
const shownAtFirst = 6

type Props = {
  orgId: string
  code: TypedQrCode
  mayEdit: boolean
  /** Whether there are unsaved changes. Restoring a version would mix with them. */
  isChanged: boolean
}

/** Lists who changed what and when, and restores earlier versions. */
export function HistoryCard({ orgId, code, mayEdit, isChanged }: Props) {
  const [isWhole, setWhole] = useState(false)
  const history = useQuery(historyQuery(orgId, code.id))
  const versions = history.data?.data ?? []
  const excesses = history.data?.limitExcesses ?? []
  const newest = versions[0]?.version
  const back = useMutation({
    mutationFn: async (version: number) =>
      keepCode(orgId, await api.qrCodes.rollBack(orgId, code.id, version)),
    onError: showProblem,
  })
  const goBack = async (version: number) => {
    await back.mutateAsync(version)
    showToast({
      kind: 'good',
      text: text.done,
      ...(newest !== undefined && {
        undo: () =>
          void back
            .mutateAsync(newest)
            .then(() => showToast({ kind: 'good', text: text.undone }))
            // The failure is already reported.
            .catch(() => undefined),
      }),
    })
  }
  if (history.isError)
    return (
      <Card title={text.title}>
        <Failure error={history.error} onRetry={() => void history.refetch()} />
      </Card>
    )
  return (
    <Card title={text.title}>
      <p className="-mt-2 mb-3 text-sm text-soft">{mayEdit && isChanged ? text.saveFirst : text.text}</p>
      {excesses.length > 0 && (
        <ul className="mb-3 space-y-1 rounded-lg bg-raised px-3 py-2 text-sm">
          {excesses.map(({ at, answers, beyondLimit, reason }) => (
            <li key={`${at} ${reason}`}>
              {text.excess[reason](formatNumber(answers), formatNumber(beyondLimit))}{' '}
              <time dateTime={at} title={formatTime(at)} className="text-xs text-soft">
                {formatAge(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      <ol aria-busy={history.isPending} className="min-h-16 divide-y divide-line">
        {versions.slice(0, isWhole ? undefined : shownAtFirst).map((version, at) => (
          <li key={version.version} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <div className="min-w-48 flex-1 text-sm">
              <p className="wrap-anywhere">
                <strong className="font-medium">{actorName(version.changedBy)}</strong>{' '}
                {changesInWords(version, versions[at + 1])}
              </p>
              <time
                dateTime={version.changedAt}
                title={formatTime(version.changedAt)}
                className="text-xs text-soft"
              >
                {formatAge(version.changedAt)}
              </time>
            </div>
            {at === 0 ? (
              <span className="rounded-full bg-raised px-2.5 py-0.5 text-xs font-medium">{text.current}</span>
            ) : (
              mayEdit && (
                <Button
                  disabled={isChanged}
                  busy={back.isPending}
                  aria-label={text.backLabel(version.version)}
                  onClick={() => void goBack(version.version).catch(() => undefined)}
                >
                  <Undo2 size={16} aria-hidden />
                  {text.back}
                </Button>
              )
            )}
          </li>
        ))}
      </ol>
      {!isWhole && versions.length > shownAtFirst && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {text.all}
        </Button>
      )}
    </Card>
  )

  function changesInWords(version: QrCodeVersion, before: QrCodeVersion | undefined): string {
    if (version.changed.length === 0) return text.made
    return version.changed
      .map((field) => {
        switch (field) {
          case 'name':
            return text.renamed(version.name)
          case 'data': {
            const [from, to] = [before, version].map((one) => one && onlyDestination(code.type, one.data))
            return from && to ? text.destination(from, to) : text.content
          }
          case 'rules':
            return text.rules
          case 'passQuery':
            return version.passQuery ? text.queryPassed : text.queryDropped
          case 'access':
            return text.access
          case 'style':
            return text.style
          case 'status':
            return version.status === 'ARCHIVED' ? text.archived : text.restored
          default:
            return field satisfies never
        }
      })
      .join(text.and)
  }
}

/** Returns where content leads, if it leads to exactly one place. */
function onlyDestination(type: TypedQrCode['type'], data: QrCodeVersion['data']): string | undefined {
  const [first, second] = destinationsOf(type, data)
  return first === undefined || second !== undefined ? undefined : withoutScheme(first.url)
}

/** Returns the display name of the actor of a change. */
export function actorName({ kind, name }: QrCodeVersion['changedBy']): string {
  if (kind === 'system') return text.bySystem
  return kind === 'api-key' ? text.byKey(name) : name
}
