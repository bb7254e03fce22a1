import type {
  accountLogWords as EnglishLog,
  accountWords as EnglishAccount,
  invitationWords as EnglishInvitation,
} from '../account-words.ts'

const timesOf = (times: number) => (times === 1 ? 'une fois' : `${times} fois`)

/** French. */
export const invitationWords: typeof EnglishInvitation = {
  title: 'Votre invitation',
  join: (organization) => `Rejoindre ${organization}`,
  invites: (who, organization) => `${who} vous invite à travailler sur les codes de ${organization}.`,
  email: 'Pour',
  role: 'En tant que',
  roles: {
    ADMIN: 'administrateur : tout, y compris les membres et les paramètres',
    EDITOR: 'éditeur : créer et modifier des codes',
    VIEWER: 'lecteur : consulter les codes et les statistiques',
  },
  valid: 'Expire',
  name: 'Votre nom',
  newPassword: 'Choisissez un mot de passe',
  passwordHint: 'Le mot de passe de votre compte avec cette adresse.',
  submit: 'Accepter et se connecter',
  gone: 'Cette invitation a déjà été utilisée ou retirée, ou elle a expiré. Demandez-en une nouvelle.',
  welcome: (organization) => `Bienvenue chez ${organization}`,
  done: (organization) => `Vous avez rejoint ${organization}. Connectez-vous pour commencer.`,
}

export const accountWords: typeof EnglishAccount = {
  neededBy: (organizations) =>
    `Sans elle, vous ne pouvez plus ouvrir : ${organizations}. Vous pouvez la réactiver, par exemple avec un autre téléphone.`,
  title: 'Votre compte',
  profile: 'Profil',
  name: 'Nom',
  email: 'Adresse e-mail',
  saved: 'Enregistré',
  password: 'Mot de passe',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  change: 'Changer le mot de passe',
  changed: 'Mot de passe changé. Toutes les autres sessions sont terminées.',
  passkeysKept: 'Vos clés d’accès fonctionnent toujours : retirez celles que vous ne reconnaissez pas.',
  sessions: 'Sessions',
  sessionsText: 'Où vous êtes connecté. Terminez toute session que vous ne reconnaissez pas.',
  thisOne: 'Cette session',
  unknownProgram: 'Navigateur inconnu',
  lastUsed: (when) => `dernière utilisation ${when}`,
  end: 'Terminer',
  endOthers: 'Terminer toutes les autres sessions',
  twoFactor: 'Double authentification',
  twoFactorText:
    'La connexion par mot de passe demande en plus un code d’une application d’authentification.',
  twoFactorPasskeys:
    'Vous avez une clé d’accès comme second facteur. Une application en est un autre, si vous la perdez.',
  on: 'Activée',
  off: 'Désactivée',
  turnOn: 'Activer',
  turnOff: 'Désactiver',
  scan: 'Scannez ceci avec votre application d’authentification, puis saisissez le code qu’elle affiche.',
  secret: 'Ou saisissez ce secret :',
  code: 'Code',
  confirm: 'Confirmer',
  recovery: 'Codes de récupération',
  recoveryText:
    'Chaque code remplace une fois votre clé d’accès ou votre application, si vous les perdez. Conservez-les ailleurs ; ils ne seront plus affichés.',
  done: 'C’est fait, je les ai enregistrés',
  renew: 'Nouveaux codes de récupération',
  renewText: 'Crée dix nouveaux codes. Les anciens cessent de fonctionner.',
}

export const accountLogWords: typeof EnglishLog = {
  title: 'Activité récente',
  text: 'Connexions, tentatives infructueuses et modifications de votre compte. Everscan n’enregistre pas d’adresses complètes : 203.0.113.0/24 est un réseau, que beaucoup de personnes peuvent partager.',
  advice: 'Ce n’était pas vous ? Changez votre mot de passe. Toutes les autres sessions se terminent alors.',
  toPassword: 'Aller au mot de passe',
  none: 'Rien pour l’instant. Les connexions et les modifications de votre compte apparaîtront ici.',
  more: 'Afficher plus',
  someProgram: 'un navigateur inconnu',
  manyNetworks: 'de nombreux réseaux',
  operator: 'l’exploitant de ce service',
  by: (name) => `par ${name}`,
  period: (first, last) => `du ${first} au ${last}`,
  actions: {
    'sign-in.password': ({ program }) => `Connexion depuis ${program}`,
    'sign-in.code': ({ program }) => `Connexion depuis ${program}, avec un code d’authentification`,
    'sign-in.recovery-code': ({ program }) => `Connexion depuis ${program}, avec un code de récupération`,
    'sign-in.password-and-passkey': ({ program }) =>
      `Connexion depuis ${program}, avec mot de passe et clé d’accès`,
    'sign-in.passkey': ({ program }) => `Connexion depuis ${program}, avec une clé d’accès`,
    'account.create': 'Compte créé',
    'account.take-over': 'Compte repris par un lien reçu par e-mail, après la confirmation de son adresse',
    'email.confirm': 'Adresse e-mail confirmée',
    'password.change': 'Mot de passe changé',
    'password-reset.create': 'Lien créé pour un nouveau mot de passe',
    'password-reset.use': 'Nouveau mot de passe défini par un lien',
    'two-factor.on': 'Double authentification activée',
    'two-factor.off': 'Double authentification désactivée',
    'recovery-codes.renew': 'Nouveaux codes de récupération créés',
    'recovery-code.use': 'Code de récupération utilisé pour confirmer une modification',
    'passkey.add': 'Clé d’accès ajoutée',
    'passkey.remove': ({ times }) => (times === 1 ? 'Clé d’accès retirée' : `${times} clés d’accès retirées`),
    'session.end': 'Session terminée',
    'session.end-others': 'Toutes les autres sessions terminées',
    'import.dry-run': 'Archive vérifiée pour une nouvelle organisation, sans l’importer',
    'sign-in.wrong-password': ({ times, from }) =>
      `${times === 1 ? '1 échec de connexion' : `${times} échecs de connexion`} depuis ${from}`,
    'sign-in.wrong-code': ({ times, from }) =>
      `Bon mot de passe, mais mauvais code, ${timesOf(times)} depuis ${from}`,
    'sign-in.wrong-passkey': ({ times, from }) => `Clé d’accès refusée, ${timesOf(times)} depuis ${from}`,
    'sign-in.password-and-wrong-passkey': ({ times, from }) =>
      `Bon mot de passe, mais clé d’accès refusée, ${timesOf(times)} depuis ${from}`,
    'passkey.counter-refused': ({ from }) =>
      `Clé d’accès refusée, depuis ${from} : son compteur a reculé, quelqu’un l’a peut-être copiée. Retirez-la, sauf si vous savez l’expliquer.`,
    'confirmation.wrong-password': ({ times, from }) =>
      `Mot de passe actuel erroné, ${timesOf(times)} depuis ${from}`,
    'confirmation.wrong-code': ({ times, from }) =>
      `Mauvais code pour confirmer une modification, ${timesOf(times)} depuis ${from}`,
    'confirmation.wrong-passkey': ({ times, from }) =>
      `Clé d’accès refusée pour confirmer une modification, ${timesOf(times)} depuis ${from}`,
    'password-reset.request': ({ from }) => `Lien pour un nouveau mot de passe demandé depuis ${from}`,
  },
}
