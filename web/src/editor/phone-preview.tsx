import { useQuery } from '@tanstack/react-query'
import { systems } from '@everscan/contract/code-types/code-type.ts'
import { isPageType } from '@everscan/contract/code-types/code-types.ts'
import { languages, type Language } from '@everscan/pages/languages/languages.ts'
import { landingPage } from '@everscan/pages/landing-page.ts'
import { pageColors } from '@everscan/pages/page-colors.ts'
import type { Brand, Still } from '@everscan/pages/page-content.ts'
import { readAcceptLanguage } from '@everscan/pages/visitor-language.ts'
import { Maximize2, Moon, Sun } from 'lucide-react'
import { useMemo, useState } from 'react'
import { organizationQuery } from '../session/organizations.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Options } from '../ui/options.tsx'
import { useSettled } from '../ui/use-settled.ts'
import { withoutScheme } from '../codes/codes.ts'
import { nameOf, type Draft } from './code-drafts.ts'
import { sentData } from './content-schemas.ts'
import { LargePreview } from './preview/large-preview.tsx'
import { PhoneFrame } from './phone-frame.tsx'
import { leadsOf, type Leads } from './scan-leads.ts'
import { phonePreviewWords } from '../words/phone-preview-words.ts'

const text = phonePreviewWords

/** Time without typing after which the page is rendered again. */
const settledAfterMs = 200

type Scheme = Still['scheme']

const languageOptions = languages.map((language) => [language, nameOfLanguage(language)] as const)

