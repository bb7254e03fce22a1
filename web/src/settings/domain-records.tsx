import type { Domain } from '@everscan/client/create-client.ts'
import type { DnsRecord } from '@everscan/contract/domains/domains.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { domainsWords } from '../words/domains-words.ts'

const text = domainsWords

/** Shows the records to set at the DNS provider, each with what was found at the last look. */
export function DomainRecords({ domain }: { domain: Domain }) {
  const { expected } = domain.dns
  return (
    <>
      <p className="text-sm text-soft">{expected.length > 1 ? text.recordsText : text.recordsProofText}</p>
      <ul className="grid gap-3">
        {expected.map((record) => (
          <li key={record.type} className="rounded-control border border-line px-3 py-2 text-sm">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span>
                {text.type} <strong className="font-semibold">{record.type}</strong>
              </span>
              <Found domain={domain} record={record} />
            </p>
            <Parts
              record={record}
              copyName={text.copyName(record.type)}
              copyValue={text.copyValue(record.type)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Shows the record that proves the certificate of a domain before it leads here. */
export function CertificateRecord({ record }: { record: DnsRecord }) {
  const words = text.certificateRecord
  return (
    <section aria-label={words.title} className="mt-4 grid gap-3">
      <h4 className="text-sm font-medium">{words.title}</h4>
      <p className="text-sm text-soft">{words.text}</p>
      <div className="rounded-control border border-line px-3 py-2 text-sm">
        <p>
          {text.type} <strong className="font-semibold">{record.type}</strong>
        </p>
        <Parts record={record} copyName={words.copyName} copyValue={words.copyValue} />
      </div>
    </section>
  )
}

type PartsProps = { record: DnsRecord; copyName: string; copyValue: string }

function Parts({ record: { name, value }, copyName, copyValue }: PartsProps) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3">
      <Part label={text.name} value={name} copyLabel={copyName} />
      <Part label={text.value} value={value} copyLabel={copyValue} />
    </dl>
  )
}

function Part({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <div className="contents">
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 font-mono break-all select-all">{value}</dd>
      <dd>
        <CopyButton text={value} label={copyLabel} />
      </dd>
    </div>
  )
}

function Found({ domain: { dns }, record }: { domain: Domain; record: DnsRecord }) {
  if (dns.checkedAt === null) return <span className="text-soft">{text.notLooked}</span>
  const there = dns.found.filter(({ name }) => name === record.name)
  if (there.some(({ value }) => isSameValue(value, record.value)))
    return <span className="font-medium text-brand">{text.isSet}</span>
  const [other] = there
  // An address of the host may be another on purpose: that of a proxy.
  if (record.type !== 'TXT' && other !== undefined)
    return (
      <span className="break-all">
        <bdi>{text.leadsTo(other.value)}</bdi>
      </span>
    )
  return <span className="font-medium text-warning">{text.notFound}</span>
}

/** Names in the DNS may end with a dot, in any letter case. */
function isSameValue(one: string, other: string): boolean {
  const value = withoutDot(one)
  return value === withoutDot(other) || value.toLowerCase() === withoutDot(other)
}

function withoutDot(value: string): string {
  return value.trim().replace(/\.$/, '')
}
