import { Type, type Static } from 'typebox'
import { Line, Text, Url, oneOf, strictObject } from '../schema/common.ts'
import { listOf, textOf, type Fields } from '../schema/fields.ts'
import { limits } from '../schema/limits.ts'
import { joinPath } from '../schema/paths.ts'
import { patterns } from '../schema/patterns.ts'
import { problem } from '../problems/local-problem.ts'
import type { FieldProblem } from '../problems/problem.ts'
import { weekdays } from '../schema/weekdays.ts'
import { destinationsIn, required, textsOf, type CodeType } from './code-type.ts'
import { Address, Phone } from './contact-fields.ts'
import { allergens, diets } from './menu-marks.ts'

const Language = (description: string) =>
  Type.String({ description, pattern: patterns.language, maxLength: 35, examples: ['de'] })
const ClockTime = (description: string) =>
  Type.String({ description, pattern: patterns.clockTime, examples: ['18:00'] })
const Picture = (charsMax: number, description: string) =>
  Type.String({ description, maxLength: charsMax, pattern: patterns.logo })

const language = Language('Language of these texts: one of `languages`, after the first.')
const translations = {
  description: 'The texts in other languages. A missing one is shown in the first language.',
  maxItems: limits.menuLanguagesMax - 1,
}

const Dish = strictObject({
  name: Line(limits.nameCharsMax, 'Name of the dish.'),
  description: Type.Optional(Text(limits.descriptionCharsMax, 'What it is.')),
  price: Type.Optional(
    Type.Number({ description: 'Price in units of the currency.', minimum: 0, maximum: 1e9 }),
  ),
  currency: Type.Optional(Line(10, 'ISO 4217 code, or the sign as it is printed.', { examples: ['EUR'] })),
  diets: Type.Optional(
    Type.Array(oneOf(diets), {
      description: 'Why people choose it.',
      maxItems: diets.length,
      uniqueItems: true,
    }),
  ),
  allergens: Type.Optional(
    Type.Array(oneOf(allergens), {
      description: 'What it contains, of the list of the European Union.',
      maxItems: allergens.length,
      uniqueItems: true,
    }),
  ),
  translations: Type.Optional(
    Type.Array(
      strictObject({
        language,
        name: Type.Optional(Line(limits.nameCharsMax, 'Name of the dish.')),
        description: Type.Optional(Text(limits.descriptionCharsMax, 'What it is.')),
      }),
      translations,
    ),
  ),
})

const Section = strictObject({
  name: Line(limits.nameCharsMax, 'Name of the section.'),
  items: Type.Array(Dish, { maxItems: limits.menuItemsMax }),
  translations: Type.Optional(
    Type.Array(
      strictObject({ language, name: Line(limits.nameCharsMax, 'Name of the section.') }),
      translations,
    ),
  ),
})

const OpeningHours = strictObject({
  days: Type.Array(oneOf(weekdays), {
    description: 'Days of the week.',
    minItems: 1,
    maxItems: weekdays.length,
    uniqueItems: true,
  }),
  from: ClockTime('When it opens, HH:MM.'),
  to: ClockTime('When it closes, HH:MM. Not later than `from`: on the next day.'),
})

/**
 * Content of a MENU code: the address of a menu, or a menu written out. `menu.problems` requires
 * one of the two.
 */
