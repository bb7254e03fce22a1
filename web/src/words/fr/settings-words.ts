import { isOne, listsOf, pluralsOf } from '../plurals.ts'
import type {
  copiesWords as EnglishCopies,
  machinesWords as EnglishMachines,
  membersWords as EnglishMembers,
  proxyCheckWords as EnglishProxyCheck,
  settingsWords as EnglishSettings,
} from '../settings-words.ts'

const inSentence = listsOf('fr')
const plural = pluralsOf('fr')

/** French. */
export const settingsWords: typeof EnglishSettings = {
  title: 'Paramètres',
  parts: 'Rubriques des paramètres',
  general: 'Organisation',
  members: 'Membres',
  domains: 'Domaines',
  auditLog: 'Journal',
  connection: 'Vérification du proxy',
  copies: 'Sauvegardes',
  onlyAdmins: 'Seuls les administrateurs de l’organisation peuvent voir ou modifier ceci.',
  onlyAdminsChange: 'Seuls les administrateurs de l’organisation peuvent les modifier.',
  name: 'Nom',
  nameHint: 'Les membres le voient ici, dans le tableau de bord.',
  publicName: 'Nom sur vos pages',
  publicNameHint: 'Les visiteurs le voient sur les pages que vos codes ouvrent. Vide : aucun nom.',
  saved: 'Enregistré',
  logo: 'Logo sur vos pages',
  logoText: 'PNG, JPEG ou WebP, jusqu’à 1 Mo.',
  noLogo: 'Aucun logo',
  chooseLogo: 'Choisir une image',
  replaceLogo: 'Choisir une autre image',
  removeLogo: 'Retirer',
  logoRemoved: 'Logo retiré.',
  logoTooLarge: 'Ce fichier dépasse 1 Mo. Choisissez une image plus petite.',
  logoSaved: 'Logo enregistré. Vos pages l’affichent maintenant.',
  styles: 'Styles enregistrés',
  stylesText:
    'Les nouveaux codes reçoivent le style marqué « Pour les nouveaux codes ». Les codes existants gardent le leur.',
  noStyles: 'Pas encore de style enregistré. Vous pouvez en enregistrer un en créant un code.',
  isDefault: 'Pour les nouveaux codes',
  makeDefault: 'Utiliser pour les nouveaux codes',
  noDefault: 'Utiliser le style par défaut',
  styleMenu: (name) => `Actions pour ${name}`,
  rename: 'Renommer',
  renameTitle: 'Renommer le style',
  deleteStyle: 'Supprimer',
  styleDeleted: (name) => `Style « ${name} » supprimé.`,
  scansKept: 'Durée de conservation des scans',
  scansKeptText: (days) =>
    days === null
      ? 'Pour toujours : cette installation ne supprime aucun scan.'
      : `${days === 1 ? 'Un jour' : `${days} jours`}, jusqu’au minuit suivant (UTC). Ils disparaissent alors des listes, des statistiques et des totaux des codes. L’exploitant fixe cette durée avec RETENTION_DAYS.`,
  export: 'Tout exporter',
  exportText:
    'Une archive avec tous les codes, leurs liens courts et leur historique, les dossiers, et des règles de redirection pour un autre serveur. Vos codes imprimés ne sont jamais captifs.',
  exportAction: 'Télécharger l’export',
  mailsStopped: (since) =>
    `L’opérateur de cette installation a arrêté les e-mails de cette organisation (${since}). Aucune invitation et aucun e-mail de vue n’est envoyé tant qu’il ne les autorise pas de nouveau.`,
  leave: 'Quitter cette organisation',
  leaveText:
    'Vous perdez l’accès à ses codes, et les clés d’API que vous avez créées ici cessent de fonctionner.',
  leaveAction: 'Quitter',
  leaveTitle: (name) => `Quitter ${name} ?`,
  leaveConfirm: 'Vous ne pourrez revenir que si quelqu’un vous réinvite.',
  left: (name) => `Vous avez quitté ${name}.`,
  noOrganization: 'Vous n’avez pas encore d’organisation',
  noOrganizationText: 'Demandez une invitation, ou créez la vôtre.',
}

