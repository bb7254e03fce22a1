import {
  labelGridProblems,
  labelGrids,
  labelPages,
  type LabelGrid,
  type LabelSheetName,
} from '@everscan/contract/resources/label-grids.ts'
import { labelCaptionPositions, labelCaptions } from '@everscan/contract/resources/label-sheets.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../session/api.ts'
import { AddressNotice } from './address-notice.tsx'
import { codesText } from './code-changes.ts'
import { formatNumber } from '../ui/format.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toasts.ts'
import { bulkWords } from '../words/codes-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { LabelPreview } from './label-preview.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { LearnMore } from '../ui/learn-more.tsx'

const text = bulkWords.labels
const sheets = Object.keys(labelGrids) as LabelSheetName[]
const pages = Object.keys(labelPages) as LabelGrid['page'][]
/** Fields of a custom sheet. */
const measures = [
  'columns',
  'rows',
  'labelWidthMm',
  'labelHeightMm',
  'marginLeftMm',
  'marginTopMm',
  'gapXMm',
  'gapYMm',
] as const satisfies (keyof LabelGrid)[]

type Props = { orgId: string; codes: readonly QrCode[]; onClose: () => void }

/** How labels are printed. `grid` counts if `sheet` is `own`. */
type Wanted = {
  sheet: LabelSheetName | 'own'
  grid: LabelGrid
  caption: (typeof labelCaptions)[number]
  position: '' | (typeof labelCaptionPositions)[number]
  copies: number
  startAt: number
  cutMarks: boolean
}
const atFirst: Wanted = {
  sheet: 'avery-l7160',
  grid: { ...labelGrids['avery-l7160'] },
  caption: 'name',
  position: '',
  copies: 1,
  startAt: 1,
  cutMarks: false,
}

/** Prints codes on sheets of labels, as a PDF. */
export function LabelsDialog({ orgId, codes, onClose }: Props) {
  const [wanted, setWanted] = useState(atFirst)
  const change = (changes: Partial<Wanted>) => setWanted((now) => ({ ...now, ...changes }))
  const { sheet, grid: own, caption, copies, startAt } = wanted
  const grid: LabelGrid = sheet === 'own' ? own : labelGrids[sheet]
  const print = useMutation({
    mutationFn: async () =>
      api.qrCodes.labelSheet(orgId, { ids: codes.map(({ id }) => id), ...sheetQuery(wanted) }),
    onSuccess: ({ bytes, contentType, fileName, captionsIncomplete }) => {
      saveFile(new Blob([bytes], { type: contentType }), fileName)
      if (captionsIncomplete > 0)
        showToast({ text: text.incomplete(codesText(captionsIncomplete)), kind: 'problem' })
      onClose()
    },
  })
  const labels = codes.length * copies
  const unfit = sheet === 'own' ? labelGridProblems(own) : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    print.mutate()
  }
  const problemOf = (field: string) => {
    const found = unfit.find(({ path }) => path === field)
    return found === undefined ? fieldProblem(print.error, `grid.${field}`) : sayProblem(found)
  }
  return (
    <Dialog wide title={text.title(codesText(codes.length))} onClose={onClose}>
      <form className="grid gap-5 sm:grid-cols-[1fr_11rem]" onSubmit={submit}>
        <div className="grid content-start gap-4">
          <AddressNotice orgId={orgId} />
          {print.error !== null && <Notice kind="problem">{problemText(print.error)}</Notice>}
          <ChoiceField
            label={text.sheet}
            value={sheet}
            options={[...sheets.map((one) => [one, sheetName(one)] as const), ['own', text.own] as const]}
            onChoose={(next) => change({ sheet: next })}
          />
          {sheet === 'own' && (
            <OwnSheet grid={own} problemOf={problemOf} onChange={(next) => change({ grid: next })} />
          )}
          <Arrangement {...{ wanted, grid }} error={print.error} onChange={change} />
        </div>
        <LabelPreview grid={grid} startAt={startAt} labels={labels} caption={caption !== 'none'} />
        <div className="sm:col-span-2">
          <FormButtons
            action={text.start}
            busy={print.isPending}
            disabled={unfit.length > 0}
            onClose={onClose}
          >
            <p className="min-w-60 flex-1 text-sm text-soft">
              {unfit.length === 0 && sheetsText({ grid, labels, startAt })} <LearnMore about="labels" />
            </p>
          </FormButtons>
        </div>
      </form>
    </Dialog>
  )
}

