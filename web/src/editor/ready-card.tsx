import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { pictureAddress } from '../codes/codes.ts'
import { editorWords } from '../words/editor-words.ts'
import { buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DownloadForm } from '../codes/download-form.tsx'
import { Card } from '../ui/surfaces.tsx'

const text = editorWords.ready

/**
 * Offers the next steps with a new code: share its link, try it, download its picture, create
 * another.
 */
export function ReadyCard({ orgId, code }: { orgId: string; code: TypedQrCode }) {
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus no longer exists. The new focus makes screen readers read the
  // result.
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={text.title} className="outline-none">
      <Card title={text.title}>
        <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
          <div className="grid content-start gap-4">
            <p className="text-soft">{text.text}</p>
            <img
              src={pictureAddress(code.imageUrl)}
              alt=""
              className="size-40 rounded-control border border-line bg-white object-contain max-md:hidden"
            />
            <p className="rounded-control bg-raised px-3 py-2 font-mono text-sm break-all select-all">
              {code.shortUrl}
            </p>
            <div className="flex flex-wrap gap-2">
              <CopyButton look="plain" withLabel text={code.shortUrl} label={text.copy} />
              <a href={code.shortUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
                <ExternalLink size={16} aria-hidden />
                {text.test}
              </a>
            </div>
            <p className="text-sm text-soft">{text.testHint}</p>
            <div>
              <Link to="/$orgId/codes/new" params={{ orgId }} className={buttonClass()}>
                <Plus size={16} aria-hidden />
                {editorWords.createAnother}
              </Link>
            </div>
          </div>
          <DownloadForm orgId={orgId} code={code} />
        </div>
      </Card>
    </div>
  )
}