export const membersWords: typeof EnglishMembers = {
  title: 'Membres',
  roles: { ADMIN: 'Administrateur', EDITOR: 'Éditeur', VIEWER: 'Lecteur' },
  rolesText: {
    ADMIN: 'Administrateur : tout, y compris les membres et les clés',
    EDITOR: 'Éditeur : crée et modifie des codes',
    VIEWER: 'Lecteur : voit les codes et les statistiques',
  },
  count: (members, written) => plural(members, `${written} membre`, `${written} membres`),
  you: 'Vous',
  roleOf: (name) => `Rôle de ${name}`,
  roleChanged: (name, role) => `${name}, nouveau rôle : ${role}.`,
  ownRoleTitle: (role) => `Passer au rôle ${role} ?`,
  ownRoleText:
    'Vous perdez aussitôt vos droits d’administrateur. Un autre administrateur peut vous les rendre.',
  ownRoleAction: 'Changer mon rôle',
  joined: (when) => `arrivé ${when}`,
  menu: (name) => `Actions pour ${name}`,
  resetPassword: 'Créer un lien de mot de passe',
  resetLink: (name) => `Lien de mot de passe pour ${name}`,
  resetOnce:
    'Ne le donnez qu’à cette personne : quiconque l’a peut définir le mot de passe. Il sert une fois, pendant une heure.',
  copyLink: 'Copier le lien',
  remove: 'Retirer',
  removeTitle: (name) => `Retirer ${name} ?`,
  removeText:
    'L’accès se termine aussitôt, et les clés d’API que cette personne a créées ici cessent de fonctionner.',
  removeAction: 'Retirer le membre',
  invite: 'Inviter quelqu’un',
  inviteTitle: 'Inviter quelqu’un',
  email: 'Adresse e-mail',
  role: 'Rôle',
  makeInvitation: 'Créer l’invitation',
  twoFactor: 'Double authentification',
  withoutTwoFactor: 'Sans second facteur',
  demandTwoFactor: 'Tous les membres doivent utiliser la double authentification',
  demandTwoFactorHint:
    'Les membres qui ne l’utilisent pas ne peuvent pas ouvrir cette organisation avant de l’activer.',
  twoFactorFirst: 'Activez-la d’abord pour votre propre compte.',
  openAccount: 'Ouvrir votre compte',
  demandTitle: 'Exiger la double authentification ?',
  demandText: (without) =>
    without.length === 0
      ? 'Tous les membres l’utilisent déjà. Les nouveaux membres l’activent à leur arrivée.'
      : `Ces membres devront l’activer dans leur compte pour continuer : ${listed(without)}. Les clés d’API continuent de fonctionner.`,
  demandSome:
    'Les membres qui ne l’utilisent pas devront l’activer dans leur compte pour continuer. Les clés d’API continuent de fonctionner.',
  demandAction: 'L’exiger',
  twoFactorDemanded: 'La double authentification est maintenant obligatoire.',
  twoFactorOptional: 'La double authentification est maintenant facultative.',
  inviteLink: (email) => `Invitation pour ${email}`,
  inviteOnce: 'Envoyez ce lien à la personne. Il sert une fois, pendant 7 jours, et ne sera plus affiché.',
  inviteMailed:
    'Nous avons envoyé un lien par e-mail. S’il n’arrive pas, envoyez celui-ci. Il sert une fois, pendant 7 jours, mais ne confirme pas l’adresse e-mail.',
  inviteNotMailed: {
    UNWANTED:
      'Non envoyée par e-mail\u00a0: le titulaire de cette adresse ne veut pas d’e-mails de cette installation.',
    STOPPED: 'Non envoyée par e-mail\u00a0: l’opérateur a arrêté les e-mails de cette organisation.',
    LIMITED: 'Non envoyée par e-mail\u00a0: trop d’e-mails ont été envoyés.',
    REFUSED: 'Non envoyée par e-mail\u00a0: le serveur de messagerie ne l’a pas accepté.',
  },
  done: 'Terminé',
  invitations: 'Invitations en attente',
  invited: (who, when) => `invité par ${who}, ${when}`,
  ends: (when) => `expire ${when}`,
  revoke: 'Retirer',
  revokeTitle: (email) => `Retirer l’invitation pour ${email} ?`,
  revokeText: 'Son lien cesse de fonctionner. Vous pourrez réinviter la personne.',
  revokeAction: 'Retirer l’invitation',
}

