/** What the address of the imports says: the import that is shown, the folder it was made into, and the page of those so far. */
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
