import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Names whose values never reach a log: keys, cookies, secrets, passwords, addresses. */
const redacted = [
  '*.password',
  '*.currentPassword',
  '*.newPassword',
  '*.recoveryCode',
  '*.token',
  '*.secret',
  '*.key',
  '*.apiKey',
  '*.ip',
  'password',
  'token',
  'secret',
  'apiKey',
  'ip',
  'headers.cookie',
  'headers.authorization',
  'headers["set-cookie"]',
  'headers["x-api-key"]',
  'headers["x-forwarded-for"]',
  '*.headers.cookie',
  '*.headers.authorization',
  '*.headers["set-cookie"]',
  '*.headers["x-api-key"]',
  '*.headers["x-forwarded-for"]',
]

/** Creates a log of one JSON object per line on standard output; `role` is the process. */
export function createLog(options: { level: string; role: string }, destination?: DestinationStream): Log {
  const settings = {
    level: options.level,
    base: { role: options.role, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
  }
  return destination === undefined ? pino(settings) : pino(settings, destination)
}
