import { callProblems, givenUp } from '@everscan/contract/schema/call-problems.ts'
import { mailProblems } from '@everscan/contract/views/mail-problems.ts'
import { currentLanguage } from './chosen-language.ts'
import { callWords, reportWords } from './report-words.ts'
import { inWords } from './service-messages.ts'
import { serviceWords } from './service-words.ts'

type Known = readonly [message: RegExp, words: (...parts: string[]) => string]

/** Messages of the service about rows and mails, besides those that every form may show. */
const known: readonly Known[] = [
  [/^must be one of (.+), got /s, (list = '') => reportWords.oneOf(list.replaceAll('"', ''))],
  [/^must have one at least of (.+)$/, (list = '') => reportWords.oneNeeded(namesIn(list))],
  [/^must have "(\w+)", or /, reportWords.needed],
  [/^must have one link at least$/, () => reportWords.oneLink],
  [/^must be true or false, got /, () => reportWords.yesNo],
  [/^must be a (?:whole )?number, got /, () => reportWords.number],
  [/^must be (?:a date or a time|an ISO 8601 (?:date|time))/, () => reportWords.date],
  [/^".*" is no date that is read here, /s, () => reportWords.date],
  [/^".*" is before 1970 or in the future$/s, () => reportWords.pastTime],
  [/^must not be in the future/, () => reportWords.past],
  [/^must not be before 1970/, () => reportWords.early],
  [/^"(.+)" is (?:taken, choose another|assigned here already)$/, reportWords.taken],
  [/^"(.+)" is the same code as in line (\d+)/, reportWords.sameCode],
  [/^must not be (?:a reserved word|a path that every host answers)/, () => reportWords.reserved],
  [/^".+" is a path of this service$/, () => reportWords.reserved],
  [/^".*" cannot be a short code here: /s, () => serviceWords.shortCode],
  [/^".*" cannot be a short code: it must be 1 to 128 /s, () => serviceWords.exactShortCode],
  [/^must be a domain of this organization that is proved, or "(.+?)", got /, reportWords.provedDomain],
  [/^must have at most \d+ cells$/, () => reportWords.cells],
  [/^must have at most (\d+) bytes$/, reportWords.bytes],
  [/^must have at most (\d+) entries/, reportWords.entries],
  [/^is empty$/, () => serviceWords.required],
  [/^".*" is no count of clicks$/s, () => reportWords.clicks],
  [/^must not lead back to this service/, () => reportWords.leadsBack],
  [/^must not contain spaces or control characters /, () => reportWords.spaces],
  [/^must not contain a user name or password$/, () => reportWords.credentials],
  [/^must (?:name a host|be a valid URL|not contain a backslash)$/, () => serviceWords.address],
  [/ cannot be read as a workbook\. /, () => reportWords.workbook],
  [/^must have at most (\d+) columns, got /, reportWords.columns],
  [/^The mail server did not take the mail for (.+)\.$/, reportWords.mailRefused],
  [/^The figures could not be read\.$/, () => reportWords.mailUnread],
  [/^Nothing was sent: the code of this view was deleted\.$/, () => reportWords.mailOfNoCode],
  [patternOf(mailProblems.stopped), () => reportWords.mailStopped],
  [patternOf(mailProblems.account), () => reportWords.mailAccountWaits],
  [patternOf(mailProblems.installation), () => reportWords.mailInstallationWaits],
  [
    /^(\d+) of (\d+) addresses got no mail: the organization has sent (\d+) mails of views today, its maximum\.$/,
    reportWords.mailLimit,
  ],
]

/** Messages about calls to other hosts. Of two that fit, the longer one is meant. */
const knownCalls: readonly Known[] = [
  [patternOf(givenUp.inARow), (calls = '', last = '') => callWords.inARow(calls, callInWords(last))],
  [patternOf(givenUp.noAnswer), (host = '', last = '') => callWords.noAnswer(host, callInWords(last))],
  ...(Object.keys(callProblems) as (keyof typeof callProblems)[])
    .map((name): Known => {
      const words = callWords[name]
      return [patternOf(callProblems[name]), typeof words === 'string' ? () => words : words]
    })
    .toSorted(([one], [other]) => other.source.length - one.source.length),
]

/** Returns a pattern for a text of the contract, with a group for each of its parts. */
function patternOf(text: string | ((...parts: [string, string]) => string)): RegExp {
  const mark = '\n'
  const written = typeof text === 'string' ? text : text(mark, mark)
  const escaped = written.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(mark, '(.*)')}$`, 's')
}

const namesIn = (list: string) => [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name).join(', ')

/**
 * Returns a message about a cell, or about a row as a whole, in the language of the page. Unknown
 * ones stay as they are.
 */
export function rowInWords(message: string): string {
  if (currentLanguage() === 'en') return message
  const bare = message.replace(/^The row /, '')
  const found = wordsOf(known, bare)
  if (found !== undefined) return found
  const words = inWords(bare)
  return words === bare ? message : words
}

/** Returns why a call to another host failed, in the language. Unknown reasons stay as they are. */
export function callInWords(message: string): string {
  return currentLanguage() === 'en' ? message : (wordsOf(knownCalls, message) ?? message)
}

function wordsOf(messages: readonly Known[], message: string): string | undefined {
  for (const [pattern, words] of messages) {
    const [found, ...parts] = pattern.exec(message) ?? []
    if (found !== undefined) return words(...parts)
  }
  return undefined
}

/** Returns why a mail of a view did not arrive, and whether it is tried again, in the language. */
export function mailInWords(message: string): string {
  const [, why = message, attempts] =
    /^(.+\.) It (?:was tried (\d+) times|is tried again)\.$/.exec(message) ?? []
  const words = rowInWords(why)
  if (words === why) return message
  if (why === message) return words
  return `${words} ${attempts === undefined ? reportWords.mailTriedAgain : reportWords.mailTried(attempts)}`
}
