import { Type, type Static } from 'typebox'
import { Line, Text, Url, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { textOf } from '../schema/fields.ts'
import { joinPath } from '../schema/paths.ts'
import { destinationsIn, required, type CodeType } from './code-type.ts'

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
    sections: Type.Optional(
      Type.Array(
        strictObject({
          name: Line(limits.nameCharsMax, 'Name of the section.'),
          items: Type.Array(
            strictObject({
              name: Line(limits.nameCharsMax, 'Name of the dish.'),
              description: Type.Optional(Text(limits.descriptionCharsMax, 'What it is.')),
              price: Type.Optional(
                Type.Number({ description: 'Price in units of the currency.', minimum: 0, maximum: 1e9 }),
              ),
              currency: Type.Optional(
                Line(10, 'ISO 4217 code, or the sign as it is printed.', { examples: ['EUR'] }),
              ),
            }),
            { maxItems: limits.menuItemsMax },
          ),
        }),
        { minItems: 1, maxItems: limits.menuSectionsMax },
      ),
    ),
  },
  {
    description: 'Content of type MENU: url, or title with sections.',
    examples: [
      { url: 'https://example.com/menu' },
      {
        title: 'Trattoria',
        sections: [{ name: 'Pasta', items: [{ name: 'Cacio e pepe', price: 12.5, currency: 'EUR' }] }],
      },
    ],
  },
)
export type MenuData = Static<typeof MenuData>

export const menu = {
  schema: MenuData,
  answers: 'either',
  redirect: (data) => textOf(data, 'url') || undefined,
  problems: ({ url, title, sections }, prefix) => {
    const writtenOut = title !== undefined || sections !== undefined
    if (url !== undefined && writtenOut) {
      return [{ path: prefix, message: 'must have either "url" or "title" with "sections", not both' }]
    }
    if (url !== undefined) return []
    if (!writtenOut) return [{ path: prefix, message: 'must have "url", or "title" with "sections"' }]
    if (title === undefined)
      return [{ path: joinPath(prefix, 'title'), message: 'is required with "sections"' }]
    if (sections === undefined) {
      return [{ path: joinPath(prefix, 'sections'), message: 'is required with "title"' }]
    }
    return []
  },
  destinations: destinationsIn('url'),
  importColumns: [required('url', 'https://example.com/menu')],
  payload: 'link',
} satisfies CodeType
