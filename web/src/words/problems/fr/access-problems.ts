import type { accessProblems as english } from '@everscan/contract/problems/access-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const accessProblems = {
  apiKeyNotValid: 'La clé d’API manque ou n’est pas valide. Envoyez-la dans l’en-tête X-API-Key.',
  bearerNotValid:
    'La clé d’API manque ou n’est pas valide. Envoyez-la sous la forme « Authorization: Bearer KEY » ou dans l’en-tête X-API-Key.',
  apiKeyRevoked: 'Cette clé d’API a été révoquée. Utilisez-en une autre.',
  apiKeyExpired: 'Cette clé d’API a expiré. Utilisez-en une autre.',
  apiKeyFromElsewhere: 'Cette clé d’API n’est pas acceptée depuis votre adresse, {address}.',
  apiKeysDiffer: 'Authorization et X-API-Key ont des clés différentes. N’en envoyez qu’une.',
  apiKeyWithSession: 'Envoyez une clé d’API ou le cookie d’une session, mais pas les deux.',
  apiKeyOfOtherOrganization: 'Cette clé d’API n’appartient pas à l’organisation du chemin.',
  apiKeyOfOtherTarget: 'Cette clé d’API n’appartient pas à l’organisation que nomme organizationId.',
  targetMissing: 'Cette valeur est requise avec une clé d’API, qui remplit sa propre organisation.',
  apiKeyRoleTooLow: ({ needed, role }) =>
    `Il faut pour cela le rôle ${roleName(needed)} ; la clé d’API a ${roleName(role)}.`,
  userRequired: 'Une clé d’API ne peut pas faire cela : il faut une personne connectée.',

  notSignedIn: 'Vous n’êtes pas connecté. Connectez-vous d’abord.',
  sessionUnknown: 'La session est inconnue ou terminée. Reconnectez-vous.',
  sessionEnded: 'Votre session est terminée.',
  accountGone: 'Ce compte n’existe plus.',
  notMember: 'Vous n’êtes pas membre de cette organisation.',
  notMemberOfTarget: 'Vous n’êtes pas membre de l’organisation que nomme organizationId.',
  noSuchMembership: 'Vous n’êtes pas membre d’une organisation avec cet identifiant.',
  roleTooLow: ({ needed, role }) =>
    `Il faut pour cela le rôle ${roleName(needed)} ; vous avez ${roleName(role)}.`,
  twoFactorOfOrganization:
    'Cette organisation exige la double authentification. Activez-la d’abord pour votre compte.',
  twoFactorOfOwnFirst:
    'Activez d’abord la double authentification pour votre propre compte : sans elle, vous ne pourriez plus entrer dans cette organisation.',
  changeFromOtherSite: 'Une modification avec une session doit venir d’une page de ce site.',
  pageOfOtherSite: 'Les pages d’autres sites ne peuvent pas utiliser ce point d’accès.',
  noSuchSession: 'Votre compte n’a pas de session avec cet identifiant.',

  emailOrPasswordWrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
  codeWrong: 'Le code est incorrect ou a déjà été utilisé.',
  codeFieldWrong: 'Le code est incorrect ou a déjà été utilisé.',
  passkeyNotChecked: 'La clé d’accès n’a pas pu être vérifiée, ou cela a pris trop de temps. Réessayez.',
  passkeyFieldNotChecked: 'La clé d’accès n’a pas pu être vérifiée.',
  passkeyUnknown:
    'Cette clé d’accès est inconnue ici ou n’a pas pu être vérifiée. Réessayez, ou connectez-vous avec votre mot de passe.',
  passkeyTooLate:
    'La clé d’accès n’a pas pu être vérifiée, ou cela a pris plus de {minutes} minutes. Réessayez.',
  passkeyKnown: 'Cette clé d’accès a déjà été ajoutée.',
  tooManyPasskeys: 'Un compte a {max} clés d’accès au plus. Supprimez-en d’abord une.',
  noSuchPasskey: 'Votre compte n’a pas de clé d’accès avec cet identifiant.',
  authenticatorOn: 'La double authentification avec une application est déjà activée.',
  authenticatorOff: 'La double authentification avec une application est désactivée.',
  noSecondFactor: 'Votre compte n’a pas de second facteur.',
  confirmationRequired: 'Il faut pour cela un second facteur : confirmez d’abord votre session.',

  passwordWrong: 'Le mot de passe est incorrect.',
  currentPasswordWrong: 'Ce n’est pas le mot de passe de ce compte.',
  passwordComesLater: 'Le mot de passe est choisi plus tard, avec le lien envoyé par e-mail.',
  ownPasswordOfMember: 'Modifiez votre propre mot de passe dans votre compte, avec l’actuel.',
  passwordOfMemberRefused:
    'Vous ne pouvez pas réinitialiser le mot de passe de ce membre ; seul l’exploitant le peut.',
  resetTokenUnknown: 'Ce lien est inconnu, déjà utilisé ou expiré. Demandez-en un nouveau.',
  signUpTokenUnknown: 'Ce lien est inconnu ou expiré. Inscrivez-vous à nouveau.',
  invitationTokenUnknown: 'Ce lien est inconnu, déjà utilisé ou expiré. Demandez une nouvelle invitation.',
  confirmationLinkUnknown:
    'Ce lien est expiré ou appartient à un autre compte. Demandez-en un nouveau dans votre compte.',
  emailConfirmedBefore: 'Votre adresse e-mail est déjà confirmée.',
  signUpRefused:
    'Cette installation ne permet pas de s’inscrire avec cette adresse e-mail. Demandez une invitation.',
  viewLocked: 'Cette vue a un mot de passe. Saisissez-le d’abord.',
  viewLinkUnknown: 'Ce lien est inconnu ou terminé. Demandez-en un nouveau.',
  mailLinkIncomplete: 'Ce lien est incomplet. Ouvrez à nouveau celui de l’e-mail.',

  noMails: 'Cette installation n’envoie pas d’e-mails.',
  mailsNotSetUp: 'Cette installation n’envoie pas d’e-mails. Son exploitant peut définir SMTP_URL.',
  viewWithoutMail: 'La vue n’a pas d’e-mail. Configurez-en d’abord un.',
  signUpMailsUsedUp:
    'Cette installation a atteint le maximum d’inscriptions par e-mail par jour. Inscrivez-vous demain.',
  accountMailsUsedUp: 'Vous avez atteint le maximum d’e-mails par jour. Invitez cette personne demain.',
  installationMailsUsedUp:
    'Cette installation a atteint le maximum d’e-mails par jour. Invitez cette personne demain.',

  apiKeyTooFast: 'Cette clé d’API peut faire {max} requêtes par minute au plus. Réessayez dans {seconds} s.',
  accountTooFast: 'Votre compte peut faire {max} requêtes par minute au plus. Réessayez dans {seconds} s.',
  networkTooFast: 'Votre réseau peut faire {max} requêtes par minute au plus. Réessayez dans {seconds} s.',
  viewTooFast: 'Trop de personnes lisent cette vue en ce moment. Réessayez dans un instant.',
  tooManyAnswers: 'Trop de réponses. Réessayez dans un instant.',
} as const satisfies ProblemWords<typeof english>

const roleNames: Readonly<Record<string, string>> = {
  ADMIN: 'administrateur',
  EDITOR: 'éditeur',
  VIEWER: 'lecteur',
}
const roleName = (role: string | number) => roleNames[role] ?? String(role)
