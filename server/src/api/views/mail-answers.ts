import { problem } from '@everscan/contract/problems/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import { acceptMails, agreeToMails, readRecipients, refuseMails } from '../../catalogue/mails/consents.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import { leaveViewMail, readViewAddresses } from '../../catalogue/views/view-mails.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ViewTools } from '../../product/views/view-tools.ts'
import { sendPage } from '../http/error-pages.ts'
import type { Limiters } from '../../limits/limiters.ts'
import { mailLanguage } from '../../product/mails/mail-languages.ts'
import { mailAnswerAddress, readMailToken, type MailToken } from '../../product/mails/mail-tokens.ts'
import type { AnsweredMail, MailAnswer } from '../../product/views/mail-answer-page.ts'

type Context = {
  db: Database
  config: { publicUrl: string }
  views: Pick<ViewTools, 'leaveBox' | 'addressHash'>
  limiters: Limiters
  clock: () => number
}

const bodyBytesMax = 4_096
/** People press a button once or twice. Each address has its own count. */
const answersPerMinute = 20

/**
 * Serves the page on which the owner of an address answers a mail. GET changes nothing: programs
 * that check mails open every link. Mail programs send POST for their own button (RFC 8058).
 */
export function addMailAnswers(app: FastifyInstance, context: Context): void {
  const { clock, limiters, views } = context
  const answers = limiters.rate('answers to mails', answersPerMinute)
  // A parameter of a path would be too short for a long address.
  const path = mailAnswerAddress('', '*')
  void app.register((scope, _options, done) => {
    // Mail programs choose the form of the body.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: bodyBytesMax },
      (_request, body, parsed) => parsed(null, body),
    )
    scope.get<Params>(path, async (request, reply) => sendAnswerPage(context, request, reply))
    scope.post<Params>(path, async (request, reply) => {
      const mail = readMailToken(views.leaveBox, request.params['*'])
      const answer = answerOf(request.body, mail)
      if (mail !== undefined && answer !== undefined) {
        const { allowed, resetSeconds } = await answers(views.addressHash(mail.address), clock())
        if (!allowed)
          throw new ApiError(429, 'RATE_LIMITED', problem('tooManyAnswers'), {
            headers: { 'retry-after': String(resetSeconds) },
          })
        await saveAnswer(context, mail, answer)
      }
      return sendAnswerPage(context, request, reply)
    })
    done()
  })
}

type Params = { Params: { '*': string } }

/** The answers that forms of the page send. */
const mailAnswers: readonly MailAnswer[] = ['yes', 'stop', 'never', 'allow']

/** Reads the button of our page, or what a mail program sends for its own. */
function answerOf(body: unknown, mail: MailToken | undefined): MailAnswer | undefined {
  if (typeof body !== 'string') return undefined
  if (body.includes('One-Click')) return mail?.kind === 'leave' ? 'stop' : 'never'
  const given = new URLSearchParams(body).get('answer')
  return mailAnswers.find((answer) => answer === given)
}

/** Each answer may come twice, and after any other one. */
async function saveAnswer(
  { db, views, clock }: Context,
  { kind, organizationId, viewId, address }: MailToken,
  answer: MailAnswer,
): Promise<void> {
  const { addressHash: hash } = views
  const nowMs = clock()
  if (answer === 'never') return refuseMails(db, address, { hash, nowMs })
  if (answer === 'allow') return acceptMails(db, address, hash)
  if (answer === 'yes' && kind === 'consent')
    return agreeToMails(db, { organizationId, address }, { hash, nowMs })
  if (answer === 'stop' && kind === 'leave')
    await leaveViewMail(db, { organizationId, id: viewId }, { address, nowMs })
}

async function sendAnswerPage(
  context: Context,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, views } = context
  const mail = readMailToken(views.leaveBox, request.params['*'])
  const language = mail === undefined ? null : await readLanguage(db, { email: mail.address })
  const shown = mail && (await answeredMail(context, mail))
  // Pages are loaded only by a process that shows one.
  const { sentPage } = await import('../../files/sent-pages.ts')
  const { mailAnswerPage } = await import('../../product/views/mail-answer-page.ts')
  return sendPage(sentPage(mailAnswerPage(shown, mailLanguage({ language }, request))), reply)
}

async function answeredMail(
  { db, config, views }: Context,
  { kind, organizationId, viewId, address }: MailToken,
): Promise<AnsweredMail> {
  const states = await readRecipients(db, { organizationId, addresses: [address] }, views.addressHash)
  const addresses = kind === 'leave' ? await readViewAddresses(db, { organizationId, id: viewId }) : []
  return {
    kind,
    address,
    organization: (await readOrganization(db, organizationId))?.name ?? '',
    state: states.get(address) ?? 'ASKED',
    isOnList: addresses.includes(address),
    host: new URL(config.publicUrl).host,
  }
}
