import { commonWords } from '../words/common-words.ts'
import { guideLinks, type GuideTopic } from './guide-links.ts'

/** Leads to the guide, in a tab of its own so that no input is lost. */
export function LearnMore({ about }: { about: GuideTopic }) {
  return (
    <a
      href={guideLinks[about]}
      target="_blank"
      rel="noopener"
      className="whitespace-nowrap text-brand underline underline-offset-2"
    >
      {commonWords.learnMore}
      <span className="sr-only">{commonWords.learnMoreAbout[about]}</span>
    </a>
  )
}
