import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export type ReceivedMail = { from: string; to: string; subject: string; text: string; head: string }

export type MailReceiver = { url: string; mails: ReceivedMail[] }

type Behavior = 'take' | 'refuse' | 'refuse-bob' | 'hang'

/**
 * Starts a mail server on its own port that stores mails, rejects them (or those for Bob), or never
 * responds. Stops after the tests.
 */
export async function startMailReceiver(does: Behavior = 'take'): Promise<MailReceiver> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    if (does !== 'hang') converse(socket, does, (mail) => mails.push(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

/** The part of RFC 5321 that a sender needs. */
function converse(socket: Socket, does: Exclude<Behavior, 'hang'>, take: (mail: ReceivedMail) => void): void {
  let envelope = { from: '', to: '' }
  let rest = ''
  let inData = false
  socket.write('220 test\r\n')
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1')
    for (;;) {
      const end = inData ? '\r\n.\r\n' : '\r\n'
      const at = rest.indexOf(end)
      if (at < 0) return
      const line = rest.slice(0, at)
      rest = rest.slice(at + end.length)
      if (inData) take({ ...envelope, ...contentOf(line) })
      const address = /<(.*)>/.exec(line)?.[1] ?? ''
      if (/^MAIL/i.test(line)) envelope = { from: address, to: '' }
      if (/^RCPT/i.test(line)) envelope.to += (envelope.to === '' ? '' : ' ') + address
      const isRefused = does === 'refuse' || (does === 'refuse-bob' && address.startsWith('bob@'))
      const refused = isRefused && /^RCPT/i.test(line)
      inData = !inData && /^DATA/i.test(line)
      socket.write(refused ? '550 no such mailbox\r\n' : inData ? '354 go on\r\n' : '250 ok\r\n')
      if (/^QUIT/i.test(line)) socket.end()
    }
  })
}

function contentOf(message: string): Pick<ReceivedMail, 'subject' | 'text' | 'head'> {
  const [head = ''] = message.split('\r\n\r\n', 1)
  const subject = /^subject: (.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? ''
  return {
    subject: wordsOf(subject).trim(),
    text: textOf(message),
    head: head.replaceAll(/\r\n(?=[ \t])/g, ''),
  }
}

/** Reads the encoded words of a header: RFC 2047. Spaces between them separate nothing. */
function wordsOf(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, form: string, word: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : unquoted(word.replaceAll('_', ' ')),
    )
}

/** The text of a message; of one in several forms, the first. */
function textOf(message: string): string {
  const [head = '', ...body] = message.split('\r\n\r\n')
  const boundary = /^content-type: multipart\/alternative;\s*boundary="([^"]+)"/im.exec(head)?.[1]
  if (boundary !== undefined) return textOf(message.split(`--${boundary}\r\n`)[1] ?? '')
  const text = body.join('\n\n').replaceAll('\r\n', '\n')
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(text, 'base64').toString('utf8')
  return /^content-transfer-encoding: quoted-printable/im.test(head) ? unquoted(text) : text
}

/** RFC 2045 section 6.7. */
function unquoted(text: string): string {
  const latin1 = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