/** Says how many sheets the labels take; nothing while that is not known. */
function sheetsText({ grid, labels, startAt }: { grid: LabelGrid; labels: number; startAt: number }) {
  const perSheet = Math.max(1, grid.columns * grid.rows)
  const sheetsNeeded = Math.max(1, Math.ceil((labels + startAt - 1) / perSheet))
  return (
    Number.isFinite(sheetsNeeded) &&
    text.sheets(formatNumber(labels), sheetsNeeded, formatNumber(sheetsNeeded))
  )
}

/** Returns the query of a sheet. Without captions, they have no position. */
function sheetQuery({ sheet, grid, caption, position, copies, startAt, cutMarks }: Wanted) {
  return {
    ...(sheet === 'own' ? { grid } : { sheet }),
    caption,
    ...(caption !== 'none' && position !== '' && { captionPosition: position }),
    copies,
    startAt,
    cutMarks,
  }
}

type OwnProps = {
  grid: LabelGrid
  problemOf: (field: string) => string | undefined
  onChange: (grid: LabelGrid) => void
}

function OwnSheet({ grid, problemOf, onChange }: OwnProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-3 rounded-control border border-line p-3">
      <legend className="px-1 text-sm text-soft">{text.own}</legend>
      <ChoiceField
        label={text.page}
        className="col-span-2"
        value={grid.page}
        options={pages.map((one) => [one, one] as const)}
        onChoose={(page) => onChange({ ...grid, page })}
      />
      {measures.map((field) => (
        <Field
          key={field}
          label={text[field]}
          min={0}
          step={field === 'columns' || field === 'rows' ? 1 : 'any'}
          {...numberInput(grid[field], (value) => onChange({ ...grid, [field]: value }))}
          problem={problemOf(field)}
        />
      ))}
    </fieldset>
  )
}

type ArrangementProps = {
  wanted: Wanted
  grid: LabelGrid
  error: unknown
  onChange: (changes: Partial<Wanted>) => void
}

/** Chooses what is on labels, and which labels of the sheets are printed. */
function Arrangement({ wanted, grid, error, onChange }: ArrangementProps) {
  const { caption, position, copies, startAt, cutMarks } = wanted
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label={text.caption}
          value={caption}
          options={labelCaptions.map((one) => [one, text.captions[one]] as const)}
          onChoose={(next) => onChange({ caption: next })}
        />
        {caption !== 'none' && (
          <ChoiceField
            label={text.position}
            value={position}
            options={(['', ...labelCaptionPositions] as const).map(
              (one) => [one, text.positions[one]] as const,
            )}
            onChoose={(next) => onChange({ position: next })}
          />
        )}
        <Field
          label={text.copies}
          min={1}
          max={limits.labelCopiesMax}
          {...numberInput(copies, (next) => onChange({ copies: next }))}
          problem={fieldProblem(error, 'copies')}
        />
        <Field
          label={text.startAt}
          hint={text.startAtHint}
          min={1}
          max={grid.columns * grid.rows}
          {...numberInput(startAt, (next) => onChange({ startAt: next }))}
          problem={fieldProblem(error, 'startAt')}
        />
      </div>
      <Checkbox
        label={text.cutMarks}
        withLabel
        checked={cutMarks}
        onChange={(event) => onChange({ cutMarks: event.target.checked })}
      />
    </>
  )
}

/** Returns the props of a number field. NaN stands for an empty field. */
const numberInput = (value: number, onChange: (value: number) => void) => ({
  type: 'number',
  required: true,
  value: Number.isNaN(value) ? '' : value,
  onChange: (event: { target: HTMLInputElement }) => onChange(event.target.valueAsNumber),
})

/** Returns the name of a sheet: "Avery L7160: 3 × 7 labels of 63.5 × 38.1 mm". */
function sheetName(sheet: LabelSheetName): string {
  const { columns, rows, labelWidthMm, labelHeightMm } = labelGrids[sheet]
  const name = sheet
    .replace(/^avery-/, 'Avery ')
    .toUpperCase()
    .replace('AVERY', 'Avery')
  const [width, height] = [labelWidthMm, labelHeightMm].map((mm) => formatNumber(mm)) as [string, string]
  return text.sheetName(name, { columns, rows, width, height })
}
