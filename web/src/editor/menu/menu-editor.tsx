import { joinPath } from '@everscan/contract/schema/paths.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ClipboardPaste, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { DraftData } from '../content-schemas.ts'
import type { FormPaths } from '../schema-fields.tsx'
import { MenuDetails } from './menu-details.tsx'
import { MenuLanguages } from './menu-languages.tsx'
import type { Translated } from './menu-list.ts'
import { MenuSectionCard } from './menu-section-card.tsx'
import { languagesOf, translationOf, withTranslation } from './menu-translations.ts'
import { PasteMenuDialog } from './paste-menu-dialog.tsx'
import { TranslatedText } from './translated-text.tsx'
import { useMenuActions } from './use-menu-actions.ts'

const text = menuWords
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'JPY']
/** Beyond this many dishes, sections are opened one by one: a menu may have ten thousand. */
const dishesOpenMax = 120

type Props = { data: DraftData; path: string; form: FormPaths; onChange: (data: DraftData) => void }

/** Edits a menu that is written out: its sections and dishes, in a table. */
export function MenuEditor({ data, path, form, onChange }: Props) {
  const languages = languagesOf(data)
  const [wantedBeside, setBeside] = useState(() => languages[1] ?? '')
  const beside = languages.includes(wantedBeside) ? wantedBeside : ''
  const menu = useMenuActions(data, { beside, onChange })
  const { currency, isMixed } = menu
  return (
    <div ref={menu.body} className="@container grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <MenuTitle {...{ data, path, form, onChange }} />
        <Currency
          value={currency}
          hint={isMixed ? text.mixedCurrency : text.currencyHint}
          onChange={menu.setCurrency}
        />
      </div>
      {beside !== '' && (
        <TranslatedText
          label={text.title}
          language={beside}
          original={titleOf(data)}
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
        latest={() => menu.latest.current}
      />
      <Sections path={path} form={form} menu={menu} />
    </div>
  )
}

const titleOf = ({ title }: DraftData) => (typeof title === 'string' ? title : '')

function MenuTitle({ data, path, form, onChange }: Props) {
  return (
    <Field
      label={text.title}
      aria-required
      autoComplete="off"
      problem={form.problemAt(joinPath(path, 'title'))}
      value={titleOf(data)}
      onChange={(event) => onChange({ ...data, title: event.target.value })}
      onBlur={() => form.onLeave(joinPath(path, 'title'))}
    />
  )
}

type SectionsProps = Pick<Props, 'path' | 'form'> & { menu: ReturnType<typeof useMenuActions> }

/** Edits the sections, and adds some: empty, or from a list. */
function Sections({ path, form, menu }: SectionsProps) {
  const { sections, actions } = menu
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [isPasting, setIsPasting] = useState(false)
  const dishes = sections.reduce((sum, { items }) => sum + items.length, 0)
  const listProblem = form.problemAt(joinPath(path, 'sections'))
  const add = () => {
    setOpened(new Set([...opened, sections.length]))
    actions.onSections([...sections, { name: '', items: [] }], { section: sections.length, at: -1 })
  }
  return (
    <>
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
        <Button disabled={sections.length >= limits.menuSectionsMax} onClick={add}>
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
            menu.addRead(read)
            setIsPasting(false)
          }}
        />
      )}
    </>
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