/** Returns the name of a language in that language. */
function nameOfLanguage(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Shows what a visitor will see, with unsaved changes. It is the real page, rendered here. */
export function PhonePreview({ orgId, draft: latest }: { orgId: string; draft: Draft }) {
  const [language, setLanguage] = useState<Language>(() => phoneReader().language)
  const [scheme, setScheme] = useState<Scheme>('light')
  const [isLarge, setIsLarge] = useState(false)
  const draft = useSettled(latest, settledAfterMs)
  const brand = useBrand(orgId)
  const leads = leadsOf(draft)
  // A phone of no particular system sees the page if any phone does.
  const showsPage = leads.other === undefined
  const page = useMemo(
    () => (showsPage && brand !== undefined ? draftPage(draft, { language, scheme, brand }) : undefined),
    [showsPage, draft, language, scheme, brand],
  )
  return (
    <>
      <div className="mx-auto flex h-112 w-full max-w-72 flex-col overflow-hidden rounded-[2rem] border-4 border-ink bg-ground">
        <div aria-hidden className="mx-auto my-2 h-1.5 w-16 shrink-0 rounded-full bg-ink" />
        {showsPage ? (
          page !== undefined && <PhoneFrame title={text.title} page={page} />
        ) : (
          <Redirects leads={leads} />
        )}
      </div>
      {showsPage && (
        <>
          <ReaderChoice {...{ language, scheme }} onLanguage={setLanguage} onScheme={setScheme} />
          {page !== undefined && (
            <Button className="mx-auto w-full max-w-72" onClick={() => setIsLarge(true)}>
              <Maximize2 size={16} aria-hidden />
              {text.enlarge}
            </Button>
          )}
          {isLarge && page !== undefined && <LargePreview page={page} onClose={() => setIsLarge(false)} />}
          <p className="text-sm text-soft">{[...instead(leads), text.still].join(' ')}</p>
        </>
      )}
    </>
  )
}

type ReaderProps = {
  language: Language
  scheme: Scheme
  onLanguage: (language: Language) => void
  onScheme: (scheme: Scheme) => void
}

/** Chooses for which phone the page is rendered. */
function ReaderChoice({ language, scheme, onLanguage, onScheme }: ReaderProps) {
  return (
    <div className="mx-auto flex w-full max-w-72 gap-2">
      <div className="min-w-0 flex-1">
        <Choice label={text.language} value={language} options={languageOptions} onChoose={onLanguage} />
      </div>
      <div className="shrink-0">
        <Options
          legend={text.scheme}
          legendHidden
          className="flex gap-2"
          value={scheme}
          options={[
            ['light', <SchemeIcon key="light" scheme="light" />],
            ['dark', <SchemeIcon key="dark" scheme="dark" />],
          ]}
          onChoose={onScheme}
        />
      </div>
    </div>
  )
}

/**
 * Returns the language and locale of this browser. They stand for those of a visitor until another
 * language is chosen.
 */
function phoneReader() {
  return readAcceptLanguage(navigator.languages.join(','))
}

/** Renders the document of a draft's page. */
function draftPage(
  draft: Draft,
  { language, scheme, brand }: { language: Language; scheme: Scheme; brand: Brand },
): string | undefined {
  const { type, style } = draft
  if (!isPageType(type)) return undefined
  const reader = phoneReader()
  const isOwn = language === reader.language
  const locale = isOwn ? reader.locale : language
  const wanted = isOwn ? navigator.languages.join(',') : language
  const code = {
    type,
    name: nameOf(draft),
    data: sentData(type, draft.data),
    colors: pageColors(style),
    brand,
  }
  return landingPage({ ...code, contactPath: '#' }, { language, locale, wanted, system: 'other' }, { scheme })
    .text
}

/**
 * Returns what the organization shows on pages. Undefined until it is known. Without a response,
 * pages show nothing.
 */
function useBrand(orgId: string): Brand | undefined {
  const { data, isPending } = useQuery(organizationQuery(orgId))
  const { publicName = null, logo = null, updatedAt } = data ?? {}
  const size = useQuery({
    queryKey: ['logo size', orgId, updatedAt],
    queryFn: async () => (logo === null ? null : pictureSize(logo)),
    enabled: logo !== null,
    staleTime: Infinity,
  })
  return useMemo(() => {
    if (isPending || (logo !== null && size.isPending)) return undefined
    return {
      ...(publicName !== null && { name: publicName }),
      ...(logo !== null && size.data && { logo: { dataUri: logo, ...size.data } }),
    }
  }, [isPending, publicName, logo, size.isPending, size.data])
}

async function pictureSize(dataUri: string): Promise<{ widthPx: number; heightPx: number }> {
  const picture = new Image()
  picture.src = dataUri
  await picture.decode()
  return { widthPx: picture.naturalWidth, heightPx: picture.naturalHeight }
}

function SchemeIcon({ scheme }: { scheme: Scheme }) {
  const Icon = scheme === 'light' ? Sun : Moon
  return (
    <>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{text.schemes[scheme]}</span>
    </>
  )
}

/** Returns a sentence for each kind of phone that is redirected while others see the page. */
function instead(leads: Leads): string[] {
  return systems.flatMap((system) => {
    const address = leads[system]
    return address === undefined ? [] : text.instead(text.phones[system], hostOf(address) ?? address)
  })
}

/** Shows where scans are redirected: all phones to the same address, or each kind to its own. */
function Redirects({ leads }: { leads: Leads }) {
  const addresses = new Set(Object.values(leads))
  return (
    <div className="m-auto grid max-w-full gap-5 p-4 text-center">
      {addresses.size === 1 ? (
        <Redirect label={text.opens} address={leads.other ?? ''} />
      ) : (
        systems.map((system) => (
          <Redirect key={system} label={text.open(text.phones[system])} address={leads[system] ?? ''} />
        ))
      )}
    </div>
  )
}

function Redirect({ label, address }: { label: string; address: string }) {
  const host = hostOf(address)
  if (host === undefined) return <p className="text-sm text-soft">{text.noLink}</p>
  return (
    <div className="min-w-0">
      <p className="text-sm text-soft">{label}</p>
      <p className="mt-1 text-lg font-semibold wrap-anywhere">{host}</p>
      <p className="mt-1 line-clamp-3 text-xs wrap-anywhere text-soft">{withoutScheme(address)}</p>
    </div>
  )
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : undefined)
