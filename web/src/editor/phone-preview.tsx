import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { contrastOf, darkColors } from '@everscan/qr/drawing/contrast.ts'
import { api } from '../session/api.ts'
import { suggestedName, type Draft } from './code-drafts.ts'
import { withoutScheme } from '../codes/codes.ts'
import type { DraftData } from './content-schemas.ts'
import { words } from '../words/words.ts'

const text = words.editor.phone
/** WCAG 2.2, section 1.4.3, level AA. */
const textContrastMin = 4.5

/**
 * What somebody who scans will see, with what is not saved yet. The page itself is made by the service, of what is saved, and opening it
 * counts as a scan; so this is a sketch of it in the dashboard's own letters.
 */
export function PhonePreview({ orgId, draft }: { orgId: string; draft: Draft }) {
  const organization = useQuery({
    queryKey: ['organization', orgId],
    queryFn: async ({ signal }) => api.organizations.read(orgId, { signal }),
  })
  const { publicName = null, logo = null } = organization.data ?? {}
  const link = destination(draft)
  return (
    <>
      <div className="mx-auto flex h-112 w-full max-w-64 flex-col overflow-hidden rounded-[2rem] border-4 border-ink bg-ground">
        <div aria-hidden className="mx-auto mt-2 h-1.5 w-16 shrink-0 rounded-full bg-ink" />
        {link !== undefined ? (
          <Redirect address={link} />
        ) : (
          <div
            className="flex min-h-0 flex-1 flex-col overflow-auto p-4"
            tabIndex={0}
            role="region"
            aria-label={text.title}
          >
            {(publicName !== null || logo !== null) && (
              <p className="mb-3 flex items-center gap-2 text-sm font-semibold">
                {logo !== null && <img src={logo} alt="" className="max-h-6" />}
                {publicName}
              </p>
            )}
            <Page draft={draft} />
          </div>
        )}
      </div>
      {link === undefined && <p className="mt-3 text-sm text-soft">{text.sketch}</p>}
    </>
  )
}

/** Where a scan is sent on to; undefined for what shows a page. */
function destination({ type, data }: Draft): string | undefined {
  const leads = type === 'URL' || type === 'PDF' || type === 'VIDEO' || (type === 'MENU' && 'url' in data)
  return leads ? textIn(data, 'url') : undefined
}

function Redirect({ address }: { address: string }) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return (
    <div className="m-auto max-w-full p-4 text-center">
      {url === undefined ? (
        <p className="text-sm text-soft">{text.noLink}</p>
      ) : (
        <>
          <p className="text-sm text-soft">{text.opens}</p>
          <p className="mt-1 text-lg font-semibold wrap-anywhere">{url.hostname}</p>
          <p className="mt-1 line-clamp-3 text-xs wrap-anywhere text-soft">{withoutScheme(address)}</p>
        </>
      )}
    </div>
  )
}

const textIn = (data: DraftData, name: string) => {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}
const listIn = (data: DraftData, name: string): DraftData[] => {
  const value = data[name]
  return Array.isArray(value) ? value.filter((one: unknown) => isRecord(one)) : []
}

