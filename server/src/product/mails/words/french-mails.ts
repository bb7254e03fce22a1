import { frenchTerms } from '@everscan/contract/words/french-terms.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { amountsOf, pluralsOf } from '../mail-amounts.ts'
import type { englishMails } from './english-mails.ts'

const { days, hours } = amountsOf('fr')
const plural = pluralsOf('fr')

/** French. */
export const frenchMails: typeof englishMails = {
  invitation: {
    subject: (host) => `Invitation à rejoindre ${host}`,
    invites: (by, organization) =>
      `${by} vous invite à rejoindre l’organisation « ${organization} » sur Everscan.`,
    invitesTo: (organization) =>
      `Vous êtes invité à rejoindre l’organisation «\u00a0${organization}\u00a0» sur Everscan.`,
    accept: `Acceptez l’invitation ici. Le lien est valable ${days(limits.invitationDays)} :`,
    ignore: 'Si vous n’attendez pas cette invitation, ignorez cet e-mail.',
    never: (host) =>
      `Si vous ne voulez plus d’e-mails de ce genre de ${host}, quel qu’en soit l’auteur, dites-le ici\u00a0:`,
  },
  passwordReset: {
    subject: 'Votre mot de passe Everscan',
    requested: 'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte Everscan.',
    choose: `Choisissez-le ici. Le lien est valable ${hours(limits.passwordResetHours)} :`,
    unconfirmed:
      'Votre adresse e-mail n’est pas encore confirmée. Ce lien la confirme, et retire les applications d’authentification et les clés d’accès, au cas où quelqu’un d’autre les aurait ajoutées.',
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe reste inchangé.',
  },
  signUp: {
    subject: 'Votre compte Everscan',
    requested: 'Quelqu’un, sans doute vous, a demandé un compte Everscan pour cette adresse e-mail.',
    confirm: `Confirmez-la ici et choisissez un mot de passe. Le lien est valable ${hours(limits.signUpHours)} :`,
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : aucun compte ne sera créé.',
  },
  accountExists: {
    requested:
      'Quelqu’un, sans doute vous, a demandé un compte Everscan pour cette adresse e-mail, qui en a déjà un.',
    signIn: 'Connectez-vous ici. Si vous avez oublié votre mot de passe, vous pouvez aussi l’y remplacer :',
  },
  takeOver: {
    requested:
      'Quelqu’un, sans doute vous, a demandé un compte Everscan pour cette adresse e-mail. Elle en a déjà un, mais personne n’a confirmé que l’adresse est la sienne.',
    signIn:
      'Si vous utilisez ce compte, connectez-vous et confirmez votre adresse sur la page de votre compte :',
    takeOver: `Si vous ne connaissez pas ce compte, prenez-en possession ici. Son nom et son mot de passe seront remplacés, toutes les personnes qui l’utilisent seront déconnectées, et ses applications d’authentification et ses clés d’accès seront retirées. Le lien est valable ${hours(limits.signUpHours)} :`,
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : rien ne change.',
  },
  emailConfirmation: {
    subject: 'Confirmez votre adresse e-mail',
    requested: 'Quelqu’un, sans doute vous, est connecté à un compte Everscan avec cette adresse e-mail.',
    confirm: `Confirmez que l’adresse est la vôtre, dans un navigateur connecté à ce compte. Le lien est valable ${hours(limits.emailConfirmationHours)} :`,
    ignore:
      'Si ce n’était pas vous, ne confirmez rien. Vous pouvez prendre possession du compte avec un nouveau mot de passe : choisissez « Mot de passe oublié ? » là où vous vous connectez.',
  },
  account: {
    subject: 'Sécurité de votre compte Everscan',
    changes: {
      'account.take-over':
        'Quelqu’un a pris possession de votre compte Everscan, avec un lien qui vous a été envoyé par e-mail.',
      'password.change': 'Le mot de passe de votre compte Everscan a été modifié.',
      'password-reset.use': 'Le mot de passe de votre compte Everscan a été remplacé, avec un lien.',
      'two-factor.on': 'La double authentification de votre compte Everscan a été activée.',
      'two-factor.off': 'La double authentification de votre compte Everscan a été désactivée.',
      'recovery-codes.renew': 'Les codes de récupération de votre compte Everscan ont été remplacés.',
      'passkey.add': 'Une clé d’accès a été ajoutée à votre compte Everscan.',
      'passkey.remove': 'Une clé d’accès a été retirée de votre compte Everscan.',
      'recovery-code.use':
        'Un code de récupération a été utilisé pour confirmer une modification de votre compte Everscan.',
      'sign-in.recovery-code':
        'Un code de récupération a été utilisé pour se connecter à votre compte Everscan.',
    },
    happened: (at) => `C’était le ${at} (UTC).`,
    happenedFrom: (at, network) => `C’était le ${at} (UTC), depuis le réseau ${network}.`,
    ignore: 'Si c’était vous, ignorez cet e-mail.',
    act: 'Si ce n’était pas vous, définissez tout de suite un nouveau mot de passe (« Mot de passe oublié ? ») : toutes les sessions se terminent alors. Consultez ensuite « Activité récente » dans votre compte, et retirez les clés d’accès que vous ne reconnaissez pas :',
  },
  consent: {
    subject: (host) => `Une question de ${host}`,
    asks: (by, organization, host) =>
      `${by} souhaite vous envoyer des e-mails avec des chiffres de QR codes, pour l’organisation «\u00a0${organization}\u00a0» sur ${host}.`,
    asksForOrganization: (organization, host) =>
      `L’organisation «\u00a0${organization}\u00a0» sur ${host} souhaite vous envoyer des e-mails avec des chiffres de QR codes.`,
    answer: 'Vous n’en recevrez aucun sans votre accord. Répondez par oui ou non ici\u00a0:',
    ignore: 'Si vous ne faites rien, vous ne recevrez pas ces e-mails.',
  },
  consentPage: {
    title: 'Voulez-vous ces e-mails\u00a0?',
    text: (organization, address) =>
      `L’organisation «\u00a0${organization}\u00a0» souhaite envoyer des e-mails avec des chiffres de QR codes à ${address}.`,
    yes: 'Oui, envoyez-les',
    no: 'Non, et ne plus demander',
    never: (host) =>
      `Si vous refusez, personne ne pourra plus envoyer de chiffres, de questions ou d’invitations de ${host} à cette adresse.`,
    agreed: 'Vous recevrez ces e-mails',
    agreedText: 'Chacun contient un lien qui l’arrête.',
  },
  leavePage: {
    title: 'Arrêter ces e-mails\u00a0?',
    text: (organization, address) =>
      `L’organisation «\u00a0${organization}\u00a0» envoie des e-mails avec des chiffres de QR codes à ${address}.`,
    invited: (address) => `D’autres personnes peuvent inviter ${address} par e-mail.`,
    stop: 'Arrêter cet e-mail',
    stopAll: (host) => `Arrêter tous les e-mails de ${host}`,
    stopAllText: (host) =>
      `Si vous arrêtez tous les e-mails, personne ne pourra envoyer de chiffres, de questions ou d’invitations de ${host} à cette adresse. Les e-mails au sujet de votre propre compte continuent d’arriver.`,
    stopped: 'Cet e-mail est arrêté',
    stoppedText: 'D’autres e-mails de l’organisation peuvent encore arriver.',
    refused: 'Plus aucun e-mail de ce genre',
    refusedText: (host) =>
      `Personne ne peut envoyer de chiffres, de questions ou d’invitations de ${host} à cette adresse.`,
    allow: 'Autoriser de nouveau ces e-mails',
    unknown: 'Ce lien est incomplet',
    unknownText: 'Ouvrez de nouveau celui de l’e-mail.',
  },
  proof: {
    subject: (hostname) => `La preuve de ${hostname} manque`,
    missing: (hostname) => `La preuve de votre domaine ${hostname} manque depuis plus de 7 jours.`,
    risk: 'Les codes imprimés continuent de fonctionner. Mais une autre organisation de cette installation peut reprendre le domaine, et les nouveaux codes sur ce domaine seraient alors les siens.',
    act: 'Recréez l’enregistrement TXT qui est affiché ici :',
  },
  certificate: {
    subject: (hostname, day) => `Le certificat de ${hostname} expire le ${day}`,
    ends: (hostname, day) =>
      `Le certificat pour https de votre domaine ${hostname} expire le ${day} (UTC), et n’a pas pu être renouvelé :`,
    next: 'Une nouvelle tentative a lieu chaque jour. Après son expiration, les navigateurs avertissent les visiteurs qui ouvrent vos codes imprimés en https. Les enregistrements du domaine sont affichés ici :',
  },
  notice: {
    subject: (hostname, day) => `Vos codes sur ${hostname} prennent fin le ${day}`,
    given: (hostname) =>
      `${hostname}, qui était un domaine de votre organisation, appartient maintenant à une autre organisation de cette installation. Celle-ci a donné un préavis.`,
    until: (day) =>
      `Jusqu’au ${day} (UTC), vos codes imprimés sur ce domaine continuent de fonctionner, mais ils peuvent seulement être archivés ou supprimés. Ensuite, leurs scans indiquent que le code a pris fin.`,
    act: 'Imprimez avant cette date, avec une autre adresse, les codes dont vous avez encore besoin. Si ce préavis est une erreur, parlez au propriétaire actuel du nom, ou prouvez de nouveau le domaine. Sa page est ici :',
    offSubject: (hostname) => `Le préavis pour ${hostname} a été retiré`,
    off: (hostname) =>
      `L’organisation à laquelle ${hostname} appartient maintenant a retiré son préavis. Vos codes imprimés sur ce domaine continuent de fonctionner, et vous pouvez de nouveau les modifier. La page du domaine est ici :`,
  },
  view: {
    line: (title, value) => `${title} : ${value}`,
    scanCount: (count, written) => plural(count, `${written} scan`, `${written} scans`),
    scans: 'Scans',
    uniqueScans: 'Scans uniques',
    scansPerDay: 'Scans par jour',
    nothing: 'Aucun scan pendant cette période.',
    timeline: 'Scans au fil du temps',
    topQrCodes: 'Codes les plus scannés',
    destinations: 'Destinations',
    lists: frenchTerms.lists,
    unknown: 'Inconnu',
    noRule: 'Aucune règle',
    unknownRule: 'Règle inconnue',
    noReferrer: 'Appareil photo ou saisie directe',
    none: 'aucune',
    devices: { mobile: 'Téléphone', desktop: 'Ordinateur', tablet: 'Tablette' },
    scope: {
      qrCode: 'Code',
      folder: 'Dossier',
      unfiled: 'Codes sans dossier',
      deletedFolder: 'Un dossier supprimé',
      tags: 'Mots-clés',
      type: 'Type',
      qrCodes: 'Codes sélectionnés',
      not: (value) => `pas ${value}`,
      filters: frenchTerms.dimensions,
      types: frenchTerms.types,
    },
    open: 'Ouvrir ces statistiques',
    openHere: 'Ouvrir ces statistiques :',
    openSignedIn: 'Ouvrir ces statistiques (il faut un compte) :',
    setUp: {
      week: (name, organization) => `Cet e-mail hebdomadaire a été configuré par ${name} (${organization}).`,
      month: (name, organization) => `Cet e-mail mensuel a été configuré par ${name} (${organization}).`,
    },
    leave: 'Pour ne plus le recevoir à votre adresse, utilisez ce lien :',
    leaveAction: 'Ne plus recevoir ces e-mails',
  },
}
