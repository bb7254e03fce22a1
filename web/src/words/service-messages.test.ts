import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EverscanError } from '@everscan/client/create-client.ts'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { formProblem, problemsOf } from '@everscan/contract/schema/problems.ts'
import { germanStart } from './de/german-start.ts'
import { setLanguage } from './chosen-language.ts'

setLanguage({ language: 'de', locale: 'de', areas: germanStart })
const { failureInWords, inWords } = await import('./service-messages.ts')
const words = germanStart.serviceWords

const messageOf = (keyword: string, params: object, value: unknown) =>
  problemsOf([{ keyword, instancePath: '', params }], value)[0]?.message ?? ''

const wifiProblem = (given: object) =>
  qrCodeDataProblems('WIFI', { ssid: 'Guests', hidden: false, ...given })[0]?.message ?? ''

const failure = (status: number, code: EverscanError['code'], message: string) =>
  failureInWords(new EverscanError(message, { status, code }))

test('frequent messages of the contract are in the language of the page', () => {
  assert.equal(inWords(messageOf('minLength', { limit: 1 }, '')), words.required)
  assert.equal(inWords(messageOf('minLength', { limit: 10 }, 'abc')), words.atLeast('10'))
  assert.equal(inWords(messageOf('maxLength', { limit: 5 }, 'abcdefg')), words.atMost('5'))
  assert.equal(inWords(formProblem(patterns.email).message), words.email)
  assert.equal(inWords(formProblem(patterns.phone).message), words.phone)
  assert.equal(inWords(formProblem(patterns.hexColor).message), words.color)
  assert.equal(inWords(formProblem(patterns.text).message), words.controls)
  assert.equal(inWords(destinationProblem('example')?.message ?? ''), words.address)
})

test('messages that a form often shows are in the language of the page', () => {
  const sentences = [
    [messageOf('minimum', { limit: 4 }, 2), words.least('4')],
    [messageOf('maximum', { limit: 100 }, 250), words.most('100')],
    [messageOf('uniqueItems', {}, []), words.twice],
    [formProblem(patterns.shortCode).message, words.shortCode],
    [formProblem(patterns.exactShortCode).message, words.exactShortCode],
    [formProblem(patterns.region).message, words.region],
    [formProblem(patterns.clockTime).message, words.time],
    [formProblem(patterns.twoFactorCode).message, words.sixDigits],
    [wifiProblem({ encryption: 'WPA', password: 'short' }), words.wpaPassword],
    [wifiProblem({ encryption: 'WPA' }), words.wpaRequired],
    [wifiProblem({ encryption: 'nopass', password: 'longer than eight' }), words.openNetwork],
    [wifiProblem({ encryption: 'nopass', ssid: 'é'.repeat(17) }), words.networkName],
    ['must not be one of the most common passwords', words.commonPassword],
    ['must have at least 5 different characters', words.sameCharacters('5')],
    ['must not be made of "ada", which others can guess', words.guessable('ada')],
  ] as const
  for (const [message, said] of sentences) {
    assert.notEqual(said, undefined)
    assert.equal(inWords(message ?? ''), said)
  }
})

test('names of records and roles in a message are kept, or said in the language', () => {
  assert.equal(
    inWords(
      'There is no TXT record _everscan.go.example.com. Set a TXT record _everscan.go.example.com with the value everscan=1.',
    ),
    words.noTxtRecord('_everscan.go.example.com', 'everscan=1'),
  )
  assert.equal(
    inWords(
      'The TXT record _a.example.com has another value. Set a TXT record _a.example.com with the value v=2. It may have several values.',
    ),
    words.otherTxtRecord('_a.example.com', 'v=2'),
  )
  assert.match(inWords('This requires the role EDITOR; you have VIEWER.'), /Bearbeiter.*Betrachter/)
})

test('other messages stay as they are, except where their code says enough', () => {
  assert.equal(inWords('must be a comet'), 'must be a comet')
  assert.equal(failure(409, 'CONFLICT', 'The name is taken.'), 'The name is taken.')
  assert.equal(failure(429, 'RATE_LIMITED', 'Slow down.'), words.tooManyRequests)
  assert.equal(
    failure(429, 'RATE_LIMITED', 'Too many failed attempts. Try again in 8 s.'),
    words.tooManyAttempts('8'),
  )
})

test('a request that came too slowly has our own words, not the message for programs', () => {
  assert.equal(failure(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'), words.tooSlow)
})
