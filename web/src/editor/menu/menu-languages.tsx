import { pageLanguages } from '@everscan/contract/code-types/page-languages.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { X } from 'lucide-react'
import { currentLanguage, currentLocale } from '../../words/chosen-language.ts'
import { menuWords } from '../../words/menu-words.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Folded, Options } from '../../ui/options.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { DraftData } from '../content-schemas.ts'
import { languagesOf, untranslated, withLanguageOf, withoutLanguage } from './menu-translations.ts'

const text = menuWords

/** Languages that guests of a restaurant read, beside those of our own words. */
const rarer = 'da sv nb fi cs sk hu ro bg el hr sl sr sq lt lv et uk he fa ur bn th vi id ms zh-Hant ca eu gl'
const offeredTags: readonly string[] = [...pageLanguages, ...rarer.split(' ')]

type Props = {
  data: DraftData
  /** The other language whose texts are beside those of the menu. Empty: none. */
  beside: string
  onBeside: (language: string) => void
  onChange: (data: DraftData) => void
  /** The menu as it is by then. */
  latest: () => DraftData
}

/** Chooses the languages of a menu, and the one that is edited beside the first. */
export function MenuLanguages({ data, beside, onBeside, onChange, latest }: Props) {
  const languages = languagesOf(data)
  const [own = '', ...others] = languages
  const ownText = own || currentLanguage()
  const add = (language: string) => {
    onChange({ ...data, languages: own === '' ? [ownText, language] : [...languages, language] })
    onBeside(language)
  }
  const remove = (language: string) => {
    onChange(withoutLanguage(data, language))
    if (beside === language) onBeside('')
    showToast({
      kind: 'good',
      text: text.removedLanguage(nameOf(language)),
      undo: () => onChange(withLanguageOf(latest(), data, language)),
    })
  }
  return (
    <Folded title={text.languages} open={others.length > 0}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label={text.ownLanguage}
          value={ownText}
          options={named([...new Set([ownText, ...offeredTags])].filter((tag) => !others.includes(tag)))}
          onChoose={(tag) => onChange({ ...data, languages: [tag, ...others] })}
        />
        <ChoiceField
          label={text.addLanguage}
          hint={text.languagesHint}
          value=""
          disabled={languages.length >= limits.menuLanguagesMax}
          options={[
            ['', text.chooseLanguage] as const,
            ...named(offeredTags.filter((tag) => tag !== ownText && !others.includes(tag))),
          ]}
          onChoose={(tag) => tag !== '' && add(tag)}
        />
      </div>
      {others.length > 0 && (
        <OtherLanguages data={data} others={others} beside={beside} onBeside={onBeside} onRemove={remove} />
      )}
      {others.length > 0 && beside === '' && (
        <Button className="justify-self-start" onClick={() => onBeside(others[0] ?? '')}>
          {text.translate}
        </Button>
      )}
    </Folded>
  )
}

type OthersProps = Pick<Props, 'data' | 'beside' | 'onBeside'> & {
  others: readonly string[]
  onRemove: (language: string) => void
}

/** Tells what the other languages lack. */
function OtherLanguages({ data, others, beside, onBeside, onRemove }: OthersProps) {
  return (
    <div className="grid gap-3">
      <Options
        legend={text.beside}
        value={beside}
        options={[['', text.besideNone] as const, ...others.map((tag) => [tag, nameOf(tag)] as const)]}
        onChoose={onBeside}
      />
      <ul className="grid gap-1 text-sm text-soft">
        {others.map((tag) => {
          const missing = untranslated(data, tag)
          return (
            <li key={tag} className="flex items-center gap-1">
              <span className="min-w-0 flex-1">
                {missing === 0
                  ? text.translated(nameOf(tag))
                  : text.missing(nameOf(tag), missing, formatNumber(missing))}
              </span>
              <button
                type="button"
                aria-label={text.removeLanguage(nameOf(tag))}
                onClick={() => onRemove(tag)}
                className={iconButtonClass}
              >
                <X size={18} aria-hidden />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Returns the name of a language in the language of the dashboard. */
export function nameOf(tag: string): string {
  return new Intl.DisplayNames([currentLocale()], { type: 'language' }).of(tag) ?? tag
}

/** Returns languages with their names, by name. */
const named = (tags: readonly string[]) =>
  tags
    .map((tag) => [tag, nameOf(tag)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, currentLocale()))
