import type {
  CodeFigures,
  CodeFiguresPage,
  CodeFiguresSort,
} from '@everscan/contract/resources/analytics-codes.ts'
import { keepPreviousData, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { analyticsKey, scansQueryOf } from './analytics.ts'
import type { AnalyticsSearch } from './analytics-search.ts'
import { CodesTable } from './codes-table.tsx'
import { codesCsv, codesCsvMax } from './codes-csv.ts'
import type { Asked } from './asked.ts'
import { foldersQuery } from '../codes/folders.ts'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { saveCsv } from '../ui/save-file.ts'
import { showToast } from '../ui/toasts.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { Pager } from '../ui/pager.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'

const text = analyticsWords.codes
const perPage = 10
const readAtOnce = 100

type Props = {
  orgId: string
  search: AnalyticsSearch
  asked: Asked
  codes: UseQueryResult<CodeFiguresPage>
  /** Number of codes, as the figures say. */
  codesExpected: number
  onSearch: (changes: AnalyticsSearch) => void
  linkOfCode: (qrCodeId: string, children: ReactNode, className: string) => ReactNode
}

/** The order of the table, and the query of all its pages. */
function sortedBy(search: AnalyticsSearch, asked: Asked) {
  const { sort = 'scans', order = defaultOrder(sort) } = search
  return { ...scansQueryOf(search, asked), sort, order }
}

/** Reads a page of the table once `isReady`. */
export function useCodeFigures(
  { orgId, search, asked }: Pick<Props, 'orgId' | 'search' | 'asked'>,
  isReady: boolean,
): UseQueryResult<CodeFiguresPage> {
  const query = { ...sortedBy(search, asked), page: search.page ?? 1, limit: perPage }
  return useQuery({
    queryKey: [...analyticsKey({ orgId }), 'codes', query],
    queryFn: async ({ signal }) => api.analytics.codes(orgId, query, { signal }),
    placeholderData: keepPreviousData,
    enabled: isReady,
  })
}

/** Lists all codes of the view with their figures, page by page. */
export function CodesCard(props: Props) {
  const { orgId, search, asked, codes, codesExpected, onSearch, linkOfCode } = props
  const { page = 1 } = search
  const sorted = sortedBy(search, asked)
  const { sort, order } = sorted
  const folders = useQuery(foldersQuery(orgId))
  const folderNames = new Map(folders.data?.map(({ id, name }) => [id, name]))
  const total = codes.data?.pagination.total ?? 0
  const choose = (chosen: CodeFiguresSort) => {
    const turned = chosen === sort ? (order === 'asc' ? 'desc' : 'asc') : defaultOrder(chosen)
    onSearch({
      sort: chosen === 'scans' ? undefined : chosen,
      order: turned === defaultOrder(chosen) ? undefined : turned,
    })
  }
  return (
    <Card
      title={codes.data === undefined ? text.title : `${text.title} (${formatNumber(total)})`}
      action={<CsvButton {...{ orgId, asked, sorted, folderNames, total }} />}
    >
      {codes.isError && <Failure error={codes.error} onRetry={() => void codes.refetch()} />}
      {codes.isPending && (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="animate-pulse rounded-control bg-raised"
          style={{ height: heightOf(codesExpected) }}
        />
      )}
      {codes.data !== undefined && total === 0 && <p className="text-soft">{text.none}</p>}
      {codes.data !== undefined && total > 0 && (
        <div aria-busy={codes.isPlaceholderData} className={codes.isPlaceholderData ? 'opacity-60' : ''}>
          <CodesTable
            rows={codes.data.data}
            folderNames={folderNames}
            sort={sort}
            order={order}
            onSort={choose}
            onOnly={(id) => onSearch({ ids: id, selection: undefined })}
            linkOfCode={linkOfCode}
          />
        </div>
      )}
      <Pager
        page={page}
        totalPages={codes.data?.pagination.totalPages ?? 0}
        onGo={(next) => onSearch({ page: next === 1 ? undefined : next })}
      />
    </Card>
  )
}

type CsvProps = Pick<Props, 'orgId' | 'asked'> & {
  sorted: ReturnType<typeof sortedBy>
  folderNames: ReadonlyMap<string, string>
  total: number
}

/** Saves all pages of the table as a file. */
function CsvButton({ orgId, asked, sorted, folderNames, total }: CsvProps) {
  const save = useMutation({
    mutationFn: async () => {
      const rows: CodeFigures[] = []
      for (let next = 1; rows.length < codesCsvMax; next++) {
        const read = await api.analytics.codes(orgId, { ...sorted, page: next, limit: readAtOnce })
        rows.push(...read.data)
        if (!read.pagination.hasNext) break
      }
      saveCsv(codesCsv(rows, folderNames), `codes-${asked.dates.startDate}-${asked.dates.endDate}.csv`)
      if (total > codesCsvMax) showToast({ kind: 'good', text: text.csvMost(formatNumber(codesCsvMax)) })
    },
    onError: showProblem,
  })
  return (
    <Button
      look="quiet"
      aria-label={text.csvTitle}
      busy={save.isPending}
      disabled={total === 0}
      onClick={() => save.mutate()}
      className="-me-3"
    >
      <Download size={16} aria-hidden />
      {text.csv}
    </Button>
  )
}

/** Returns the height of a page of the table, with the buttons below it if there are more. */
function heightOf(codes: number): string {
  return `${2.6 + 4 * Math.min(codes, perPage) + (codes > perPage ? 3.5 : 0)}rem`
}

const defaultOrder = (sort: CodeFiguresSort) => (sort === 'name' ? 'asc' : 'desc')
