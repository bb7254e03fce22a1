import { joinPath } from '@everscan/contract/schema/paths.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ClipboardPaste, Plus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { DraftData } from '../content-schemas.ts'
import type { FormPaths } from '../schema-fields.tsx'
import { MenuDetails } from './menu-details.tsx'
import { MenuLanguages } from './menu-languages.tsx'
import { readMenuList, type MenuSection, type Translated } from './menu-list.ts'
import { MenuSectionCard } from './menu-section-card.tsx'
import {
  changeItems,
  hasSeveralCurrencies,
  moveDish,
  moveSection,
  placeAfterMove,
  sectionsOf,
  sharedCurrency,
  withCurrency,
  withRead,
  type DishPlace,
} from './menu-sections.ts'
import { languagesOf, translationOf, withTranslation } from './menu-translations.ts'
import { PasteMenuDialog } from './paste-menu-dialog.tsx'
import { TranslatedText } from './translated-text.tsx'

const text = menuWords
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'JPY']
/** Beyond this many dishes, sections are opened one by one: a menu may have ten thousand. */
const dishesOpenMax = 120

type Props = { data: DraftData; path: string; form: FormPaths; onChange: (data: DraftData) => void }

/** Edits a menu that is written out: its sections and dishes, in a table. */
export function MenuEditor({ data, path, form, onChange }: Props) {
  const sections = sectionsOf(data)
  const dishes = sections.reduce((sum, { items }) => sum + items.length, 0)
  const [chosen, setChosen] = useState('EUR')
  const [isPasting, setIsPasting] = useState(false)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [dragged, setDragged] = useState<DishPlace>()
  const languages = languagesOf(data)
  const [wantedBeside, setBeside] = useState(() => languages[1] ?? '')
  const beside = languages.includes(wantedBeside) ? wantedBeside : ''
  const body = useRef<HTMLDivElement>(null)
  const wanted = useRef<DishPlace>(undefined)
  const latest = useRef(data)
  useEffect(() => {
    latest.current = data
    const place = wanted.current
    wanted.current = undefined
    if (place !== undefined) focusDish(body.current, place)
  })
  const several = hasSeveralCurrencies(sections)
  const currency = several ? '' : (sharedCurrency(sections) ?? chosen)
  const change = (next: readonly MenuSection[], focus?: DishPlace) => {
    wanted.current = focus
    onChange({ ...data, sections: next })
  }
  /** Takes a removal back in what the menu is by then. */
  const removed = (told: string, putBack: (now: MenuSection[]) => MenuSection[]) => {
    showToast({
      kind: 'good',
      text: told,
      undo: () => onChange({ ...latest.current, sections: putBack(sectionsOf(latest.current)) }),
    })
  }
  const actions = {
    currency,
    beside,
    onSections: change,
    onMove: (from: DishPlace, to: DishPlace) =>
      from.at < 0
        ? change(moveSection(sections, from.section, to.section), { section: to.section, at: -1 })
        : change(moveDish(sections, from, to), placeAfterMove(from, to)),
    onRemoveDish: ({ section, at }: DishPlace) => {
      const dish = sections[section]?.items[at]
      change(changeItems(sections, section, (items) => items.toSpliced(at, 1)))
      if (dish !== undefined && dish.name !== '')
        removed(text.removedDish, (now) => changeItems(now, section, (items) => items.toSpliced(at, 0, dish)))
    },
    onRemoveSection: (at: number) => {
      const section = sections[at]
      change(sections.toSpliced(at, 1))
      if (section !== undefined && section.items.length > 0)
        removed(text.removedSection, (now) => now.toSpliced(at, 0, section))
    },
    onPaste: (place: DishPlace, pasted: string) => {
      const read = readMenuList(pasted)
      const money = currency === '' ? (read.currency ?? '') : currency
      change(withRead(sections, read, { currency: money, after: place }))
    },
    dragged,
    onDrag: setDragged,
  }
  const listProblem = form.problemAt(joinPath(path, 'sections'))
  return (
    <div ref={body} className="@container grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <Field
          label={text.title}
          aria-required
          autoComplete="off"
          problem={form.problemAt(joinPath(path, 'title'))}
          value={typeof data['title'] === 'string' ? data['title'] : ''}
          onChange={(event) => onChange({ ...data, title: event.target.value })}
          onBlur={() => form.onLeave(joinPath(path, 'title'))}
        />
        <Currency
          value={currency}
          hint={several ? text.mixedCurrency : text.currencyHint}
          onChange={(next) => {
            setChosen(next)
            onChange({ ...data, sections: withCurrency(sections, next) })
          }}
        />
      </div>
      {beside !== '' && (
        <TranslatedText
          label={text.title}
          language={beside}
          original={typeof data['title'] === 'string' ? data['title'] : ''}
          value={translationOf(data, beside, 'title')}
          onChange={(title) =>
            onChange(withTranslation(data as DraftData & Translated, beside, { field: 'title', text: title }))
          }
        />
      )}
      <MenuDetails data={data} path={path} form={form} onChange={onChange} />
      <MenuLanguages
        data={data}
        beside={beside}
        onBeside={setBeside}
        onChange={onChange}
        latest={() => latest.current}
      />
      {sections.map((section, at) => (
        <MenuSectionCard
          // Sections have no ids, and the form holds their content.
          // oxlint-disable-next-line no-array-index-key
          key={at}
          sections={sections}
          at={at}
          path={joinPath(joinPath(path, 'sections'), at)}
          form={form}
          actions={actions}
          isOpen={dishes <= dishesOpenMax || opened.has(at)}
          onOpen={() => setOpened(new Set([...opened, at]))}
          section={section}
        />
      ))}
      {listProblem !== undefined && <p className="text-sm text-danger">{listProblem}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={sections.length >= limits.menuSectionsMax}
          onClick={() => {
            setOpened(new Set([...opened, sections.length]))
            change([...sections, { name: '', items: [] }], { section: sections.length, at: -1 })
          }}
        >
          <Plus size={16} aria-hidden />
          {text.addSection}
        </Button>
        <Button onClick={() => setIsPasting(true)}>
          <ClipboardPaste size={16} aria-hidden />
          {text.paste}
        </Button>
      </div>
      <p className="text-sm text-soft">{text.keys}</p>
      {isPasting && (
        <PasteMenuDialog
          onClose={() => setIsPasting(false)}
          onRead={(read) => {
            const money = read.currency ?? currency
            setChosen(money)
            const all = withRead(sections, read, { currency: money })
            change(withCurrency(all, money))
            setIsPasting(false)
          }}
        />
      )}
    </div>
  )
}

function Currency({
  value,
  hint,
  onChange,
}: {
  value: string
  hint: string
  onChange: (value: string) => void
}) {
  const list = useId()
  return (
    <>
      <Field
        label={text.currency}
        hint={hint}
        list={list}
        maxLength={10}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {currencies.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

/** Focuses the name of a dish, or that of its section if `at` is -1. */
function focusDish(body: HTMLElement | null, { section, at }: DishPlace): void {
  body?.querySelector<HTMLElement>(`[data-dish="${section}.${at}"] [data-field="name"]`)?.focus()
}
