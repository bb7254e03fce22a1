import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import { shortCodeProblem, shortCodeTaken } from '@everscan/contract/resources/short-codes.ts'
import { patternMessages, patterns } from '@everscan/contract/schema/patterns.ts'
import { problemsOf } from '@everscan/contract/schema/problems.ts'
import { germanPages } from './de/german-pages.ts'
import { germanStart } from './de/german-start.ts'
import { setLanguage } from './chosen-language.ts'

setLanguage({ language: 'de', locale: 'de', areas: { ...germanStart, ...germanPages } })
const { mailInWords, rowInWords } = await import('./report-messages.ts')
const words = germanPages.reportWords
const { address, exactShortCode, required, shortCode } = germanStart.serviceWords

const messageOf = (keyword: string, params: object, value: unknown) =>
  problemsOf([{ keyword, instancePath: '', params }], value)[0]?.message

test('what the service says of a row of a file is in the language of the page', () => {
  const sentences = [
    [messageOf('enum', { allowedValues: ['ACTIVE', 'ARCHIVED'] }, 'gone'), words.oneOf('ACTIVE, ARCHIVED')],
    [messageOf('type', { type: 'boolean' }, 'maybe'), words.yesNo],
    [messageOf('type', { type: 'number' }, 'much'), words.number],
    [messageOf('maxItems', { limit: 50 }, []), words.entries('50')],
    [patternMessages.get(patterns.date), words.date],
    [shortCodeTaken('SUMMER'), words.taken('SUMMER')],
    [shortCodeProblem('login', 'canonical'), words.reserved],
    [qrCodeDataProblems('APP', {})[0]?.message, words.oneNeeded('iosUrl, androidUrl, fallbackUrl')],
    [qrCodeDataProblems('MENU', {})[0]?.message, words.needed('url')],
    [destinationProblem('https://a b'), words.spaces],
    [destinationProblem('https://me:secret@example.com'), words.credentials],
    [destinationProblem('https://'), address],
    [destinationProblem(''), required],
    ['must not be in the future, got "2999-01-01"', words.past],
    ['"A-1" is the same code as in line 4, choose another', words.sameCode('A-1', '4')],
    ['"A-1" is the same code as in line 4', words.sameCode('A-1', '4')],
    ['"A-1" is assigned here already', words.taken('A-1')],
    ['"x y" cannot be a short code here: it must have 4 to 32 letters, digits or "-"', shortCode],
    ['"//" cannot be a short code: it must be 1 to 128 letters, digits or "-_.~+/"', exactShortCode],
    ['The row must have at most 3 cells', words.cells],
    ['The row must have one link at least', words.oneLink],
    [
      'must be a domain of this organization that is proved, or "go.example.com", got "x"',
      words.provedDomain('go.example.com'),
    ],
  ] as const
  for (const [message, said] of sentences) {
    assert.notEqual(said, undefined)
    assert.equal(rowInWords(message ?? ''), said)
  }
  assert.equal(rowInWords('The row must be a comet'), 'The row must be a comet')
})

test('why a mail did not arrive is in the language, with what happens next', () => {
  const refused = 'The mail server did not take the mail for a@example.com, b@example.com.'
  const said = words.mailRefused('a@example.com, b@example.com')
  assert.equal(mailInWords(`${refused} It is tried again.`), `${said} ${words.mailTriedAgain}`)
  assert.equal(mailInWords(`${refused} It was tried 6 times.`), `${said} ${words.mailTried('6')}`)
  assert.equal(mailInWords('Nothing was sent: the code of this view was deleted.'), words.mailOfNoCode)
  assert.equal(mailInWords('The mail is a comet.'), 'The mail is a comet.')
})
