import { commonWords } from '../words/common-words.ts'

/** `nameClass` is for the name beside the picture. */
export function Logo({ nameClass = '' }: { nameClass?: string }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold">
      <img src="/app/favicon.svg" alt="" width="24" height="24" />
      <span className={nameClass}>{commonWords.product}</span>
    </span>
  )
}