export const proxyCheckWords: typeof EnglishProxyCheck = {
  title: 'Vérification du proxy',
  text: 'Vérifie si Everscan voit d’où viennent vraiment les visiteurs. Les pays, les villes et les scans uniques en dépendent.',
  youComeFrom: 'Votre adresse ici',
  directly: 'directement, sans proxy de confiance.',
  throughProxies: (count, which) =>
    count === 1 ? `par 1 proxy : ${which}.` : `par ${count} proxys : ${which}.`,
  compare:
    'Comparez-la à une page qui affiche votre adresse publique. Dans le réseau du serveur, c’est l’adresse locale de votre appareil.',
  right: 'C’est votre adresse ?',
  rightText: 'Alors tout est bien configuré.',
  wrong: 'Ce n’est pas votre adresse ?',
  suggestionText: (address) =>
    `Le serveur ${address} transmet votre adresse, mais n’est pas de confiance. Si c’est votre proxy, démarrez Everscan avec ce réglage :`,
  copySetting: 'Copier le réglage',
  noHeader:
    'Alors un proxy intermédiaire ne transmet pas votre adresse. Faites-lui envoyer l’en-tête X-Forwarded-For, et rouvrez cette page.',
  someHeader:
    'Alors le proxy transmet votre adresse dans un autre en-tête. Faites-lui envoyer aussi X-Forwarded-For, et rouvrez cette page.',
  trusted: 'Proxys de confiance',
  trustedNone: 'Aucun : TRUST_PROXY n’est pas défini.',
  trustedText: 'Selon le réglage TRUST_PROXY. X-Forwarded-For est ignoré de tous les autres.',
  headers: 'En-têtes de votre requête',
  peer: 'Connecté depuis',
  scans: 'Scans récents',
  scansNone: 'Pas encore assez de scans : il en faut au moins 200.',
  scansFine: (share, count) =>
    `Sur les ${count} derniers scans, ${share} venaient du réseau le plus fréquent. Cela semble correct.`,
  scansOne: (share, count) =>
    `Sur les ${count} derniers scans, ${share} venaient d’un seul réseau. Si vos visiteurs viennent de nombreux endroits, Everscan voit un proxy à leur place : définissez TRUST_PROXY.`,
  again: 'Vérifier de nouveau',
}

export const machinesWords: typeof EnglishMachines = {
  title: 'Machines',
  text: 'Toutes les machines partagent les codes. Chacune écrit d’abord les scans sur son propre disque. Ne retirez une machine que lorsque plus aucun scan n’y attend.',
  states: { LIVE: 'En marche', SILENT: 'Sans réponse', STOPPED: 'Arrêtée' },
  since: { LIVE: 'Démarrée', SILENT: 'Vue pour la dernière fois', STOPPED: 'Arrêtée' },
  release: (release) => `Version ${release}`,
  waitingUnknown: 'Nombre de scans en attente inconnu',
  waitingNone: 'Aucun scan en attente',
  waiting: (size) => `${size} de scans en attente`,
  silent:
    'Elle ne donne plus signe de vie, sans avoir été arrêtée. Les scans sur son disque ne sont peut-être nulle part ailleurs : redémarrez-y Everscan.',
  upgrade: {
    title: 'Mise à niveau du stockage des scans',
    text: 'Les anciens scans sont convertis pour cette version. Pendant ce temps, les codes redirigent et les chiffres restent exacts ; les statistiques peuvent prendre plus de temps.',
    done: (done, all) => `Lignes terminées : ${done} sur ${all}`,
    endsAt: (when) => `fin prévue ${when}`,
    problem:
      'Le stockage des scans ne peut pas continuer. Il réessaie de lui-même dès que la cause est écartée :',
  },
}

