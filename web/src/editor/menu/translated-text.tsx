import { menuWords } from '../../words/menu-words.ts'
import { inputClass } from '../../ui/field.tsx'
import { nameOf } from './menu-languages.tsx'

type Props = {
  /** Name of the text: "Dish". */
  label: string
  language: string
  /** The text in the language of the menu, which guests see until it is translated. */
  original: string
  value: string
  className?: string
  /** Whether it may have lines. */
  hasLines?: boolean
  onChange: (text: string) => void
}

/** Edits a text of a menu in another language, below the original. */
export function TranslatedText({
  label,
  language,
  original,
  value,
  className = '',
  hasLines = false,
  onChange,
}: Props) {
  return (
    <div className={`relative min-w-0 ${className}`}>
      <span
        aria-hidden
        className="pointer-events-none absolute start-2.5 top-2.75 w-6 text-xs leading-5 font-semibold text-soft uppercase"
      >
        {language.split('-', 1)}
      </span>
      <textarea
        lang={language}
        dir="auto"
        rows={1}
        aria-label={menuWords.textIn(label, nameOf(language))}
        placeholder={original === '' ? menuWords.textIn(label, nameOf(language)) : original}
        value={value}
        onKeyDown={(event) => {
          // It must not become a line of a name.
          if (event.key === 'Enter' && !(hasLines && event.shiftKey) && !event.nativeEvent.isComposing)
            event.preventDefault()
        }}
        onChange={(event) =>
          onChange(hasLines ? event.target.value : event.target.value.replaceAll(/[\n\r]+/g, ' '))
        }
        className={`${inputClass} field-sizing-content max-h-40 resize-none border-dashed ps-9 text-sm`}
      />
    </div>
  )
}
