import { moveSources, type MoveSource } from '@everscan/contract/moves/move-sources.ts'
import { readPage } from '../../ui/page-search.ts'

/** The `domain` of a move below the address of the installation. */
export const ofInstallation = 'none'

/** Search parameters of moves: the choices so far, the open move, the page of past moves. */
export type MoveSearch = {
  source?: MoveSource | undefined
  /** Id of a domain, or `none`. */
  domain?: string | undefined
  job?: string | undefined
  page?: number | undefined
}

export function readMoveSearch(search: Record<string, unknown>): MoveSearch {
  return {
    source: moveSources.find((one) => one === search['source']),
    domain: textOf(search['domain']),
    job: textOf(search['job']),
    page: readPage(search),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
