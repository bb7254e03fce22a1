import type { Domain } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { refreshCodes } from '../codes/code-changes.ts'
import { api } from '../session/api.ts'
import { answersOfDomainQuery, isProved } from '../session/domains.ts'
import { useMay } from '../session/roles.ts'
import { buttonClass } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Folded } from '../ui/options.tsx'
import { domainsWords } from '../words/domains-words.ts'
import { FormerCodes } from './former-codes.tsx'

const text = domainsWords.answers

type Props = { orgId: string; domain: Domain; mayChange: boolean }

/** Says whose codes a domain answers, and lists those that wait for its proof. */
export function DomainAnswers({ orgId, domain, mayChange }: Props) {
  const { data } = useQuery(answersOfDomainQuery(orgId, domain.id))
  if (data === undefined) return null
  const { codes, formerCodes, formerEndsAt, waiting } = data
  const { total } = waiting.pagination
  const written = formatNumber(codes)
  return (
    <>
      {isProved(domain) && (
        <p className="mt-3 text-sm text-soft">
          {formerCodes === 0 ? text.own(codes, written) : text.former(written, formatNumber(formerCodes))}
        </p>
      )}
      {formerCodes > 0 && mayChange && (
        <FormerCodes orgId={orgId} domain={domain} codes={formerCodes} endsAt={formerEndsAt} />
      )}
      {total > 0 && (
        <div className="mt-3">
          <Folded
            title={
              isProved(domain)
                ? text.lost(total, formatNumber(total))
                : text.waiting(total, formatNumber(total))
            }
          >
            <ul className="divide-y divide-line text-sm">
              {waiting.data.map((code) => (
                <WaitingCode key={code.id} orgId={orgId} code={code} />
              ))}
            </ul>
            {total > waiting.data.length && (
              <p className="mt-2 text-sm text-soft">{text.more(formatNumber(total - waiting.data.length))}</p>
            )}
          </Folded>
        </div>
      )}
    </>
  )
}

/** Shows a code that waits or is lost, with the ways on. */
function WaitingCode({ orgId, code }: { orgId: string; code: QrCode }) {
  const { id, name, shortUrl, shortCode } = code
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const mayEdit = useMay(orgId, 'EDITOR')
  const close = () => setAsked(undefined)
  return (
    <li className="flex items-center gap-1 py-1">
      <p className="min-w-0 flex-1 wrap-anywhere">
        <bdi>{name}</bdi> <bdi className="block text-soft">{shortUrl}</bdi>
      </p>
      {mayEdit && (
        <>
          <button
            type="button"
            aria-label={text.renameLabel(name)}
            className={buttonClass('quiet')}
            onClick={() => setAsked('rename')}
          >
            <Pencil size={16} aria-hidden />
          </button>
          <button
            type="button"
            aria-label={text.deleteLabel(name)}
            className={buttonClass('quiet')}
            onClick={() => setAsked('delete')}
          >
            <Trash2 size={16} aria-hidden />
          </button>
        </>
      )}
      {asked === 'rename' && (
        <NameDialog
          title={text.renameTitle(name)}
          text={text.renameText}
          label={domainsWords.shortCode}
          field="shortCode"
          name={shortCode}
          onSave={async (written) => {
            await api.qrCodes.update(orgId, id, { shortCode: written.trim() })
            await refreshCodes()
          }}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={text.deleteTitle(name)}
          text={text.deleteText}
          action={text.deleteAction}
          onConfirm={async () => {
            await api.qrCodes.delete(orgId, id)
            await refreshCodes()
          }}
          onClose={close}
        />
      )}
    </li>
  )
}
