import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChartNoAxesCombined } from 'lucide-react'
import type { CodeSearch } from './code-search.ts'
import { selectionSearch } from './selected-ids.ts'
import { bulkWords } from '../words/codes-words.ts'
import { Button, buttonClass } from '../ui/button.tsx'

/** Leads to the analytics of the selected codes. */
export function SelectionAnalyticsButton({ orgId, codes }: { orgId: string; codes: readonly QrCode[] }) {
  const navigate = useNavigate()
  const show = () =>
    void navigate({
      to: '/$orgId/analytics',
      params: { orgId },
      search: selectionSearch(codes.map(({ id }) => id)),
    })
  return (
    <Button
      look="quiet"
      aria-label={bulkWords.analytics}
      title={bulkWords.analytics}
      onClick={show}
      className="px-2.5"
    >
      <ChartNoAxesCombined size={18} aria-hidden />
      <span className="hidden whitespace-nowrap 2xl:inline">{bulkWords.analytics}</span>
    </Button>
  )
}

/** Leads from a list to the analytics of its folder, tags and type, if it has any of them. */
export function ListAnalyticsLink({ orgId, search }: { orgId: string; search: CodeSearch }) {
  const { folder, tags, type } = search
  if (folder === undefined && tags === undefined && type === undefined) return null
  return (
    <Link to="/$orgId/analytics" params={{ orgId }} search={{ folder, tags, type }} className={buttonClass()}>
      <ChartNoAxesCombined size={16} aria-hidden />
      {bulkWords.analytics}
    </Link>
  )
}
