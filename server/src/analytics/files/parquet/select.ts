/** Values of the `$name` placeholders of a query. Numbers are integers. */
export type ReadParams = Readonly<Record<string, string | number | readonly string[]>>

/**
 * Returns the rows of a query. Integers of 64 bits and more become numbers, so sums must stay below
 * 2^53.
 */
export type Select = <Row>(sql: string, params?: ReadParams) => Promise<Row[]>

/** The answer to a query: the values of each column. */
export type Columns = { names: readonly string[]; columns: readonly (readonly unknown[])[] }
export type SelectColumns = (sql: string, params?: ReadParams) => Promise<Columns>

/** Makes rows of the columns that a query gives. */
export function rowsFrom(select: SelectColumns): Select {
  return async (sql, params) => rowsOf(await select(sql, params))
}

function rowsOf<Row>({ names, columns }: Columns): Row[] {
  return Array.from({ length: columns[0]?.length ?? 0 }, (_, at) => {
    const row: Record<string, unknown> = {}
    for (const [column, name] of names.entries()) {
      const value = columns[column]?.[at]
      row[name] = typeof value === 'bigint' ? Number(value) : value
    }
    return row as Row
  })
}
