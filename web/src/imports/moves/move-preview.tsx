import type { MovePreviewLink } from '@everscan/client/create-client.ts'
import { Ban } from 'lucide-react'
import { formatDay, formatNumber } from '../../ui/format.ts'
import { commonWords } from '../../words/common-words.ts'
import { movesWords } from '../../words/moves-words.ts'
import { linkProblems } from './move-problems.tsx'

const text = movesWords.preview

/** Shows the first links as they will be. A link that cannot come has its old code and a reason. */
export function MovePreview({
  links,
  hostname,
}: {
  links: readonly MovePreviewLink[]
  hostname?: string | undefined
}) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-medium">{text.title}</h3>
      <ul aria-label={text.title} className="divide-y divide-line rounded-control border border-line">
        {links.map((link, at) => (
          // Two links of a file may be equal.
          // oxlint-disable-next-line no-array-index-key
          <li key={at} className="min-w-0 px-4 py-3 text-sm">
            <PreviewLink link={link} hostname={hostname} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PreviewLink({ link, hostname }: { link: MovePreviewLink; hostname: string | undefined }) {
  const { shortCode, destination, title, tags, createdAt, scansBefore, problem } = link
  const facts = [
    title !== shortCode && title,
    tags.join(', '),
    createdAt !== null && formatDay(createdAt.slice(0, 10)),
    scansBefore > 0 && text.clicks(scansBefore, formatNumber(scansBefore)),
  ]
  const code =
    shortCode === '' ? text.noCode : hostname === undefined ? shortCode : `${hostname}/${shortCode}`
  return (
    <>
      <p className={`font-medium break-all ${problem === null ? '' : 'text-soft line-through'}`}>
        <bdi>{code}</bdi>
      </p>
      {destination !== '' && (
        <p className="flex min-w-0 gap-1.5 text-soft">
          <span aria-hidden>→</span>
          <span className="sr-only">{text.leadsTo}</span>
          <bdi title={destination} className="truncate">
            {destination}
          </bdi>
        </p>
      )}
      {problem === null ? (
        <p className="break-words text-soft">
          {facts.filter((fact) => fact !== false && fact !== '').join(' · ')}
        </p>
      ) : (
        <p className="mt-1 flex items-start gap-1.5 break-words text-danger">
          <Ban size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0">
            {text.cannot}
            {commonWords.colon} {linkProblems({ ...link, message: problem })}
          </span>
        </p>
      )}
    </>
  )
}
