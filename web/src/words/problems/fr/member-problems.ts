import type { memberProblems as english } from '@everscan/contract/problems/member-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const memberProblems = {
  tooFewDifferentCharacters: '{min} caractères différents au moins.',
  passwordOfOwnWord: 'D’autres peuvent deviner « {word} ». Choisissez un autre mot de passe.',
  passwordCommon: 'C’est un des mots de passe les plus fréquents. Choisissez-en un autre.',

  requiredForNewAccount: 'Cette valeur est requise, car cette adresse e-mail n’a pas encore de compte.',
  requiredForAccount: 'Cette valeur est requise, car cette adresse e-mail a déjà un compte.',
  leftOutForAccount: 'Ne donnez pas cette valeur, car cette adresse e-mail a déjà un compte.',
  notPasswordOfAccount: 'Ce n’est pas le mot de passe du compte de cette adresse e-mail.',
  accountChangedMeanwhile: 'Le compte de cette adresse e-mail vient d’être créé ou confirmé. Réessayez.',
  addressHasAccount: 'Cette adresse e-mail a déjà un compte. Connectez-vous.',
  invitationAccepted: 'Cette invitation a déjà été acceptée. Retirez plutôt le membre.',
  memberAlready: 'Le compte de cette adresse e-mail est déjà membre.',
  onlyAdmin:
    'Ce membre est le seul administrateur de l’organisation. Nommez d’abord un autre membre administrateur.',

  secondFactorMissing: 'Ce compte utilise la double authentification. Il manque le second facteur.',
  notRecoveryCode: 'Saisissez un code de récupération que vous n’avez pas encore utilisé.',
  notPasskeyAnswer: 'Ce n’est pas la réponse d’une clé d’accès à « options ».',
  passkeysNotHere:
    'Les clés d’accès ne fonctionnent pas ici : PUBLIC_URL doit être https avec un nom d’hôte, comme https://qr.example.com.',
} as const satisfies ProblemWords<typeof english>
