import { answeredLists, listOf, type dimensions, type ListedDimension } from './dimensions.ts'

type Layout = typeof answeredLists
type ListOf<Name extends ListedDimension> = (typeof dimensions)[Name]['list']

/** The fields of a row of a list, with a type for each kind of field. */
export type RowFields<Name extends ListedDimension, Value, Text, Count, Share> = Record<
  ListOf<Name>['field'],
  Value
> &
  (ListOf<Name> extends { isOfCountry: true } ? Record<'country', Text> : unknown) &
  Record<'scans', Count> &
  (ListOf<Name> extends { hasNoShare: true } ? unknown : Record<'percentage', Share>)

/** Figures, as far as they are lists. */
export type AnsweredLists = {
  readonly [Key in keyof Layout]: Layout[Key] extends ListedDimension
    ? readonly RowFields<Layout[Key], string, string, number, number>[]
    : {
        readonly [Part in keyof Layout[Key]]: Layout[Key][Part] extends ListedDimension
          ? readonly RowFields<Layout[Key][Part], string, string, number, number>[]
          : never
      }
}

/** A row of any list. */
export type ListedRow = { value: string; country?: string; scans: number; percentage?: number }

const layout: readonly (readonly [string, ListedDimension | Readonly<Record<string, ListedDimension>>])[] =
  Object.entries(answeredLists)

/** Makes something of each list, and of each group of them, in the order of answers. */
export function mapLists<Leaf, Group>(
  leafOf: (name: ListedDimension) => Leaf,
  groupOf: (leaves: Readonly<Record<string, Leaf>>) => Group,
): Record<string, Leaf | Group> {
  return Object.fromEntries(
    layout.map(([key, names]) => [
      key,
      typeof names === 'string'
        ? leafOf(names)
        : groupOf(
            Object.fromEntries(Object.entries(names).map(([part, name]) => [part, leafOf(name)] as const)),
          ),
    ]),
  )
}

/** The fields on the way to the list of each dimension. */
const paths: ReadonlyMap<string, readonly string[]> = new Map(
  layout.flatMap(([key, names]): [string, string[]][] =>
    typeof names === 'string'
      ? [[names, [key]]]
      : Object.entries(names).map(([part, name]) => [name, [key, part]]),
  ),
)

/** Returns the list of a dimension among figures. */
export function listIn(figures: AnsweredLists, name: ListedDimension): ListedRow[] {
  const { field } = listOf(name)
  let found: unknown = figures
  for (const key of paths.get(name) ?? []) found = (found as Readonly<Record<string, unknown>>)[key]
  return (found as readonly (ListedRow & Readonly<Record<string, unknown>>)[]).map(
    ({ [field]: value, country, scans, percentage }) => ({
      value: String(value),
      ...(country !== undefined && field !== 'country' && { country }),
      scans,
      ...(percentage !== undefined && { percentage }),
    }),
  )
}

/** Returns the lists of figures, from rows of each dimension that have every field. */
export function listsOf(rowsOf: (name: ListedDimension) => readonly Required<ListedRow>[]): AnsweredLists {
  const lists: unknown = mapLists(
    (name) => {
      const { field, isOfCountry, hasNoShare } = listOf(name)
      return rowsOf(name).map(({ value, country, scans, percentage }) => ({
        [field]: value,
        ...(isOfCountry === true && { country }),
        scans,
        ...(hasNoShare !== true && { percentage }),
      }))
    },
    (group) => group,
  )
  return lists as AnsweredLists
}

/** Returns the lists of figures alone. */
export function onlyLists<Figures extends AnsweredLists>(figures: Figures): Pick<Figures, keyof Layout> {
  return Object.fromEntries(layout.map(([key]) => [key, figures[key as keyof Layout]])) as Pick<
    Figures,
    keyof Layout
  >
}
