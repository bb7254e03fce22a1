import { rulesWords } from '../words/rules-words.ts'

const words: Readonly<Record<string, string>> = rulesWords.failed

/** Returns the name of a condition of the service, such as `not.countries`, in plain words. */
export function conditionInWords(name: string): string {
  const [, excluded] = /^not\.(.*)$/.exec(name) ?? []
  return excluded === undefined ? (words[name] ?? name) : rulesWords.exception(words[excluded] ?? excluded)
}
