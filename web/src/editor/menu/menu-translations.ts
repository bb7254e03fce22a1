import type { DraftData } from '../content-schemas.ts'
import type { Translated } from './menu-list.ts'
import { sectionsOf } from './menu-sections.ts'

/** Returns the languages of a menu: first that of its texts. Empty: it does not say. */
export function languagesOf({ languages }: DraftData): string[] {
  return Array.isArray(languages) ? languages.filter((tag) => typeof tag === 'string') : []
}

/** Returns a text in another language. Empty: it is not translated. */
export function translationOf({ translations = [] }: Translated, language: string, field: string): string {
  return translations.find((one) => one.language === language)?.[field] ?? ''
}

/** Returns a part with a text in another language. An empty one is removed. */
export function withTranslation<Part extends Translated>(
  part: Part,
  language: string,
  { field, text }: { field: string; text: string },
): Part {
  const { translations = [] } = part
  const { [field]: _before, ...rest } = translations.find((one) => one.language === language) ?? { language }
  const changed = text === '' ? rest : { ...rest, [field]: text }
  const isEmpty = Object.keys(changed).length === 1
  const at = translations.findIndex((one) => one.language === language)
  const others = at < 0 ? [...translations] : translations.toSpliced(at, 1)
  const next = isEmpty ? others : others.toSpliced(at < 0 ? others.length : at, 0, { language, ...changed })
  return { ...part, translations: next.length === 0 ? undefined : next }
}

/** Returns how many texts of a menu are not translated yet. */
export function untranslated(data: DraftData, language: string): number {
  const lacks = (part: Translated, field: string) => translationOf(part, language, field) === ''
  return sectionsOf(data)
    .flatMap((section) => [
      section.name !== '' && lacks(section, 'name'),
      ...section.items.flatMap((dish) => [
        dish.name !== '' && lacks(dish, 'name'),
        (dish.description ?? '') !== '' && lacks(dish, 'description'),
      ]),
    ])
    .filter(Boolean).length
}

/** Returns a menu without a language and the texts in it. */
export function withoutLanguage(data: DraftData, language: string): DraftData {
  const cleared = <Part extends Translated>({ translations, ...part }: Part) => {
    const kept = translations?.filter((one) => one.language !== language) ?? []
    return { ...part, ...(kept.length > 0 && { translations: kept }) }
  }
  const languages = languagesOf(data).filter((tag) => tag !== language)
  return {
    ...cleared(data as DraftData & Translated),
    languages,
    sections: sectionsOf(data).map((section) => ({
      ...cleared(section),
      items: section.items.map(cleared),
    })),
  }
}

/**
 * Returns a menu with a language and its texts as they were before. Sections and dishes that were
 * changed since keep their change, and those with another name get no text back.
 */
export function withLanguageOf(now: DraftData, before: DraftData, language: string): DraftData {
  const back = <Part extends Translated & { name?: unknown }>(part: Part, old: Part | undefined): Part => {
    const own = old?.translations?.find((one) => one.language === language)
    if (own === undefined || old?.name !== part.name) return part
    const others = (part.translations ?? []).filter((one) => one.language !== language)
    return { ...part, translations: [...others, own] }
  }
  const olds = sectionsOf(before)
  return {
    ...back(now as DraftData & Translated, before as DraftData & Translated),
    languages: [...languagesOf(now).filter((tag) => tag !== language), language],
    sections: sectionsOf(now).map((section, at) => ({
      ...back(section, olds[at]),
      items: section.items.map((dish, place) => back(dish, olds[at]?.items[place])),
    })),
  }
}