function Page({ draft }: { draft: Draft }) {
  const { type, data, style } = draft
  const name = draft.name || suggestedName(draft)
  const accent = darkColors(style)[0]?.color ?? '#000000'
  const action = (label: string) => <Action color={accent}>{label}</Action>
  switch (type) {
    case 'VCARD': {
      const lines = ['title', 'company', 'phone', 'email', 'website'].map((field) => textIn(data, field))
      return (
        <Middle title={`${textIn(data, 'firstName')} ${textIn(data, 'lastName')}`.trim()}>
          {lines.map(
            (line) =>
              line !== '' && (
                <p key={line} className="text-sm wrap-anywhere text-soft">
                  {line}
                </p>
              ),
          )}
          {action(text.save)}
        </Middle>
      )
    }
    case 'WIFI':
      return (
        <Middle over={text.join} title={textIn(data, 'ssid')}>
          {textIn(data, 'password') === '' ? (
            <p className="text-sm text-soft">{text.openNetwork}</p>
          ) : (
            <p className="text-sm">
              <span className="block text-soft">{text.password}</span>
              <code className="mt-1 block rounded-lg bg-raised p-2 font-semibold wrap-anywhere">
                {textIn(data, 'password')}
              </code>
            </p>
          )}
        </Middle>
      )
    case 'EMAIL':
      return (
        <Middle over={text.writeMail} title={textIn(data, 'email')}>
          <Lines lines={[textIn(data, 'subject'), textIn(data, 'body')]} />
          {action(text.openMail)}
        </Middle>
      )
    case 'SMS':
      return (
        <Middle over={text.sendMessage} title={textIn(data, 'phone')}>
          <Lines lines={[textIn(data, 'message')]} />
          {action(text.openMessage)}
        </Middle>
      )
    case 'PHONE':
      return (
        <Middle over={text.calls} title={textIn(data, 'phone')}>
          {action(text.call)}
        </Middle>
      )
    case 'TEXT':
      return (
        <Middle title={name}>
          <Lines lines={[textIn(data, 'text')]} />
        </Middle>
      )
    case 'APP':
      return (
        <Middle title={name}>
          {(
            [
              ['iosUrl', text.names.store],
              ['androidUrl', text.names.play],
              ['fallbackUrl', text.names.other],
            ] as const
          ).map(
            ([field, label]) =>
              textIn(data, field) !== '' && (
                <Action key={field} color={accent}>
                  {label}
                </Action>
              ),
          )}
          <p className="text-xs text-soft">{text.chooses}</p>
        </Middle>
      )
    case 'SOCIAL':
      return (
        <Middle title={textIn(data, 'title') || text.follow}>
          {listIn(data, 'links').map((link, at) => (
            // oxlint-disable-next-line no-array-index-key
            <p key={at} className="border-b border-line py-2 text-sm font-medium first-letter:uppercase">
              {textIn(link, 'label') || textIn(link, 'platform')}
            </p>
          ))}
        </Middle>
      )
    case 'MENU':
      return <MenuPage title={textIn(data, 'title') || name} sections={listIn(data, 'sections')} />
    case 'URL':
    case 'PDF':
    case 'VIDEO':
      return null
    default:
      return type satisfies never
  }
}

function MenuPage({ title, sections }: { title: string; sections: readonly DraftData[] }) {
  return (
    <>
      <h3 className="text-xl font-bold wrap-anywhere">{title}</h3>
      {sections.map((section, at) => (
        // oxlint-disable-next-line no-array-index-key
        <div key={at} className="mt-4">
          <h4 className="font-semibold">{textIn(section, 'name')}</h4>
          {listIn(section, 'items').map((dish, row) => (
            // oxlint-disable-next-line no-array-index-key
            <div key={row} className="border-b border-line py-1.5 text-sm">
              <p className="flex justify-between gap-2 font-medium">
                <span>{textIn(dish, 'name')}</span>
                <span className="whitespace-nowrap">{priceOf(dish)}</span>
              </p>
              <p className="text-xs text-soft">{textIn(dish, 'description')}</p>
            </div>
          ))}
        </div>
      ))}
    </>
  )
}

function priceOf(dish: DraftData): string {
  const { price } = dish
  return typeof price === 'number' ? `${price.toFixed(2)} ${textIn(dish, 'currency')}` : ''
}

function Middle({ over, title, children }: { over?: string; title: string; children: ReactNode }) {
  return (
    <div className="m-auto grid w-full gap-2">
      {over !== undefined && <p className="text-sm font-semibold text-soft">{over}</p>}
      <h3 className="text-xl font-bold wrap-anywhere">{title || text.nothing}</h3>
      {children}
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map(
    (line) =>
      line !== '' && (
        <p key={line} className="text-sm whitespace-pre-wrap wrap-anywhere">
          {line}
        </p>
      ),
  )

/** White on the code's colour, as pages have it; what is too light for that is black, as there. */
function Action({ color, children }: { color: string; children: ReactNode }) {
  return (
    <p
      style={{ backgroundColor: contrastOf(color, '#FFFFFF') >= textContrastMin ? color : '#000000' }}
      className="mt-2 rounded-xl border border-line px-3 py-2.5 text-center text-sm font-semibold text-white"
    >
      {children}
    </p>
  )
}