export const MenuData = strictObject(
  {
    url: Type.Optional(
      Url('Address of a menu that exists: http or https. Either this, or title with sections.'),
    ),
    title: Type.Optional(Line(limits.nameCharsMax, 'Name of the restaurant or menu.')),
    photo: Type.Optional(
      Picture(limits.menuPhotoCharsMax, 'Picture above the title: data URI of a PNG, JPEG or WebP.'),
    ),
    logo: Type.Optional(
      Picture(
        limits.menuLogoCharsMax,
        'Logo beside the title, in place of that of the organization: data URI of a PNG, JPEG or WebP.',
      ),
    ),
    phone: Type.Optional(Phone('Phone number; the page has a button that calls it.')),
    bookingUrl: Type.Optional(Url('Page to book a table: http or https.')),
    address: Type.Optional(Address),
    openingHours: Type.Optional(
      Type.Array(OpeningHours, {
        description: 'When it is open. Days that are not in it are closed.',
        maxItems: limits.menuHoursMax,
      }),
    ),
    languages: Type.Optional(
      Type.Array(Language('BCP 47 tag.'), {
        description:
          'Languages of the menu: first that of its texts, then those of `translations`. The page has a switch.',
        minItems: 1,
        maxItems: limits.menuLanguagesMax,
        uniqueItems: true,
        examples: [['it', 'de']],
      }),
    ),
    translations: Type.Optional(
      Type.Array(
        strictObject({ language, title: Line(limits.nameCharsMax, 'Name of the restaurant or menu.') }),
        translations,
      ),
    ),
    sections: Type.Optional(Type.Array(Section, { minItems: 1, maxItems: limits.menuSectionsMax })),
  },
  {
    description: 'Content of type MENU: url, or title with sections.',
    examples: [
      { url: 'https://example.com/menu' },
      {
        title: 'Trattoria',
        sections: [{ name: 'Pasta', items: [{ name: 'Cacio e pepe', price: 12.5, currency: 'EUR' }] }],
      },
      {
        title: 'Trattoria',
        phone: '+39 011 123456',
        openingHours: [{ days: ['TU', 'WE', 'TH', 'FR', 'SA'], from: '18:00', to: '23:00' }],
        languages: ['it', 'en'],
        sections: [
          {
            name: 'Primi',
            translations: [{ language: 'en', name: 'Pasta' }],
            items: [
              {
                name: 'Cacio e pepe',
                description: 'Pecorino e pepe nero',
                price: 12.5,
                currency: 'EUR',
                diets: ['vegetarian'],
                allergens: ['gluten', 'milk'],
                translations: [{ language: 'en', description: 'Pecorino and black pepper' }],
              },
            ],
          },
        ],
      },
    ],
  },
)
export type MenuData = Static<typeof MenuData>

export const menu = {
  schema: MenuData,
  answers: 'either',
  redirect: (data) => textOf(data, 'url') || undefined,
  problems: (data, prefix) => {
    const { url, title, sections } = data
    const isWrittenOut = Object.keys(data).some((name) => name !== 'url')
    if (url !== undefined && isWrittenOut) {
      return [{ path: prefix, ...problem('menuWithBoth') }]
    }
    if (url !== undefined) return []
    if (title === undefined && sections === undefined) {
      return [{ path: prefix, ...problem('menuWithNeither') }]
    }
    if (title === undefined) return [{ path: joinPath(prefix, 'title'), ...problem('menuWithoutTitle') }]
    if (sections === undefined) {
      return [{ path: joinPath(prefix, 'sections'), ...problem('menuWithoutSections') }]
    }
    return languageProblems(data, prefix)
  },
  destinations: destinationsIn('url', 'bookingUrl'),
  leads: textsOf('url', 'title'),
  importColumns: [required('url', 'https://example.com/menu')],
} satisfies CodeType

/** Returns translations in a language that the menu does not have, or has twice. */
function languageProblems(data: Fields, prefix: string): FieldProblem[] {
  const { languages } = data
  const others = new Set(Array.isArray(languages) ? languages.slice(1) : [])
  const problemsIn = (part: Fields, path: string): FieldProblem[] => {
    const seen = new Set<string>()
    return listOf(part, 'translations').flatMap((translation, at) => {
      const tag = textOf(translation, 'language')
      const isRepeated = seen.has(tag)
      seen.add(tag)
      if (others.has(tag) && !isRepeated) return []
      return {
        path: joinPath(joinPath(joinPath(path, 'translations'), at), 'language'),
        ...problem(isRepeated ? 'menuLanguageTwice' : 'menuLanguageUnknown', { language: tag }),
      }
    })
  }
  return [
    ...problemsIn(data, prefix),
    ...listOf(data, 'sections').flatMap((section, at) => {
      const path = joinPath(joinPath(prefix, 'sections'), at)
      return [
        ...problemsIn(section, path),
        ...listOf(section, 'items').flatMap((dish, place) =>
          problemsIn(dish, joinPath(joinPath(path, 'items'), place)),
        ),
      ]
    }),
  ]
}
