import { commonWords } from '../words/common-words.ts'

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold">
      <img src="/app/favicon.svg" alt="" width="24" height="24" />
      {commonWords.product}
    </span>
  )
}
