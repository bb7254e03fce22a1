import type { Domain } from '@everscan/client/create-client.ts'
import type { DomainStatus } from '@everscan/contract/domains/domains.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { DomainNotice } from '../session/domain-notice.tsx'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatDay, formatTime, formatWhen } from '../ui/format.ts'
import { Menu, MenuItem, MenuLine, MenuLink } from '../ui/menu.tsx'
import { Folded } from '../ui/options.tsx'
import { showProblem } from '../ui/problems.ts'
import { sayProblems } from '../words/problems/say-problems.ts'
import { Card } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { domainsWords } from '../words/domains-words.ts'
import { DeleteDomainDialog, DomainAddressesDialog, DomainCodesDialog } from './domain-dialogs.tsx'
import { isProved, refreshDomains } from '../session/domains.ts'
import { DomainAnswers } from './domain-answers.tsx'
import { CertificateRecord, DomainRecords } from './domain-records.tsx'

const text = domainsWords
const tones: Readonly<Record<DomainStatus, BadgeTone>> = {
  PENDING: 'warning',
  ACTIVE: 'good',
  FAILING: 'problem',
}

/** A dialog about a domain. */
type Asked = 'addresses' | 'codes' | 'delete'

type Props = { orgId: string; domain: Domain; mayChange: boolean }

/** Shows a domain: its state, what is missing, its records and where it leads. */
export function DomainCard({ orgId, domain, mayChange }: Props) {
  const { hostname, status, dns, isDefault } = domain
  const [asked, setAsked] = useState<Asked>()
  const isComplete = status === 'ACTIVE' && dns.problem === null
  const close = () => setAsked(undefined)
  return (
    <Card>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="min-w-0 text-base font-semibold break-all">
              <bdi>{hostname}</bdi>
            </h3>
            <Badge tone={tones[status]}>{text.statuses[status]}</Badge>
            {isDefault && <Badge>{text.isDefault}</Badge>}
          </div>
          <p className="mt-1 text-soft">{text.statusTexts[status]}</p>
        </div>
        <DomainMenu orgId={orgId} domain={domain} mayChange={mayChange} onAsk={setAsked} />
      </div>
      {dns.problem !== null && dns.checkedAt !== null && (
        <p role="status" className="mt-3 rounded-control border border-warning px-3 py-2 text-sm break-words">
          {sayProblems({ ...dns, message: dns.problem })}
        </p>
      )}
      {domain.noticeEndsAt !== null && <DomainNotice hostname={hostname} endsAt={domain.noticeEndsAt} />}
      <ReachState domain={domain} />
      <CertificateState certificate={domain.certificate} />
      <DomainAnswers orgId={orgId} domain={domain} mayChange={mayChange} />
      {domain.certificate.record !== null && <CertificateRecord record={domain.certificate.record} />}
      {domain.codes === 'exact' && <p className="mt-3 text-sm text-soft">{text.exactCodes}</p>}
      <Leads domain={domain} />
      <div className="mt-4">
        {isComplete ? (
          <Folded title={text.recordsSet}>
            <DomainRecords domain={domain} />
          </Folded>
        ) : (
          <section aria-label={text.records} className="grid gap-3">
            <h4 className="text-sm font-medium">{text.records}</h4>
            <DomainRecords domain={domain} />
          </section>
        )}
      </div>
      {mayChange && <DomainCheck orgId={orgId} domain={domain} isComplete={isComplete} />}
      {asked === 'addresses' && <DomainAddressesDialog orgId={orgId} domain={domain} onClose={close} />}
      {asked === 'codes' && <DomainCodesDialog orgId={orgId} domain={domain} onClose={close} />}
      {asked === 'delete' && <DeleteDomainDialog orgId={orgId} domain={domain} onClose={close} />}
    </Card>
  )
}

type CheckProps = Omit<Props, 'mayChange'> & { isComplete: boolean }

/** Looks at the records of a domain now, and tells when that was last done. */
function DomainCheck({ orgId, domain, isComplete }: CheckProps) {
  const { id, hostname, dns } = domain
  const check = useMutation({
    mutationFn: async () => api.domains.check(orgId, id),
    onSuccess: (now) => {
      // The card itself says what is missing.
      const result = checkResult(domain, now)
      if (result !== undefined) showToast({ kind: 'good', text: result })
    },
    onError: showProblem,
    onSettled: async () => refreshDomains(orgId),
  })
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button
        look={isComplete ? 'plain' : 'primary'}
        aria-label={text.checkLabel(hostname)}
        busy={check.isPending}
        onClick={() => check.mutate()}
      >
        {text.check}
      </Button>
      {dns.checkedAt !== null && (
        <time dateTime={dns.checkedAt} title={formatTime(dns.checkedAt)} className="text-sm text-soft">
          {text.checked(formatWhen(dns.checkedAt))}
          {!isComplete && ` · ${text.stillMissing}`}
        </time>
      )}
    </div>
  )
}

