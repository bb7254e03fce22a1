import { englishTerms } from '@everscan/contract/words/english-terms.ts'
import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { amountsOf, pluralsOf } from '../mail-amounts.ts'

const { days, hours } = amountsOf('en')
const plural = pluralsOf('en')

/** English. */
export const englishMails = {
  invitation: {
    subject: (host: string) => `Invitation to ${host}`,
    invites: (by: string, organization: string) =>
      `${by} invites you to the organization "${organization}" on Everscan.`,
    never: (host: string) => `If you want no more such mails from ${host}, whoever causes them, say so here:`,
    invitesTo: (organization: string) => `You are invited to the organization "${organization}" on Everscan.`,
    accept: `Accept the invitation within ${days(limits.invitationDays)}:`,
    ignore: 'If you do not expect this invitation, ignore this mail.',
  },
  passwordReset: {
    subject: 'Your Everscan password',
    requested: 'Someone, probably you, requested a new password for your Everscan account.',
    choose: `Choose one within ${hours(limits.passwordResetHours)}:`,
    unconfirmed:
      'Your e-mail address is not confirmed yet. This link confirms it, and removes authenticator apps and passkeys, in case someone else added them.',
    ignore: 'If it was not you, ignore this mail: your password stays unchanged.',
  },
  signUp: {
    subject: 'Your Everscan account',
    requested: 'Someone, probably you, requested an Everscan account for this e-mail address.',
    confirm: `Confirm it and choose a password within ${hours(limits.signUpHours)}:`,
    ignore: 'If it was not you, ignore this mail: no account is created.',
  },
  accountExists: {
    requested:
      'Someone, probably you, requested an Everscan account for this e-mail address, which already has one.',
    signIn: 'Sign in here. If you forgot your password, you can replace it there too:',
  },
  takeOver: {
    requested:
      'Someone, probably you, requested an Everscan account for this e-mail address. It already has one, but nobody has confirmed that the address is theirs.',
    signIn: 'If you use that account, sign in and confirm your address on the account page:',
    takeOver: `If you do not know that account, take it over within ${hours(limits.signUpHours)}. Its name and password are replaced, everybody who uses it is signed out, and its authenticator apps and passkeys are removed:`,
    ignore: 'If it was not you, ignore this mail: nothing changes.',
  },
  emailConfirmation: {
    subject: 'Confirm your e-mail address',
    requested: 'Someone, probably you, is signed in to an Everscan account with this e-mail address.',
    confirm: `Confirm that the address is yours within ${hours(limits.emailConfirmationHours)}, in a browser that is signed in to the account:`,
    ignore:
      'If it was not you, do not confirm it. You can take the account over with a new password: choose "Forgot your password?" where you sign in.',
  },
  account: {
    subject: 'Security of your Everscan account',
    changes: {
      'account.take-over': 'Your Everscan account was taken over, through a link that was mailed to you.',
      'password.change': 'The password of your Everscan account was changed.',
      'password-reset.use': 'The password of your Everscan account was replaced, through a link.',
      'two-factor.on': 'Two-factor sign-in was turned on for your Everscan account.',
      'two-factor.off': 'Two-factor sign-in was turned off for your Everscan account.',
      'recovery-codes.renew': 'The recovery codes of your Everscan account were replaced.',
      'passkey.add': 'A passkey was added to your Everscan account.',
      'passkey.remove': 'A passkey was removed from your Everscan account.',
      'recovery-code.use': 'A recovery code was used to confirm a change of your Everscan account.',
      'sign-in.recovery-code': 'A recovery code was used to sign in to your Everscan account.',
    } satisfies Partial<Record<AccountAction, string>>,
    happened: (at: string) => `It happened on ${at} (UTC).`,
    happenedFrom: (at: string, network: string) => `It happened on ${at} (UTC), from the network ${network}.`,
    ignore: 'If it was you, ignore this mail.',
    act: 'If it was not you, set a new password now ("Forgot your password?"), which ends all sessions. Then look at "Recent activity" in your account, and remove passkeys that you do not know:',
  },
  consent: {
    subject: (host: string) => `A question from ${host}`,
    asks: (by: string, organization: string, host: string) =>
      `${by} wants to send you mails with figures of QR codes, for the organization "${organization}" on ${host}.`,
    asksForOrganization: (organization: string, host: string) =>
      `The organization "${organization}" on ${host} wants to send you mails with figures of QR codes.`,
    answer: 'You get none unless you agree. Say yes or no here:',
    ignore: 'If you do nothing, you get no such mails.',
  },
  consentPage: {
    title: 'Do you want these mails?',
    text: (organization: string, address: string) =>
      `The organization "${organization}" wants to send mails with figures of QR codes to ${address}.`,
    yes: 'Yes, send them',
    no: 'No, and never ask again',
    never: (host: string) =>
      `With no, nobody can send figures, questions or invitations from ${host} to this address any more.`,
    agreed: 'You get these mails',
    agreedText: 'Each of them has a link that stops it.',
  },
  leavePage: {
    title: 'Stop these mails?',
    text: (organization: string, address: string) =>
      `The organization "${organization}" sends mails with figures of QR codes to ${address}.`,
    invited: (address: string) => `Others may invite ${address} by mail.`,
    stop: 'Stop this mail',
    stopAll: (host: string) => `Stop all mails from ${host}`,
    stopAllText: (host: string) =>
      `If you stop all mails, nobody can send figures, questions or invitations from ${host} to this address. Mails about your own account still come.`,
    stopped: 'This mail has stopped',
    stoppedText: 'Other mails of the organization may still come.',
    refused: 'No such mails any more',
    refusedText: (host: string) =>
      `Nobody can send figures, questions or invitations from ${host} to this address.`,
    allow: 'Allow such mails again',
    unknown: 'This link is incomplete',
    unknownText: 'Open the one in the mail once more.',
  },
  proof: {
    subject: (hostname: string) => `The proof of ${hostname} is missing`,
    missing: (hostname: string) =>
      `The proof of your domain ${hostname} has been missing for more than 7 days.`,
    risk: 'Printed codes go on working. But another organization of this installation can take the domain over, and new codes on it would then be theirs.',
    act: 'Set the TXT record again that is shown here:',
  },
  certificate: {
    subject: (hostname: string, day: string) => `The certificate of ${hostname} ends on ${day}`,
    ends: (hostname: string, day: string) =>
      `The certificate for https of your domain ${hostname} ends on ${day} (UTC), and could not be renewed:`,
    next: 'It is tried again every day. After its end, browsers warn visitors who open your printed codes by https. What is set for the domain is shown here:',
  },
  notice: {
    subject: (hostname: string, day: string) => `Your codes on ${hostname} end on ${day}`,
    given: (hostname: string) =>
      `${hostname}, which your organization had before, belongs to another organization of this installation now. That organization gave notice.`,
    until: (day: string) =>
      `Until ${day} (UTC), your printed codes on it go on working, but they can only be archived or deleted. From then on, their scans show that the code has ended.`,
    act: 'Print the codes that you still need with another address before that day. If the notice is a mistake, talk to whoever owns the name today, or prove the domain again. Its page is here:',
    offSubject: (hostname: string) => `The notice for ${hostname} was withdrawn`,
    off: (hostname: string) =>
      `The organization that has ${hostname} now withdrew its notice. Your printed codes on it go on working, and you can change them again. The page of the domain is here:`,
  },
  view: {
    line: (title: string, value: string) => `${title}: ${value}`,
    scanCount: (count: number, written: string) => plural(count, `${written} scan`, `${written} scans`),
    scans: 'Scans',
    uniqueScans: 'Unique scans',
    scansPerDay: 'Scans per day',
    nothing: 'No scans in this period.',
    timeline: 'Scans over time',
    topQrCodes: 'Most scanned codes',
    destinations: 'Destinations',
    lists: englishTerms.lists,
    unknown: 'Unknown',
    noRule: 'No rule',
    unknownRule: 'Unknown rule',
    noReferrer: 'Camera or typed in',
    none: 'none',
    devices: { mobile: 'Phone', desktop: 'Computer', tablet: 'Tablet' },
    scope: {
      qrCode: 'Code',
      folder: 'Folder',
      unfiled: 'Codes without a folder',
      deletedFolder: 'A deleted folder',
      tags: 'Tags',
      type: 'Type',
      qrCodes: 'Selected codes',
      not: (value: string) => `not ${value}`,
      filters: englishTerms.dimensions,
      types: englishTerms.types,
    },
    open: 'Open these figures',
    openHere: 'Open these figures:',
    openSignedIn: 'Open these figures (you need an account):',
    setUp: {
      week: (name: string, organization: string) =>
        `${name} of ${organization} set up this mail. It comes every week.`,
      month: (name: string, organization: string) =>
        `${name} of ${organization} set up this mail. It comes every month.`,
    },
    leave: 'To stop it for your address, use this link:',
    leaveAction: 'Stop these mails',
  },
}
