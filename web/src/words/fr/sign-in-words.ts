import type {
  confirmationWords as EnglishConfirmation,
  emailConfirmationWords as EnglishEmailConfirmation,
  endedSessionWords as EnglishEndedSession,
  newPasswordWords as EnglishNewPassword,
  secondFactorWords as EnglishSecondFactor,
  signInWords as EnglishSignIn,
  signUpWords as EnglishSignUp,
} from '../sign-in-words.ts'

/** French. */
export const signInWords: typeof EnglishSignIn = {
  title: 'Se connecter',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  forgotten: 'Mot de passe oublié ?',
  forgottenHelp:
    'Saisissez votre adresse ci-dessus pour recevoir un lien par e-mail, ou demandez-en un à un administrateur de votre organisation (Paramètres, Membres).',
  forgottenNoMails:
    'Demandez un lien de mot de passe à un administrateur de votre organisation (Paramètres, Membres).',
  askForLink: 'M’envoyer un lien',
  asked: 'Si un compte a cette adresse, un lien est en route.',
}

export const endedSessionWords: typeof EnglishEndedSession = {
  title: 'Votre session est terminée',
  text: 'Reconnectez-vous pour continuer où vous en étiez. Ce que vous avez saisi est toujours là.',
  notNow: 'Pas maintenant',
  left: 'Vous êtes déconnecté. Vous pouvez continuer à lire, mais rien n’est enregistré.',
  notSaved: 'Non enregistré, car votre session est terminée. Reconnectez-vous et enregistrez de nouveau.',
  notRead: 'Votre session est terminée. Connectez-vous pour voir ceci.',
  otherTitle: 'Vous êtes connecté à un autre compte',
  otherText: (mine, other = 'un autre compte') =>
    `Ce navigateur est maintenant connecté en tant que : ${other}. Ce que vous avez saisi ici en tant que ${mine} n’a pas été envoyé.`,
  otherHint: (mine) =>
    `Reconnectez-vous en tant que ${mine} pour l’enregistrer. Ou continuez sans : cette page se recharge.`,
  signInAs: (email) => `Se connecter en tant que ${email}`,
  goOnAs: (email = 'l’autre compte') => `Continuer en tant que ${email}`,
}

export const confirmationWords: typeof EnglishConfirmation = {
  title: 'Confirmez que c’est bien vous',
  text: 'Vous allez changer votre façon de vous connecter. Confirmez-le avec votre second facteur ; nous ne redemanderons pas pendant dix minutes.',
  submit: 'Confirmer',
  cancelled: 'Rien n’a été changé, car vous ne l’avez pas confirmé.',
}

export const newPasswordWords: typeof EnglishNewPassword = {
  title: 'Choisissez un nouveau mot de passe',
  password: 'Nouveau mot de passe',
  hint: 'Au moins 10 caractères. Une phrase se retient facilement.',
  submit: 'Définir le mot de passe',
  done: 'Votre mot de passe est défini. Connectez-vous avec.',
  noToken: 'Ce lien est incomplet. Ouvrez-le exactement tel qu’il vous a été envoyé.',
}

export const signUpWords: typeof EnglishSignUp = {
  title: 'Créer un compte',
  offer: 'Nouveau ici ?',
  link: 'Créer un compte',
  name: 'Votre nom',
  email: 'Adresse e-mail',
  organizationName: 'Nom de votre organisation',
  organizationHint: 'Votre entreprise, restaurant ou association. Vous pourrez le changer plus tard.',
  submit: 'Créer le compte',
  mailed:
    'Consultez vos e-mails : nous vous avons envoyé un lien. Ouvrez-le pour choisir votre mot de passe.',
  done: 'Votre compte est prêt. Connectez-vous pour commencer.',
  haveAccount: 'Vous avez déjà un compte ?',
  off: 'L’inscription est désactivée ici. Demandez une invitation à un administrateur.',
  confirmTitle: 'Confirmez votre adresse e-mail',
  confirmText: 'Encore une étape : choisissez le mot de passe de votre compte.',
  confirm: 'Confirmer',
  confirmed: 'Votre adresse est confirmée et votre compte est prêt. Connectez-vous pour commencer.',
}

export const emailConfirmationWords: typeof EnglishEmailConfirmation = {
  confirmed: 'Confirmée',
  notConfirmed: 'Non confirmée',
  why: 'Montrez que cette adresse est à vous. D’ici là, quiconque lit ses e-mails peut prendre votre compte, même avec la double authentification.',
  send: 'M’envoyer un lien',
  sendAgain: 'Envoyer un autre lien',
  sent: (email) => `Un lien est en route vers ${email}. Ouvrez-le dans ce navigateur.`,
  title: 'Confirmez votre adresse e-mail',
  text: 'Vous êtes connecté en tant que',
  submit: 'Confirmer',
  done: 'Votre adresse e-mail est confirmée.',
  next: 'Aller à vos codes',
}

export const secondFactorWords: typeof EnglishSecondFactor = {
  intro: 'Encore une étape pour vous connecter en tant que',
  usePasskey: 'Utiliser une clé d’accès',
  noPasskeys: 'Vos clés d’accès ne fonctionnent pas dans ce navigateur ou à cette adresse.',
  code: 'Code d’authentification',
  codeHint: 'Les six chiffres que votre application d’authentification affiche maintenant.',
  recoveryCode: 'Code de récupération',
  recoveryCodeHint: 'Un des codes que vous avez enregistrés. Chacun sert une fois.',
  instead: {
    passkey: 'Utiliser plutôt une clé d’accès',
    code: 'Utiliser plutôt un code d’authentification',
    recoveryCode: 'Utiliser plutôt un code de récupération',
  },
  back: 'Retour',
}
