import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { tellLanguage } from './session/account-language.ts'
import { queries } from './session/api.ts'
import { watchNetwork } from './session/reachability.ts'
import { onLanguageChoice } from './ui/language-choice.tsx'
import { readTheme, showTheme } from './ui/theme.ts'
import { router } from './routes.tsx'

showTheme(readTheme())

watchNetwork()
onLanguageChoice(tellLanguage)

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no place for the dashboard')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
