import type { Domain, Move } from '@everscan/client/create-client.ts'
import { moveCells, movePreviewLink, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import {
  mapMoveColumns,
  mappingProblems,
  type MoveField,
  type MoveMapping,
  type MoveSource,
} from '@everscan/contract/moves/move-sources.ts'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ProgressBar } from '../progress-bar.tsx'
import { randomKey } from '../random-key.ts'
import { api, apiReporting, queries } from '../../session/api.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { problemText } from '../../ui/problems.ts'
import { Notice } from '../../ui/surfaces.tsx'
import { movesWords } from '../../words/moves-words.ts'
import { sayProblem } from '../../words/problems/say-problem.ts'
import { ofInstallation } from './move-search.ts'
import { MoveColumns } from './move-columns.tsx'
import { MovePreview } from './move-preview.tsx'
import { MoveProblems } from './move-problems.tsx'
import { ChooseVisits, isAtVisitsOf, VisitsOutcome } from './move-visits.tsx'
import type { ChosenFile } from '../choose-file.tsx'

const text = movesWords.check

type Props = {
  orgId: string
  chosen: ChosenFile
  source: MoveSource
  /** Undefined: the address of the installation. */
  domain: Domain | undefined
  onStarted: (move: Move) => void
}

/**
 * Shows what will come: columns, first links, and the result of a check of the whole file. Only
 * then can the move start.
 */
export function CheckedMove({ orgId, chosen, source, domain, onStarted }: Props) {
  const { header, rows } = chosen.read
  const [choices, setChoices] = useState<Partial<MoveMapping>>({})
  const mapping = mapMoveColumns(source, header, choices)
  const fits = mappingProblems(mapping, header).length === 0
  const links = usePreviewLinks({ source, chosen, choices, domain })
  const [visits, setVisits] = useState<File>()
  const settings = {
    source,
    file: chosen.file,
    fileName: chosen.file.name,
    visits,
    visitsFileName: visits?.name,
    mapping: choices,
    domainId: domain?.id ?? ofInstallation,
  }
  const [resolve, setResolve] = useState(false)
  const { check, checking, start, sent } = useMoveCheck(orgId, { settings, resolve, onStarted })
  const problem = start.error ?? check.error
  const choose = (field: MoveField, columns: string[]) => {
    // The last check was of other columns.
    check.reset()
    setChoices({ ...choices, [field]: columns })
  }
  return (
    <>
      <MoveColumns source={source} header={header} rows={rows} mapping={mapping} onChoose={choose} />
      {fits && <MovePreview links={links} hostname={domain?.hostname} />}
      <ChooseVisits
        source={source}
        file={visits}
        onChoose={(file) => {
          // The last check was of another file.
          check.reset()
          setVisits(file)
        }}
      />
      {problem !== null && <Notice kind="problem">{problemText(problem)}</Notice>}
      {start.isPending && <Checking move={undefined} sent={sent} />}
      {check.data !== undefined ? (
        <Result
          orgId={orgId}
          move={check.data}
          isExact={domain?.codes === 'exact'}
          isStarting={start.isPending}
          onStart={() => start.mutate()}
        />
      ) : check.isPending ? (
        <Checking move={checking} sent={sent} />
      ) : (
        <AskForCheck resolve={resolve} isReady={fits} onResolve={setResolve} onCheck={() => check.mutate()} />
      )}
    </>
  )
}

type LinksOptions = Pick<Props, 'source' | 'chosen' | 'domain'> & { choices: Partial<MoveMapping> }

/** Returns the first links of the file as they will be. */
function usePreviewLinks({ source, chosen, choices, domain }: LinksOptions) {
  const { header, rows } = chosen.read
  const [openedMs] = useState(Date.now)
  return useMemo(() => {
    const places = moveCells(mapMoveColumns(source, header, choices), header)
    return rows.map((cells, at) =>
      movePreviewLink(at + 1, readMovedLink(places, cells, openedMs, domain?.codes)),
    )
  }, [source, header, rows, choices, domain, openedMs])
}

