/**
 * Search parameters of imports: the import that is shown, the folder of its codes, and the page of
 * past imports.
 */
export type ImportSearch = {
  job?: string | undefined
  folder?: string | undefined
  page?: number | undefined
}

export function readImportSearch(search: Record<string, unknown>): ImportSearch {
  const { job, folder } = search
  const page = Number(search['page'])
  return {
    job: typeof job === 'string' && job !== '' ? job : undefined,
    folder: typeof folder === 'string' && folder !== '' ? folder : undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  }
}
