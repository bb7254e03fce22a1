import type { Move } from '@everscan/client/create-client.ts'
import { moveSources, type MoveSource } from '@everscan/contract/moves/move-sources.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { domainsQuery } from '../../session/domains.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { domainsWords } from '../../words/domains-words.ts'
import { movesWords } from '../../words/moves-words.ts'
import { ChooseFile, type ChosenFile } from '../choose-file.tsx'
import { megabytes } from '../import-files.ts'
import { CheckedMove } from './checked-move.tsx'
import { readMoveFile } from './move-file.ts'
import { ofInstallation } from './move-search.ts'
import { MoveTarget } from './move-target.tsx'

const text = movesWords

type Choices = { source?: MoveSource | undefined; domain?: string | undefined }
type Props = Choices & {
  orgId: string
  onChoose: (choices: Choices) => void
  onStarted: (move: Move) => void
}

/** Asks one question after the other. Answers stay visible above the next, and can be changed. */
export function MoveWizard({ orgId, source, domain, onChoose, onStarted }: Props) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const domains = useQuery(domainsQuery(orgId))
  const target = domains.data?.find(({ id }) => id === domain)
  const hasTarget = domain === ofInstallation || target !== undefined
  const open = source === undefined ? 0 : !hasTarget ? 1 : chosen === undefined ? 2 : 3
  const { steps } = text
  const fileTitle =
    source === undefined || source === 'csv' ? steps.anyFile : steps.file(text.products[source])
  return (
    <ol aria-label={steps.list} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Step
        at={0}
        open={open}
        title={steps.product}
        answer={source && text.products[source]}
        onChange={() => onChoose({ source: undefined })}
      >
        <Products onChoose={(one) => onChoose({ source: one })} />
      </Step>
      <Step
        at={1}
        open={open}
        title={steps.target}
        answer={hasTarget ? (target?.hostname ?? domainsWords.ofInstallation) : undefined}
        onChange={() => onChoose({ domain: undefined })}
      >
        <MoveTarget orgId={orgId} domains={domains} onChoose={(id) => onChoose({ domain: id })} />
      </Step>
      <Step
        at={2}
        open={open}
        title={fileTitle}
        answer={chosen?.file.name}
        onChange={() => setChosen(undefined)}
      >
        <ChooseExport source={source ?? 'csv'} onChosen={setChosen} />
      </Step>
      <Step at={3} open={open} title={steps.check}>
        {chosen !== undefined && source !== undefined && (
          <CheckedMove
            key={`${chosen.number} ${source} ${domain ?? ''}`}
            orgId={orgId}
            chosen={chosen}
            source={source}
            domain={target}
            onStarted={onStarted}
          />
        )}
      </Step>
    </ol>
  )
}

function Products({ onChoose }: { onChoose: (source: MoveSource) => void }) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {moveSources.map((one) => (
        <li key={one}>
          <button type="button" onClick={() => onChoose(one)} className={`${buttonClass()} min-h-14! w-full`}>
            {text.products[one]}
          </button>
        </li>
      ))}
    </ul>
  )
}

type StepProps = {
  at: number
  /** The step that waits for an answer. */
  open: number
  title: string
  answer?: string | undefined
  onChange?: () => void
  children: ReactNode
}

function Step({ at, open, title, answer, onChange, children }: StepProps) {
  const isOpen = at === open
  const heading = useRef<HTMLHeadingElement>(null)
  const wasOpen = useRef(isOpen)
  // The button that was pressed is gone: the next question gets the focus.
  useEffect(() => {
    if (isOpen && !wasOpen.current) heading.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const isDone = at < open
  return (
    <li
      aria-current={isOpen ? 'step' : undefined}
      className={`min-w-0 rounded-card border border-line p-4 sm:px-6 ${isOpen ? 'bg-surface sm:py-5' : ''}`}
    >
      <div className="flex items-center gap-3">
        <span
          aria-hidden
          className={`flex size-7 shrink-0 items-center justify-center rounded-full border text-sm font-medium ${isDone ? 'border-brand text-brand' : isOpen ? 'border-transparent bg-brand text-on-brand' : 'border-line text-soft'}`}
        >
          {isDone ? <Check size={16} /> : at + 1}
        </span>
        <div className="min-w-0 flex-1 sm:flex sm:flex-wrap sm:items-baseline sm:gap-x-3">
          <h2
            ref={heading}
            tabIndex={-1}
            className={`text-base outline-none ${isOpen ? 'font-semibold' : 'font-medium text-soft'}`}
          >
            {title}
          </h2>
          {isDone && <p className="min-w-0 font-medium break-all">{answer}</p>}
        </div>
        {isDone && (
          <Button
            look="quiet"
            aria-label={text.steps.changeLabel(title)}
            onClick={onChange}
            className="-me-2"
          >
            {text.steps.change}
          </Button>
        )}
      </div>
      {isOpen && <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-5">{children}</div>}
    </li>
  )
}

function ChooseExport({ source, onChosen }: { source: MoveSource; onChosen: (chosen: ChosenFile) => void }) {
  const { drop, choose, hint, comes } = text.file
  const csvMax = megabytes(limits.moveBytesMax)
  const jsonMax = megabytes(limits.moveJsonBytesMax)
  return (
    <>
      <p>
        {text.exports[source]}{' '}
        <a
          href={`/docs/guide/moves-${source}`}
          target="_blank"
          rel="noopener"
          className="text-brand underline underline-offset-2"
        >
          {comes}
        </a>
      </p>
      <ChooseFile
        words={{
          label: drop,
          action: choose,
          hint: hint(csvMax, jsonMax, formatNumber(limits.moveRowsMax)),
        }}
        accept=".csv,.tsv,.txt,.json,text/csv,application/json"
        read={readMoveFile}
        onChosen={onChosen}
      />
    </>
  )
}
