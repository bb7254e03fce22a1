import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { Report } from './report-data.ts'
import { ReportView } from './report.tsx'

/**
 * Replaces the page by a report on one sheet while it is printed, with the button or with the
 * browser's own command. `main.css` hides the rest.
 */
export function PrintedReport({ report }: { report: () => Report }) {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser lays the sheet out as soon as its listeners have returned.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  if (!isPrinting) return null
  return createPortal(
    <div className="printed-report">
      <ReportView report={report()} />
    </div>,
    document.body,
  )
}
