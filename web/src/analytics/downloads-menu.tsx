import { Download } from 'lucide-react'
import { downloadAddress, downloadFiles, type AnalyticsScope } from './analytics.ts'
import type { AnalyticsSearch } from './analytics-search.ts'
import type { Asked } from './asked.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuLink } from '../ui/menu.tsx'

const text = analyticsWords

type Props = { scope: AnalyticsScope; search: AnalyticsSearch; asked: Asked }

/**
 * Offers files. The browser downloads them directly from the API, so nothing passes through this
 * page.
 */
export function DownloadsMenu({ scope, search, asked }: Props) {
  const { startDate, endDate } = asked.dates
  return (
    <Menu
      trigger={
        <Button className="w-full">
          <Download size={16} aria-hidden />
          {text.download}
        </Button>
      }
    >
      {downloadFiles.map((file) => (
        <MenuLink key={file}>
          <a
            href={downloadAddress(scope, file, { search, asked })}
            download={`${file === 'scans' ? 'scans' : 'analytics'}-${startDate}-${endDate}.${file === 'json' ? 'json' : 'csv'}`}
          >
            {text.downloads[file]}
          </a>
        </MenuLink>
      ))}
    </Menu>
  )
}
