import { Languages } from 'lucide-react'
import { currentLanguage } from '../words/chosen-language.ts'
import { commonWords } from '../words/common-words.ts'
import { languageNames, languages, type Language } from '../words/languages.ts'
import { keepLanguage } from '../words/show-language.ts'
import { Choice } from './choice.tsx'

/** Every language with its name in itself. */
export const languageOptions = languages.map((language) => [language, languageNames[language]] as const)

let onChoice: (language: Language) => void = () => undefined

/** Sets what else happens when the user chooses a language, before the page is loaded anew. */
export function onLanguageChoice(listener: (language: Language) => void): void {
  onChoice = listener
}

/**
 * Shows the dashboard in another language: the page is loaded anew. The browser asks first if
 * changes on it are unsaved.
 */
export function changeLanguage(language: Language): void {
  keepLanguage(language)
  onChoice(language)
  location.reload()
}

/** Offers the languages where no menu of the account is. */
export function LanguageChoice({ className = '' }: { className?: string }) {
  return (
    <div className={`flex items-center gap-2 text-soft ${className}`}>
      <Languages size={18} aria-hidden className="shrink-0" />
      <Choice
        label={commonWords.nav.language}
        value={currentLanguage()}
        options={languageOptions}
        onChoose={changeLanguage}
        className="w-auto"
      />
    </div>
  )
}