/** Says whether scans of the domain arrive. */
function ReachState({ domain: { status, dns } }: { domain: Domain }) {
  const { checkedAt, reachesUs } = dns
  // Of a proved domain, the problem says that they do not, and why.
  if (checkedAt === null || (reachesUs === false && status === 'ACTIVE')) return null
  const words = text.reach
  const said = reachesUs === null ? words.unknown : reachesUs ? words.arrives : words.missing
  return <p className="mt-3 text-sm text-soft">{said}</p>
}

/** Says whether the domain has https, if the service has https of its own. */
function CertificateState({ certificate }: { certificate: Domain['certificate'] }) {
  const { status, expiresAt, problem, record } = certificate
  // The record to set is shown instead.
  if (status === 'NONE' || (status === 'PENDING' && record !== null)) return null
  const until = expiresAt === null ? '' : formatDay(expiresAt)
  const words = text.certificates
  if (status !== 'FAILING')
    return (
      <p className="mt-3 text-sm text-soft">{status === 'PENDING' ? words.PENDING : words.ISSUED(until)}</p>
    )
  const why = problem === null ? '' : sayProblems({ ...certificate, message: problem })
  return (
    <p role="status" className="mt-3 rounded-control border border-warning px-3 py-2 text-sm break-words">
      {expiresAt === null ? words.failing(why) : words.expiring(until, why)}
    </p>
  )
}

/** Returns what a check achieved. */
function checkResult(before: Domain, now: Domain): string | undefined {
  if (now.dns.problem === null) return text.allSet(now.hostname)
  return now.status === 'ACTIVE' && before.status !== 'ACTIVE' ? text.proved(now.hostname) : undefined
}

/** Lists where a domain leads besides its codes, if that was changed. */
function Leads({ domain }: { domain: Domain }) {
  const set = (['rootUrl', 'notFoundUrl', 'goneUrl'] as const).filter((field) => domain[field] !== null)
  if (set.length === 0) return null
  return (
    <dl className="mt-3 grid gap-x-4 text-sm sm:grid-cols-[auto_1fr]">
      {set.map((field) => (
        <div key={field} className="contents">
          <dt className="text-soft max-sm:mt-1">{text.leads[field]}</dt>
          <dd className="min-w-0 break-all">
            <bdi>{domain[field]}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type MenuProps = Props & { onAsk: (what: Asked) => void }

function DomainMenu({ orgId, domain, mayChange, onAsk }: MenuProps) {
  const { id, hostname, isDefault } = domain
  const mark = useMutation({
    mutationFn: async (next: boolean) => api.domains.update(orgId, id, { isDefault: next }),
    onSuccess: (now) => {
      const done = now.isDefault ? text.madeDefault(hostname) : text.unmadeDefault
      showToast({ kind: 'good', text: done, undo: () => mark.mutate(!now.isDefault) })
    },
    onError: showProblem,
    onSettled: async () => refreshDomains(orgId),
  })
  const { certificate, certificateProof } = domain
  const isByDns = certificateProof === 'dns'
  const prove = useMutation({
    mutationFn: async (next: Domain['certificateProof']) =>
      api.domains.update(orgId, id, { certificateProof: next }),
    onSuccess: (now) => {
      const words = text.certificateRecord
      const done = now.certificateProof === 'dns' ? words.madeByDns(hostname) : words.madeAutomatic
      showToast({ kind: 'good', text: done, undo: () => prove.mutate(certificateProof) })
    },
    onError: showProblem,
    onSettled: async () => refreshDomains(orgId),
  })
  return (
    <Menu
      trigger={
        <button type="button" aria-label={text.menu(hostname)} className={`${buttonClass('quiet')} -me-2`}>
          <MoreHorizontal size={18} aria-hidden />
        </button>
      }
    >
      <MenuLink>
        <Link to="/$orgId/codes" params={{ orgId }} search={{ domain: id }}>
          {text.showCodes}
        </Link>
      </MenuLink>
      {mayChange && (
        <>
          {(isProved(domain) || isDefault) && (
            <MenuItem onSelect={() => mark.mutate(!isDefault)}>
              {isDefault ? text.noDefault : text.makeDefault}
            </MenuItem>
          )}
          {(isByDns || certificate.status === 'PENDING' || certificate.status === 'FAILING') && (
            <MenuItem onSelect={() => prove.mutate(isByDns ? 'automatic' : 'dns')}>
              {isByDns ? text.certificateRecord.automatic : text.certificateRecord.byDns}
            </MenuItem>
          )}
          <MenuItem onSelect={() => onAsk('addresses')}>{text.addresses}</MenuItem>
          <MenuItem onSelect={() => onAsk('codes')}>{text.changeCodes}</MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => onAsk('delete')}>
            {text.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
