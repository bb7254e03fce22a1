import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EverscanError } from '@everscan/client/create-client.ts'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { patternMessages, patterns } from '@everscan/contract/schema/patterns.ts'
import { problemsOf } from '@everscan/contract/schema/problems.ts'
import { germanStart } from './de/german-start.ts'
import { setLanguage } from './chosen-language.ts'

setLanguage({ language: 'de', locale: 'de', areas: germanStart })
const { failureInWords, inWords } = await import('./service-messages.ts')
const words = germanStart.serviceWords

const messageOf = (keyword: string, params: object, value: unknown) =>
  problemsOf([{ keyword, instancePath: '', params }], value)[0]?.message ?? ''

const failure = (status: number, code: EverscanError['code'], message: string) =>
  failureInWords(new EverscanError(message, { status, code }))

test('frequent messages of the contract are in the language of the page', () => {
  assert.equal(inWords(messageOf('minLength', { limit: 1 }, '')), words.required)
  assert.equal(inWords(messageOf('minLength', { limit: 10 }, 'abc')), words.atLeast('10'))
  assert.equal(inWords(messageOf('maxLength', { limit: 5 }, 'abcdefg')), words.atMost('5'))
  assert.equal(inWords(patternMessages.get(patterns.email) ?? ''), words.email)
  assert.equal(inWords(patternMessages.get(patterns.phone) ?? ''), words.phone)
  assert.equal(inWords(patternMessages.get(patterns.hexColor) ?? ''), words.color)
  assert.equal(inWords(patternMessages.get(patterns.text) ?? ''), words.controls)
  assert.equal(inWords(destinationProblem('example') ?? ''), words.address)
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