type CheckOptions = Pick<Props, 'onStarted'> & {
  settings: Parameters<typeof api.moves.start>[1]
  /** Whether the check looks where the old links lead. */
  resolve: boolean
}

/** Checks the whole file, and starts the move. */
function useMoveCheck(orgId: string, { settings, resolve, onStarted }: CheckOptions) {
  const [checking, setChecking] = useState<Move>()
  /** The share of the file that was sent. */
  const [sent, setSent] = useState(0)
  const { moves } = useMemo(() => apiReporting(setSent), [])
  const check = useMutation({
    mutationFn: async () => {
      setChecking(undefined)
      const { id } = await moves.start(orgId, { ...settings, resolve, dryRun: true })
      return api.moves.waitFor(orgId, id, { onProgress: setChecking })
    },
    onSettled: async () => queries.invalidateQueries({ queryKey: ['moves'] }),
  })
  // With this key the move happens once, however often the request is sent.
  const [idempotencyKey] = useState(randomKey)
  const start = useMutation({
    mutationFn: async () => moves.start(orgId, settings, { idempotencyKey }),
    onSuccess: async (move) => {
      await queries.invalidateQueries({ queryKey: ['moves'] })
      onStarted(move)
    },
  })
  return { check, checking, start, sent }
}

type AskProps = {
  resolve: boolean
  isReady: boolean
  onResolve: (resolve: boolean) => void
  onCheck: () => void
}

function AskForCheck({ resolve, isReady, onResolve, onCheck }: AskProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Checkbox
        withLabel
        label={text.resolve}
        hint={text.resolveHint}
        checked={resolve}
        onChange={(event) => onResolve(event.target.checked)}
        className="basis-full"
      />
      <Button look="primary" disabled={!isReady} onClick={onCheck}>
        {text.action}
      </Button>
      <p className="text-sm text-soft">{text.text}</p>
    </div>
  )
}

/** Shows how much of the file was sent, then how many links were checked. */
function Checking({ move, sent }: { move: Move | undefined; sent: number }) {
  const isLooking = move?.resolve === true && move.lookedRows < move.totalRows
  const done = isLooking ? move.lookedRows : (move?.processedRows ?? sent)
  const isAtVisits = move !== undefined && isAtVisitsOf(move)
  const said =
    move === undefined
      ? text.sending(formatPercent(Math.floor(sent * 100)))
      : isAtVisits
        ? movesWords.visits.running(formatNumber(move.processedVisits), formatNumber(move.totalVisits))
        : (isLooking ? text.looking : text.checking)(formatNumber(done), formatNumber(move.totalRows))
  return (
    <div>
      <ProgressBar
        label={text.progress}
        max={(isAtVisits ? move.totalVisits : move?.totalRows) ?? 1}
        value={isAtVisits ? move.processedVisits : done}
      >
        {said}
      </ProgressBar>
    </div>
  )
}

type ResultProps = {
  orgId: string
  move: Move
  isExact: boolean
  isStarting: boolean
  onStart: () => void
}

function Result({ orgId, move, isExact, isStarting, onStart }: ResultProps) {
  const { successCount, errors, mapping } = move
  const needsExact =
    !isExact && errors.some(({ column }) => column !== null && mapping.shortCode.includes(column))
  return (
    <>
      <Notice kind={successCount > 0 ? 'good' : 'problem'}>{resultText(move)}</Notice>
      <VisitsOutcome move={move} />
      {needsExact && <p className="text-sm">{text.exact}</p>}
      <MoveProblems orgId={orgId} move={move} />
      {successCount > 0 && (
        <div>
          <Button look="primary" busy={isStarting} onClick={onStart}>
            {text.start(movesWords.links(successCount, formatNumber(successCount)))}
          </Button>
        </div>
      )}
    </>
  )
}

function resultText(move: Move): string {
  const { totalRows, successCount, errorCount, failureReason } = move
  if (failureReason !== null) return sayProblem({ ...move, message: failureReason })
  if (errorCount === 0) return text.allFine(totalRows, formatNumber(totalRows))
  if (successCount === 0) return text.noneFine
  return text.someFine(movesWords.links(successCount, formatNumber(successCount)), formatNumber(errorCount))
}
