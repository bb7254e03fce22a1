import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isSignedOut, queries } from './session/api.ts'
import { meQuery } from './session/session.ts'
import { readTheme, showTheme } from './ui/theme.ts'
import { router } from './routes.tsx'
import './styles/main.css'

showTheme(readTheme())

// A session can end while a page is open. Whichever request finds out first, the user signs in
// again and returns to the page.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || !isSignedOut(query.state.error)) return
  // Before the user has signed in, the routes themselves require it.
  if (queries.getQueryData(meQuery.queryKey) === undefined) return
  const { href } = router.state.location
  queries.clear()
  void router.navigate({ to: '/sign-in', search: { to: href, ended: true } })
})

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for the dashboard')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
