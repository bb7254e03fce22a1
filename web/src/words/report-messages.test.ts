import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import { callProblems, givenUp } from '@everscan/contract/schema/call-problems.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { mailAttempts, mailProblems } from '@everscan/contract/views/mail-problems.ts'
import { shortCodeProblem, shortCodeTaken } from '@everscan/contract/resources/short-codes.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { formProblem, problemsOf } from '@everscan/contract/schema/problems.ts'
import { germanPages } from './de/german-pages.ts'
import { germanStart } from './de/german-start.ts'
import { setLanguage } from './chosen-language.ts'

setLanguage({ language: 'de', locale: 'de', areas: { ...germanStart, ...germanPages } })
const { callInWords, mailInWords, rowInWords } = await import('./report-messages.ts')
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
    [formProblem(patterns.date).message, words.date],
    [shortCodeTaken('SUMMER').message, words.taken('SUMMER')],
    [shortCodeProblem('login', 'canonical')?.message, words.reserved],
    [qrCodeDataProblems('APP', {})[0]?.message, words.oneNeeded('iosUrl, androidUrl, fallbackUrl')],
    [qrCodeDataProblems('MENU', {})[0]?.message, words.needed('url')],
    [destinationProblem('https://a b')?.message, words.spaces],
    [destinationProblem('https://me:secret@example.com')?.message, words.credentials],
    [destinationProblem('https://')?.message, address],
    [destinationProblem('')?.message, required],
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
  const refused = mailProblems.refused(['a@example.com', 'b@example.com'])
  const said = words.mailRefused('a@example.com, b@example.com')
  assert.equal(mailInWords(`${refused} ${mailAttempts.again}`), `${said} ${words.mailTriedAgain}`)
  assert.equal(mailInWords(`${refused} ${mailAttempts.last(6)}`), `${said} ${words.mailTried('6')}`)
  assert.equal(mailInWords(mailProblems.unread), words.mailUnread)
  assert.equal(mailInWords(mailProblems.noCode), words.mailOfNoCode)
  assert.equal(mailInWords(mailProblems.stopped), words.mailStopped)
  assert.equal(mailInWords(mailProblems.account), words.mailAccountWaits)
  assert.equal(mailInWords(mailProblems.installation), words.mailInstallationWaits)
  assert.equal(
    mailInWords(mailProblems.dayLimit(3, 20)),
    words.mailLimit('3', '20', String(limits.viewMailsPerDay)),
  )
  assert.equal(mailInWords('The mail is a comet.'), 'The mail is a comet.')
})

test('why a call to another host failed is in the language, and why no more follow', () => {
  const { callWords } = germanPages
  for (const [name, message] of Object.entries(callProblems)) {
    const ours = callWords[name as keyof typeof callProblems]
    // Every message has one part at most.
    const part = name === 'notPublic' ? 'go.example.com' : '410'
    const sent = typeof message === 'string' ? message : message(part)
    assert.equal(callInWords(sent), typeof ours === 'string' ? ours : ours(part), name)
    assert.notEqual(callInWords(sent), sent, name)
  }
  assert.equal(callInWords(givenUp.gone), callWords.answered('410 Gone'))
  assert.equal(
    callInWords(givenUp.inARow(50, callProblems.refused)),
    callWords.inARow('50', callWords.refused),
  )
  assert.equal(
    callInWords(givenUp.noAnswer('bit.ly', callProblems.silent(3))),
    callWords.noAnswer('bit.ly', callWords.silent('3')),
  )
  const notPublic = callProblems.notPublic('go.example.com')
  assert.equal(
    callInWords(givenUp.inARow(50, notPublic)),
    callWords.inARow('50', callWords.notPublic('go.example.com')),
  )
  assert.equal(callInWords('The call is a comet.'), 'The call is a comet.')
})
