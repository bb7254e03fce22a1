import type { importsWords as English } from '../imports-words.ts'
import { isOne, pluralsOf } from '../plurals.ts'

const plural = pluralsOf('fr')
const agreed = (amount: string, participle: string, plurals: string) =>
  `${amount} ${isOne(amount) ? participle : plurals}`

/** French. */
export const importsWords: typeof English = {
  title: 'Import',
  text: 'Créez de nombreux codes d’un coup à partir d’un tableur : un fichier xlsx ou CSV.',
  viewer: 'Il faut le rôle d’éditeur pour importer. Les imports passés sont listés ici.',
  drop: 'Déposez un fichier xlsx ou CSV ici',
  choose: 'ou choisissez-en un',
  dropHint: (rows, megabytes) => `Jusqu’à ${rows} lignes et ${megabytes} Mo.`,
  another: 'Choisir un autre fichier',
  size: {
    kilobytes: (written) => `${written} ko`,
    megabytes: (written) => `${written} Mo`,
  },
  problems: {
    tooLarge: (megabytes) =>
      `Ce fichier dépasse ${megabytes} Mo. Divisez-le et importez les parties une par une.`,
    oldWorkbook:
      'C’est un ancien fichier Excel (xls). Enregistrez-le en xlsx ou CSV, et déposez ce fichier ici.',
    empty: 'Ce fichier est vide. Sa première ligne doit nommer les colonnes : voyez les modèles ci-dessous.',
    unreadable: 'Ce fichier n’est pas un CSV valide. Manque-t-il un guillemet (") quelque part ?',
  },
  type: 'Type des codes',
  typeGuessed: 'Reconnu aux colonnes du fichier.',
  style: 'Style',
  defaultStyle: 'Style par défaut',
  folder: 'Dossier',
  noFolder: 'Aucun dossier',
  folderHint: 'Pour les lignes qui ne nomment aucun dossier.',
  columns: 'Colonnes',
  inFile: 'Dans votre fichier',
  firstValues: 'Premières valeurs',
  becomes: 'Devient',
  columnOf: (name) => `Devient, pour « ${name} »`,
  chooseColumn: 'Choisir…',
  ignore: 'Ignorer cette colonne',
  extraField: (key) => `Champ supplémentaire « ${key} »`,
  required: '* Obligatoire.',
  repeatedColumn: 'Une autre colonne devient la même chose.',
  noName: '(sans nom)',
  unknownColumns: (columns) =>
    columns === 1
      ? 'Dites ce que devient la colonne marquée, ou ignorez-la.'
      : `Dites ce que deviennent les ${columns} colonnes marquées, ou ignorez-les.`,
  ignoreUnknown: (columns) => (columns === 1 ? 'L’ignorer' : `Ignorer les ${columns}`),
  missingColumns: (type, names) =>
    `« ${type} » a aussi besoin de : ${names}. Choisissez la colonne qui le contient, ou un autre type ci-dessus.`,
  checking: 'Vérification de chaque ligne. Rien n’est encore créé.',
  allFine: (rows, written) =>
    rows === 1
      ? 'La ligne est valide. Rien n’est encore créé.'
      : `Les ${written} lignes sont valides. Rien n’est encore créé.`,
  noRows: 'Il n’y a aucune ligne sous les noms des colonnes.',
  someFine: (fine, wrong, written) =>
    `Valides : ${fine}. ${wrong === 1 ? '1 ligne a' : `${written} lignes ont`} un problème. Corrigez ce que vous voulez garder : le reste est ignoré.`,
  noneFine: 'Aucune ligne ne peut être importée telle quelle. Corrigez les lignes ci-dessous.',
  rows: (rows, written) => plural(rows, `${written} ligne`, `${written} lignes`),
  start: (codes) => `Importer ${codes}`,
  codes: (codes, written) => plural(codes, `${written} code`, `${written} codes`),
  errors: {
    title: 'Lignes avec des problèmes',
    hint: 'Saisissez les bonnes valeurs ici : inutile de modifier le fichier. Entrée passe à la suivante.',
    line: (written) => `Ligne ${written}`,
    tooLong: 'Elle est trop longue pour être corrigée ici : téléchargez-la.',
    showMore: (written) => `Afficher plus (${written})`,
    more: (written) => `et ${written} de plus, toutes dans le téléchargement`,
    checkAgain: 'Vérifier de nouveau',
    discard: 'Abandonner mes modifications',
    importRepaired: (rows) =>
      rows === 1 ? 'Importer 1 ligne corrigée' : `Importer ${rows} lignes corrigées`,
    download: 'Télécharger ces lignes',
  },
  job: {
    back: 'Importer un autre fichier',
    pending: 'En attente de démarrage…',
    running: (done, of) => `Lignes : ${done} sur ${of}`,
    progress: 'Progression de l’import',
    cancel: 'Arrêter l’import',
    cancelTitle: 'Arrêter cet import ?',
    cancelText: 'Les codes déjà créés restent. Les lignes restantes ne sont pas importées.',
    checked: (rows) => `Vérification seule : ${agreed(rows, 'valide', 'valides')}`,
    validRows: (rows) => agreed(rows, 'valide', 'valides'),
    faulty: (rows) => `${rows} avec des problèmes`,
    checkStopped: (rows) => `Vérification arrêtée : ${agreed(rows, 'valide', 'valides')}`,
    nothingMade: 'Aucun code n’a été créé.',
    showRepaired: 'L’afficher',
    completed: (codes) => agreed(codes, 'importé', 'importés'),
    rejected: (rows) => agreed(rows, 'ignorée', 'ignorées'),
    cancelled: (codes) => `Arrêté après ${codes}`,
    failed: 'Cet import a échoué',
    show: 'Afficher les codes',
    noFile: 'Fichier sans nom',
  },
  templates: 'Modèles',
  templatesText: 'Un fichier avec les bonnes colonnes et une ligne d’exemple, pour chaque type de code.',
  template: (type) => `Modèle pour ${type}`,
  history: 'Imports passés',
  noHistory: 'Vos imports seront listés ici.',
  statuses: {
    PENDING: 'En attente',
    PROCESSING: 'En cours',
    COMPLETED: 'Terminé',
    FAILED: 'Échec',
    CANCELLED: 'Arrêté',
  },
  checked: 'Vérification seule',
  repairOf: 'Corrige un import précédent',
}
