import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { pictureAddress, withoutScheme } from './codes.ts'
import { useMay } from '../session/roles.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { accessWords } from '../words/access-words.ts'
import { codesWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { CodeMenu } from './code-menu.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DownloadForm } from './download-form.tsx'

const text = editorWords.head

/** Pages of one code, in the order of its tabs. */
const tabs = [
  { to: '/$orgId/codes/$codeId', name: text.edit },
  { to: '/$orgId/codes/$codeId/analytics', name: analyticsWords.title },
] as const

/**
 * Shows the head of every page of a code: its name, its short link, its pages and further actions.
 */
export function CodeHead({ orgId, code }: { orgId: string; code: TypedQrCode }) {
  const mayEdit = useMay(orgId, 'EDITOR')
  const [isDownloading, setDownloading] = useState(false)
  return (
    <div className="mb-5">
      <div className="flex items-center gap-3 sm:gap-4">
        {/* White in both themes, like the paper that the code will be printed on. */}
        <img
          // Another version has another picture at the same URL.
          key={code.updatedAt}
          src={pictureAddress(code.imageUrl)}
          alt=""
          width="64"
          height="64"
          className="size-14 shrink-0 rounded-control border border-line bg-white object-contain sm:size-16"
        />
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-xl font-semibold sm:text-2xl">{code.name}</h1>
          <p className="flex items-center gap-x-1 text-sm text-soft">
            <span className="truncate">
              {commonWords.types[code.type]} · <bdi>{withoutScheme(code.shortUrl)}</bdi>
            </span>
            <CopyButton text={code.shortUrl} label={text.copyLink} />
          </p>
        </div>
        <span
          className={`hidden rounded-full border px-2.5 py-0.5 text-xs font-medium sm:inline ${code.state === 'LIVE' ? 'border-brand text-brand' : 'border-warning text-warning'}`}
        >
          {code.state === 'LIVE' ? codesWords.statuses.ACTIVE : accessWords.states[code.state]}
        </span>
        <Button
          aria-label={text.download}
          onClick={() => setDownloading(true)}
          className="shrink-0 max-sm:px-2.5"
        >
          <Download size={18} aria-hidden />
          <span className="max-sm:hidden">{text.download}</span>
        </Button>
        {mayEdit && <CodeMenu orgId={orgId} code={code} />}
      </div>
      {code.status === 'ARCHIVED' && <p className="mt-2 text-sm font-medium text-warning">{text.archived}</p>}
      <Tabs orgId={orgId} codeId={code.id} />
      {isDownloading && (
        <Dialog title={text.downloadTitle(code.name)} onClose={() => setDownloading(false)}>
          <DownloadForm orgId={orgId} code={code} />
        </Dialog>
      )}
    </div>
  )
}

function Tabs({ orgId, codeId }: { orgId: string; codeId: string }) {
  return (
    <nav aria-label={text.tabs} className="mt-3 flex gap-1 border-b border-line">
      {tabs.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          params={{ orgId, codeId }}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px flex min-h-10 items-center border-b-2 border-transparent px-3 text-sm font-medium text-soft hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
