import { limits } from '@everscan/contract/schema/limits.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../session/api.ts'
import { formatNumber } from '../../ui/format.ts'
import { showProblem } from '../../ui/problems.ts'
import { useSelection, type Selection } from '../../ui/selection.ts'
import { useShortcut } from '../../ui/shortcut-keys.ts'
import { showToast } from '../../ui/toasts.ts'
import { bulkWords } from '../../words/codes-words.ts'
import { useCodeActions } from '../code-actions.tsx'
import { listQuery, type CodeSearch } from '../code-search.ts'

const perPage = 24
const readAtOnce = 100

export type CodeList = ReturnType<typeof useCodeList>

/** Reads a page of codes, and holds which codes are selected and what is done with them. */
export function useCodeList(orgId: string, search: CodeSearch) {
  const { view: _view, ...asked } = search
  const codes = useQuery({
    queryKey: ['codes', orgId, asked],
    queryFn: async ({ signal }) => api.qrCodes.list(orgId, listQuery(search, perPage), { signal }),
    placeholderData: keepPreviousData,
  })
  const shown = useMemo(() => codes.data?.data ?? [], [codes.data])
  const selection = useSelection(shown, tellFull)
  useShortcut('Escape', selection.clear)
  const { act, dialog } = useCodeActions({
    orgId,
    onChanged: selection.renew,
    onDeleted: (deleted) => selection.set(deleted, false),
  })
  const selectAll = useSelectAll(orgId, { search, selection })
  return { codes, shown, total: codes.data?.pagination.total, selection, act, dialog, selectAll }
}

/** Selects the matching codes on all pages, as far as there is room. */
function useSelectAll(orgId: string, { search, selection }: { search: CodeSearch; selection: Selection }) {
  return useMutation({
    mutationFn: async () => {
      for (let page = 1, read = 0; read < limits.batchMax; page++) {
        const { data, pagination } = await api.qrCodes.list(orgId, {
          ...listQuery(search, readAtOnce),
          page,
        })
        read += data.length
        selection.add(data)
        if (!pagination.hasNext) return
      }
    },
    onError: showProblem,
  })
}

const tellFull = () =>
  void showToast({ text: bulkWords.full(formatNumber(limits.batchMax)), kind: 'problem' })
