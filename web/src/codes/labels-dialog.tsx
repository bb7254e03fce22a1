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
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
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

/** Prints codes on sheets of labels, as a PDF. */
export function LabelsDialog({ orgId, codes, onClose }: Props) {
  const [sheet, setSheet] = useState<LabelSheetName | 'own'>('avery-l7160')
  const [own, setOwn] = useState<LabelGrid>({ ...labelGrids['avery-l7160'] })
  const [caption, setCaption] = useState<(typeof labelCaptions)[number]>('name')
  const [position, setPosition] = useState<'' | (typeof labelCaptionPositions)[number]>('')
  const [copies, setCopies] = useState(1)
  const [startAt, setStartAt] = useState(1)
  const [cutMarks, setCutMarks] = useState(false)
  const grid: LabelGrid = sheet === 'own' ? own : labelGrids[sheet]
  const print = useMutation({
    mutationFn: async () =>
      api.qrCodes.labelSheet(orgId, {
        ids: codes.map(({ id }) => id),
        ...(sheet === 'own' ? { grid: own } : { sheet }),
        caption,
        ...(caption !== 'none' && position !== '' && { captionPosition: position }),
        copies,
        startAt,
        cutMarks,
      }),
    onSuccess: ({ bytes, contentType, fileName, captionsIncomplete }) => {
      saveFile(new Blob([bytes], { type: contentType }), fileName)
      if (captionsIncomplete > 0)
        showToast({ text: text.incomplete(codesText(captionsIncomplete)), kind: 'problem' })
      onClose()
    },
  })
  const labels = codes.length * copies
  const perSheet = grid.columns * grid.rows
  const sheetsNeeded = Math.max(1, Math.ceil((labels + startAt - 1) / Math.max(1, perSheet)))
  const unfit = sheet === 'own' ? labelGridProblems(own) : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    print.mutate()
  }
  const problemOf = (field: string) =>
    unfit.find(({ path }) => path === field)?.message ?? fieldProblem(print.error, `grid.${field}`)
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
            onChoose={setSheet}
          />
          {sheet === 'own' && (
            <fieldset className="grid grid-cols-2 gap-3 rounded-control border border-line p-3">
              <legend className="px-1 text-sm text-soft">{text.own}</legend>
              <ChoiceField
                label={text.page}
                className="col-span-2"
                value={own.page}
                options={pages.map((one) => [one, one] as const)}
                onChoose={(page) => setOwn({ ...own, page })}
              />
              {measures.map((field) => (
                <Field
                  key={field}
                  label={text[field]}
                  min={0}
                  step={field === 'columns' || field === 'rows' ? 1 : 'any'}
                  {...numberInput(own[field], (value) => setOwn({ ...own, [field]: value }))}
                  problem={problemOf(field)}
                />
              ))}
            </fieldset>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label={text.caption}
              value={caption}
              options={labelCaptions.map((one) => [one, text.captions[one]] as const)}
              onChoose={setCaption}
            />
            {caption !== 'none' && (
              <ChoiceField
                label={text.position}
                value={position}
                options={(['', ...labelCaptionPositions] as const).map(
                  (one) => [one, text.positions[one]] as const,
                )}
                onChoose={setPosition}
              />
            )}
            <Field
              label={text.copies}
              min={1}
              max={limits.labelCopiesMax}
              {...numberInput(copies, setCopies)}
              problem={fieldProblem(print.error, 'copies')}
            />
            <Field
              label={text.startAt}
              hint={text.startAtHint}
              min={1}
              max={perSheet}
              {...numberInput(startAt, setStartAt)}
              problem={fieldProblem(print.error, 'startAt')}
            />
          </div>
          <Checkbox
            label={text.cutMarks}
            withLabel
            checked={cutMarks}
            onChange={(event) => setCutMarks(event.target.checked)}
          />
        </div>
        <LabelPreview grid={grid} startAt={startAt} labels={labels} caption={caption !== 'none'} />
        <div className="flex flex-wrap items-center justify-end gap-2 sm:col-span-2">
          <p className="min-w-60 flex-1 text-sm text-soft">
            {unfit.length === 0 &&
              Number.isFinite(sheetsNeeded) &&
              text.sheets(formatNumber(labels), sheetsNeeded, formatNumber(sheetsNeeded))}{' '}
            <LearnMore about="labels" />
          </p>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button type="submit" look="primary" busy={print.isPending} disabled={unfit.length > 0}>
            {text.start}
          </Button>
        </div>
      </form>
    </Dialog>
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
