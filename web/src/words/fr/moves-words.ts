import type { movesWords as English } from '../moves-words.ts'
import { pluralsOf } from '../plurals.ts'

const plural = pluralsOf('fr')
const agreed = (links: string, one: string, other: string) => `${links} ${links.endsWith('s') ? other : one}`

/** French. */
export const movesWords: typeof English = {
  title: 'Transférer depuis un autre service',
  text: 'Transférez vos liens avec leurs codes courts, noms, mots-clés, dates et clics passés. Tout ce qui est imprimé continue de fonctionner.',
  back: 'Tous les imports',
  viewer: 'Il faut le rôle d’éditeur pour transférer des liens. Les transferts passés sont listés ici.',
  offer: {
    title: 'Vous venez d’un autre service ?',
    text: 'Transférez les liens de Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly ou de tout autre produit, avec les codes courts déjà imprimés.',
    action: 'Transférer depuis un autre service',
  },
  products: {
    bitly: 'Bitly',
    dub: 'Dub',
    kutt: 'Kutt',
    shlink: 'Shlink',
    yourls: 'YOURLS',
    shortio: 'Short.io',
    rebrandly: 'Rebrandly',
    csv: 'Un autre produit',
  },
  exports: {
    bitly: 'Dans Bitly, ouvrez « Links », puis « Export ». Le fichier CSV arrive par e-mail.',
    dub: 'Dans Dub, ouvrez « Links », puis « Export links ». Choisissez short link, destination URL, title, tags, created at et clicks.',
    kutt: 'Kutt n’a pas d’export. Enregistrez les réponses de son API (/api/v2/links) dans un fichier JSON.',
    shlink: 'Dans le client web de Shlink, utilisez « Export » au-dessus de la liste des URL courtes.',
    yourls: 'YOURLS n’a pas d’export. Prenez la table yourls_url de sa base de données, en CSV.',
    shortio: 'Dans Short.io, exportez les liens d’un domaine en CSV.',
    rebrandly: 'Rebrandly fournit ses liens en JSON (/v1/links). Enregistrez-les dans un seul fichier.',
    csv: 'Un fichier CSV avec les colonnes shortCode et url et, si vous les avez, title, tags, createdAt et clicks.',
  },
  fields: {
    shortCode: 'Code court',
    destination: 'Destination',
    title: 'Nom',
    tags: 'Mots-clés',
    createdAt: 'Créé',
    clicks: 'Clics passés',
  },
  links: (count, written) => plural(count, `${written} lien`, `${written} liens`),
  steps: {
    list: 'Étapes du transfert',
    change: 'Modifier',
    changeLabel: (step) => `Modifier : ${step}`,
    done: 'Terminé',
    product: 'Dans quel service sont vos liens ?',
    target: 'Quel nom d’hôte est imprimé ?',
    file: (product) => `L’export de ${product}`,
    anyFile: 'L’export de l’autre produit',
    check: 'Ce qui sera transféré',
  },
  target: {
    text: 'Les codes ne continuent de fonctionner que sur le nom d’hôte avec lequel ils sont imprimés.',
    installation: 'L’adresse de cette installation',
    installationText:
      'Pour de nouvelles impressions, ou si l’ancien nom d’hôte est désormais l’adresse de cette installation.',
    exact:
      'Majuscules et minuscules comptent : aBc et abc sont deux codes, comme dans la plupart des autres produits.',
    canonical:
      'Majuscules et minuscules sont équivalentes. Si des codes ne diffèrent que par la casse, un seul peut être transféré.',
    pending: 'Les codes attendent sa validation, et ne répondent pas avant.',
    prove: (hostname) => `Valider ${hostname}`,
    missing: 'Le nom d’hôte imprimé n’est pas dans cette liste ?',
    add: 'Ajoutez-le comme domaine',
    addText:
      'Indiquez-y que majuscules et minuscules comptent, et validez-le. D’ici là, l’ancien service continue de répondre.',
    askAdmin:
      'Demandez à un administrateur de l’ajouter comme domaine, avec « Majuscules et minuscules comptent ».',
    hosted:
      'Un nom d’hôte de l’autre service, comme bit.ly, ne peut pas être transféré : il n’est pas à vous.',
    loading: 'Recherche de vos domaines…',
  },
  file: {
    drop: 'Déposez l’export ici',
    choose: 'ou choisissez-le',
    hint: (csv, json, rows) => `CSV jusqu’à ${csv} Mo, ou JSON jusqu’à ${json} Mo ; jusqu’à ${rows} liens.`,
    comes: 'Ce qui est transféré, et ce qui ne l’est pas',
    problems: {
      tooLarge: (megabytes) =>
        `Ce fichier dépasse ${megabytes} Mo. Divisez-le, ou utilisez la commande sur le serveur.`,
      jsonTooLarge: (megabytes) =>
        `Un fichier JSON peut avoir jusqu’à ${megabytes} Mo. Divisez-le, ou exportez les liens en CSV.`,
      empty: 'Ce fichier n’a pas de liens. Sa première ligne doit nommer les colonnes.',
      unreadable: 'Ce fichier n’est ni du CSV ni du JSON. Manque-t-il un guillemet (") quelque part ?',
      workbook: 'C’est un classeur. Enregistrez-le en CSV, et déposez ce fichier ici.',
    },
  },
  visits: {
    title: 'Visites une par une',
    hint: 'Un second fichier, si vous l’avez : le journal de YOURLS ou les visites de Shlink. Les visites des liens transférés deviennent des scans.',
    choose: 'Choisir le fichier des visites',
    remove: 'Ne pas l’envoyer',
    can: (scans, written) =>
      scans === 1 ? '1 visite peut devenir un scan' : `${written} visites peuvent devenir des scans`,
    came: (scans, written) =>
      scans === 1 ? '1 visite est devenue un scan' : `${written} visites sont devenues des scans`,
    bots: (bots, written) => (bots === 1 ? '1 venait d’un robot' : `${written} venaient de robots`),
    skippedCheck: (written) => `${written} non`,
    skipped: (written) => `${written} non transférées`,
    columns: 'Colonnes des visites',
    fields: {
      code: 'Lien',
      time: 'Heure',
      userAgent: 'Navigateur et système',
      referrer: 'Provenance',
      country: 'Pays',
      region: 'Région',
      city: 'Ville',
      bot: 'Robot ou non',
    },
    unreadable: 'Visites illisibles',
    running: (done, of) => `${done} sur ${of} visites`,
  },
  columns: {
    title: 'Colonnes',
    text: 'Reconnues à leurs noms. Changez ce qui est faux.',
    field: 'Ici',
    inFile: 'Colonne du fichier',
    firstValue: 'Première valeur',
    columnOf: (field) => `Colonne pour « ${field} »`,
    none: 'Aucune colonne',
    choose: 'Choisir…',
    both: (first, second) => `${first}, sinon ${second}`,
    missing: (field) => `Chaque lien en a besoin : choisissez la colonne pour « ${field} ».`,
  },
  preview: {
    title: 'Les premiers liens, tels qu’ils seront',
    cannot: 'Ne peut pas être transféré',
    noCode: '(aucun code court)',
    clicks: (clicks, written) => plural(clicks, `${written} clic passé`, `${written} clics passés`),
    leadsTo: 'mène à',
  },
  check: {
    resolve: 'Visiter chaque destination',
    resolveHint:
      'Le service ouvre chaque destination et signale celles qui n’ont pas de page. Il faut environ une seconde pour cinq liens d’un même site web.',
    action: 'Vérifier tous les liens',
    looking: (done, of) => `Visite des destinations : ${done} sur ${of}. Rien n’est créé.`,
    text: 'La vérification lit tout le fichier. Rien n’est créé.',
    sending: (share) => `Envoi du fichier : ${share}`,
    checking: (done, of) => `Vérification des liens : ${done} sur ${of}. Rien n’est créé.`,
    allFine: (links, written) =>
      links === 1
        ? 'Le lien peut être transféré. Rien n’est encore créé.'
        : `Les ${written} liens peuvent être transférés. Rien n’est encore créé.`,
    someFine: (fine, wrong) =>
      `${agreed(fine, 'peut être transféré', 'peuvent être transférés')}, ${wrong} non. Rien n’est encore créé.`,
    noneFine: 'Aucun lien ne peut être transféré tel quel.',
    exact:
      'La plupart de ces codes conviennent à un domaine où majuscules et minuscules comptent. Choisissez-en un, ou ajoutez-en un, à l’étape « Quel nom d’hôte est imprimé ? ».',
    start: (links) => `Transférer ${links}`,
    progress: 'Progression de la vérification',
  },
  problems: {
    title: 'Liens qui ne peuvent pas être transférés',
    titleAfter: 'Liens qui n’ont pas pu être transférés',
    warnings: 'Destinations sans page',
    warningsText: 'Ces liens sont transférés quand même. Vous pourrez changer leurs destinations ici.',
    line: (written) => `Ligne ${written}`,
    more: (written) => `Afficher ${written} de plus`,
    beyond: (written) => `et ${written} de plus, tous dans le téléchargement`,
    download: 'Les télécharger avec les raisons',
  },
  job: {
    back: 'Transférer d’autres liens',
    running: (done, of) => `Liens : ${done} sur ${of}`,
    progress: 'Progression du transfert',
    cancel: 'Arrêter le transfert',
    cancelTitle: 'Arrêter ce transfert ?',
    cancelText: 'Les liens déjà arrivés restent. Les autres ne sont pas transférés.',
    leave: 'Vous pouvez quitter cette page. Le transfert continue.',
    completed: (links) => agreed(links, 'transféré', 'transférés'),
    checked: (links) => `Vérification : ${agreed(links, 'peut être transféré', 'peuvent être transférés')}`,
    refused: (links) => agreed(links, 'non transféré', 'non transférés'),
    refusedCheck: (links) => `${links} non`,
    cancelled: (links) => `Arrêté après ${links}`,
    failed: 'Ce transfert a échoué',
    checkOnly: 'Vérification seule',
    statuses: {
      PENDING: 'En attente',
      PROCESSING: 'En cours',
      COMPLETED: 'Terminé',
      FAILED: 'Échec',
      CANCELLED: 'Arrêté',
    },
  },
  plan: {
    title: 'Un domaine sans interruption',
    steps: [
      [
        'Valider le domaine',
        'Ajoutez-le avec « Majuscules et minuscules comptent », et créez l’enregistrement TXT. Les scans continuent d’arriver à l’ancien service.',
      ],
      [
        'Obtenir son certificat',
        'Avant de changer le DNS, pour que les téléphones n’affichent aucun avertissement.',
      ],
      ['Transférer les liens', 'Sur cette page : rien ne change pour les personnes qui scannent.'],
      ['Comparer', '200 liens sont demandés aux deux services, et ceux qui diffèrent sont listés.'],
      [
        'Basculer le DNS',
        'Faites mener le nom d’hôte ici. Gardez l’ancien compte jusqu’à ce que tout soit sûr.',
      ],
    ],
    domains: 'Ouvrir les domaines',
  },
  next: {
    title: 'La suite',
    hosted: (hostname) =>
      `Les scans de ${hostname} arrivent encore là où mène son DNS. Une fois les liens comparés, basculez-le : ses enregistrements sont dans les paramètres.`,
    waits: (hostname) =>
      `Les codes et leurs visites attendent la validation de ${hostname}, et ne répondent pas avant. Créez son enregistrement, puis comparez ici les liens.`,
    installation: 'Imprimez de nouveaux codes, ou faites mener les anciens liens aux nouveaux.',
    domains: 'Enregistrements à créer',
  },
  compare: {
    title: 'Comparer avec l’ancien service',
    text: (links) =>
      `Vérifie, pour ${links} de ce transfert, où mène l’ancien service, et si la destination est la même ici. Comparez avant de basculer le DNS. L’ancien service peut compter ces requêtes comme des clics.`,
    sample: (written) => `${written} liens au hasard`,
    all: (links, written) => (links === 1 ? 'le seul lien' : `les ${written} liens`),
    baseUrl: 'Adresse de l’ancien service',
    baseUrlHint:
      'Seulement s’il ne répond pas aux URL courtes du fichier, par exemple https://old.example.com.',
    start: 'Comparer',
    again: 'Comparer de nouveau',
    running: (done, of) => `Liens comparés : ${done} sur ${of}`,
    progress: 'Progression de la comparaison',
    allSame: (links, written) =>
      links === 1
        ? 'Le lien mène à la même adresse dans les deux services.'
        : `Les ${written} liens mènent à la même adresse dans les deux services.`,
    different: (count, of) => `Liens qui ne mènent pas à la même adresse : ${count} sur ${of}.`,
    failed: 'La comparaison a échoué.',
    list: 'Liens qui diffèrent',
    there: 'Ancien service',
    here: 'Ici',
    noRedirect: 'aucune redirection',
    status: (status) => `aucune redirection (statut ${status})`,
  },
  history: 'Transferts passés',
  noHistory: 'Vos transferts seront listés ici.',
}
