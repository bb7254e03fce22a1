import { useMemo, useState } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { commonWords } from '../../words/common-words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { readMenuList, type MenuSection, type ReadMenu } from './menu-list.ts'
import { pricedText } from './menu-prices.ts'

const text = menuWords
/** A menu of the most dishes is shorter. */
const charsMax = 1_000_000

/** Takes a menu as a text, and shows what is read from it before it is added. */
export function PasteMenuDialog({
  onRead,
  onClose,
}: {
  onRead: (read: ReadMenu) => void
  onClose: () => void
}) {
  const [pasted, setPasted] = useState('')
  const read = useMemo(() => readMenuList(pasted), [pasted])
  const dishes = read.sections.reduce((sum, { items }) => sum + items.length, 0)
  return (
    <Dialog title={text.pasteTitle} text={text.pasteText} onClose={onClose} wide>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TextArea
          label={text.pasteLabel}
          autoFocus
          data-autofocus
          rows={8}
          maxLength={charsMax}
          placeholder={text.pasteExample}
          spellCheck={false}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
        <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
          <p className="text-soft">
            {dishes === 0 ? text.pasteNothing : text.pasted(dishes, read.sections.length)}
          </p>
          {dishes > 0 && (
            <ReadSections sections={read.sections} label={text.pasted(dishes, read.sections.length)} />
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button look="primary" disabled={dishes === 0} onClick={() => onRead(read)}>
            {text.addPasted(dishes)}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function ReadSections({ sections, label }: { sections: readonly MenuSection[]; label: string }) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-36 overflow-auto rounded-control border border-line p-3"
    >
      {sections.map(({ name, items }, at) => (
        // Sections have no ids here.
        // oxlint-disable-next-line no-array-index-key
        <div key={at} className="not-first:mt-3">
          {name !== '' && <p className="font-medium">{name}</p>}
          <ul>
            {items.map((dish, place) => (
              // oxlint-disable-next-line no-array-index-key
              <li key={place} className="flex gap-3">
                <span className="min-w-0 flex-1">
                  {dish.name} <span className="text-soft">{dish.description}</span>
                </span>
                <span className="tabular-nums">
                  {typeof dish.price === 'number' && pricedText(dish.price, dish.currency ?? '')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
