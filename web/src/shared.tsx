import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readTheme, showTheme } from './ui/theme.ts'
import { LeaveMailPage } from './views/leave-mail-page.tsx'
import { SharedPage } from './views/shared-page.tsx'

// The pages for people without an account: nothing of the dashboard is loaded.

showTheme(readTheme())

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const [, token = ''] = /\/app\/share\/([^/]+)/.exec(location.pathname) ?? []

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for its content')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      {token === '' ? <LeaveMailPage /> : <SharedPage token={decodeURIComponent(token)} />}
    </QueryClientProvider>
  </StrictMode>,
)
