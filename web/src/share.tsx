import { loadWords, prepareLanguage } from './words/show-language.ts'
import './styles/main.css'

// Modules with words come after the language: they take their words when they are evaluated.
void prepareLanguage()
  .then(loadWords)
  // In English rather than not at all.
  .catch(() => undefined)
  .then(async () => import('./shared.tsx'))
