import type { TypedQrCode } from '@everscan/client/create-client.ts'
import type { Access } from '@everscan/contract/access/access.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { keepCode } from '../codes/codes.ts'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { accessWords } from '../words/access-words.ts'

const text = accessWords

type Props = { orgId: string; code: TypedQrCode; access: Access; mayEdit: boolean }

/** Shows how much of a limit is used, and begins the count anew. That has no undo, so it asks. */
export function AccessCount({ orgId, code, access, mayEdit }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { scanCount, scanLimit = 1 } = access
  const reset = useMutation({
    mutationFn: async () => keepCode(orgId, await api.qrCodes.update(orgId, code.id, { resetLimit: true })),
    onSuccess: () => showToast({ kind: 'good', text: text.resetDone }),
    onError: showProblem,
    onSettled: () => setAsking(false),
  })
  const label = text.count(formatNumber(scanCount), formatNumber(scanLimit))
  return (
    <div className="text-sm">
      <p className="mb-1 font-medium tabular-nums">{label}</p>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={scanLimit}
        aria-valuenow={Math.min(scanCount, scanLimit)}
        className="h-2 overflow-hidden rounded-full border border-line bg-raised"
      >
        <div
          className={`h-full ${scanCount >= scanLimit ? 'bg-danger' : 'bg-brand'}`}
          style={{ width: `${Math.min(100, (100 * scanCount) / scanLimit)}%` }}
        />
      </div>
      {mayEdit && scanCount > 0 && (
        <Button className="mt-2" onClick={() => setAsking(true)}>
          {text.reset}
        </Button>
      )}
      {isAsking && (
        <Dialog
          title={text.resetTitle}
          text={text.resetText(formatNumber(scanCount))}
          onClose={() => setAsking(false)}
        >
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
            <Button look="primary" disabled={reset.isPending} onClick={() => reset.mutate()}>
              {text.reset}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