export const copiesWords: typeof EnglishCopies = {
  title: 'Sauvegardes',
  text: 'Sauvegardes de toute l’installation : chaque organisation, code et scan. Chacune permet de tout restaurer sur une autre machine.',
  onlyOperator: 'Seule l’organisation de l’exploitant voit les sauvegardes.',
  state: 'État',
  last: 'Dernière sauvegarde',
  none: 'Aucune à ce jour',
  holds: (size, codes, scans) =>
    `${size} : ${isOne(codes) ? '1 code' : `${codes} codes`} et ${isOne(scans) ? '1 scan' : `${scans} scans`}`,
  lastVerified: 'Dernière vérification',
  never: 'Jamais',
  verifiedMeans: 'Vérifiée : restaurée à l’essai et comparée.',
  schedule: 'Calendrier',
  scheduleText: (hours, keep) =>
    `${hours === 1 ? 'Toutes les heures' : hours === 24 ? 'Tous les jours' : `Toutes les ${hours} heures`} ; ${keep === 1 ? 'seule la dernière est gardée' : `les ${keep} dernières sont gardées`}.`,
  dir: 'Dossier',
  encryption: 'Chiffrement',
  encrypted:
    'Chiffrées. Sans la phrase secrète, les sauvegardes sont inutilisables : conservez-la aussi ailleurs.',
  notEncrypted:
    'Non chiffrées. Quiconque a ces fichiers a tous les secrets qu’ils contiennent : définissez BACKUP_PASSPHRASE_FILE.',
  whatToDo: (hours) =>
    `Corrigez cela sur le serveur. Everscan réessaie d’ici ${hours === 1 ? 'une heure' : `${hours} heures`} ; « ./everscan backup » crée une sauvegarde tout de suite.`,
  setUp: 'Aucune sauvegarde n’est faite',
  setUpText:
    'Si cette machine ou son disque tombe en panne, tous les codes et les scans sont perdus. Démarrez Everscan avec ces deux réglages et un dossier sur un autre disque ou une autre machine :',
  settings: 'BACKUP_DIR=/mnt/backup\nBACKUP_PASSPHRASE_FILE=/etc/everscan/passphrase',
  copySettings: 'Copier les réglages',
  setUpMore:
    'Écrivez une phrase secrète de votre choix dans la première ligne de ce fichier. Everscan fait alors une sauvegarde chaque jour. Voir docs/backup.md, fourni avec Everscan.',
  recent: 'Dernières sauvegardes',
  states: {
    MAKING: 'En cours',
    CHECKED: 'Complète',
    VERIFIED: 'Vérifiée',
    PARTIAL: 'Scans manquants',
    FAILED: 'Échec',
  },
  lost: (hits, days) =>
    `Scans du ${days} perdus : ${hits}. Ils manquent dans les statistiques et dans chaque sauvegarde faite maintenant.`,
  lostWhatToDo:
    'Restaurez une sauvegarde qui contient ces scans, ou acceptez la perte sur le serveur avec « ./everscan adopt losses ». D’ici là, les sauvegardes complètes plus anciennes sont conservées.',
  onMachine: (machine) => `Sur la machine ${machine}`,
  places: 'Lieux des scans',
  placesText:
    'Les pays et les villes viennent d’une base de données qui vieillit : les réseaux se déplacent. Pour des fichiers plus récents, définissez GEOIP_CITY_V4 et GEOIP_CITY_V6 et remplacez les fichiers chaque mois.',
  placesIpv4: 'Date des données IPv4',
  placesIpv6: 'Date des données IPv6',
  placesUnreadable: 'Le fichier est illisible : voyez le journal du serveur.',
  wrongNow: 'Ce qui ne va pas maintenant',
  history: 'Histoire de cette installation',
  noNotes: 'Rien d’inhabituel : aucun scan perdu, aucune donnée plus ancienne restaurée.',
  notes: {
    catalogueOlder: (minutes, written) =>
      `Un catalogue plus ancien d’environ ${written} ${plural(minutes, 'minute', 'minutes')} a été restauré. Tout le monde a dû se reconnecter.`,
    catalogueBehind: (hits) =>
      `Un catalogue plus ancien a été restauré. Scans de la base des scans qui lui manquaient : ${hits}. Tous sont de nouveau comptés.`,
    reservedThen: (codes, written) =>
      codes === 1
        ? 'Un code qui lui manquait est réservé.'
        : `${written} codes qui lui manquaient sont réservés.`,
    keysSince:
      'Le journal nomme les clés d’API révoquées, créées ou utilisées depuis. Les clés révoquées le restent.',
    scansDoubled: (hits) => `Scans en double dans la base des scans : ${hits}. Les doublons ont été retirés.`,
    countersCorrected: (scans) =>
      `Les totaux de scans de certains codes étaient faux de ${scans} en tout, et ont été corrigés.`,
    scansPutBack: (hits) => `Scans que la base des scans avait perdus : ${hits}. Tous ont été restaurés.`,
    scansLost: (hits, days) =>
      `Scans du ${days} définitivement perdus : ${hits}. Ils manquent dans les statistiques.`,
    days: (first, last) => `${first} au ${last}`,
    visitorKey:
      'La clé qui reconnaît les visiteurs a été remplacée : ceux qui revenaient ont compté une fois de plus comme uniques.',
    visitorsBy64:
      'Depuis, les visiteurs IPv6 sont reconnus par leur réseau : certains ont compté une fois de plus comme uniques.',
    adopted: (what) => `L’exploitant a repris d’une autre installation : ${what}.`,
    adoptedParts: {
      'data-dir': 'un répertoire de données',
      'scan-store': 'une base de scans',
      secret: 'un autre SECRET',
    },
    lossesAccepted: 'L’exploitant a accepté la perte de scans.',
    restored: (madeAt) => `Tout a été restauré à partir de la sauvegarde du ${madeAt}.`,
    moved: 'Tout a été transféré des bases intégrées vers PostgreSQL et ClickHouse.',
  },
  reserved: (codes, written) =>
    codes === 1
      ? 'Un code court qui était utilisé manque dans le catalogue restauré. Il ne sera jamais réattribué.'
      : `${written} codes courts qui étaient utilisés manquent dans le catalogue restauré. Ils ne seront jamais réattribués.`,
  mails: {
    title: 'E-mails envoyés',
    text: 'Invitations, demandes d’accord et e-mails de vues que des membres ont causés ces 90 derniers jours. Les adresses des destinataires ne sont pas conservées. Les retours ultérieurs vont à l’adresse d’expédition des e-mails.',
    none: 'Aucun e-mail de ce genre n’a été envoyé.',
    kinds: { invitation: 'Invitations', consent: 'Demandes d’accord', view: 'Chiffres de vues' },
    count: (count, written) => (count === 1 ? 'Un e-mail' : `${written} e-mails`),
    refused: (written) => `non acceptés par le serveur de messagerie\u00a0: ${written}`,
    to: (domain) => `à ${domain}`,
    deleted: 'Organisation supprimée',
    unknownSender: 'Expéditeur inconnu',
    stopped: 'Arrêtés',
    stop: 'Arrêter les e-mails',
    allow: 'Autoriser les e-mails',
    stopTitle: (name) => `Arrêter les e-mails de ${name}\u00a0?`,
    stopText:
      'Aucune invitation et aucun e-mail de vue ne sera plus envoyé. Les administrateurs de l’organisation voient que l’opérateur l’a fait. Les e-mails sur les comptes et les domaines continuent.',
  },
  release: (release) => `Version ${release}`,
}

const namedMax = 5

function listed(names: readonly string[]): string {
  const others = names.length - namedMax
  return inSentence(others <= 1 ? names : [...names.slice(0, namedMax), `${others} autres`])
}
