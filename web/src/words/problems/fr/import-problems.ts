import type { importProblems as english } from '@everscan/contract/problems/import-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const importProblems = {
  moveNotEnded: 'Le transfert n’est pas terminé. Comparez quand tous les liens sont ici.',
  moveWithoutLinks: 'Ce transfert n’a pas de liens à comparer.',
  linksWaitForDomain:
    'Les liens de ce transfert attendent que {hostname} soit validé. Créez d’abord son enregistrement TXT.',
  oldServiceMissing: 'Le fichier n’a pas d’URL courtes. Indiquez à quelle adresse l’ancien service répond.',
  fileWithoutRows: 'Le fichier n’a pas de ligne sous celle qui nomme les colonnes.',
  columnNotThere: 'Le fichier n’a pas la colonne « {column} ».',
  columnTwice: 'Le fichier a deux fois la colonne « {column} ».',
  unnamedColumnTwice: 'Le fichier a deux colonnes sans nom.',
  columnMissing: 'La colonne « {column} » manque.',
  strangeColumn: 'La colonne « {column} » n’existe pas pour {type}.',
  strangeMetadataColumn:
    'La colonne « {column} » a un nom de champ supplémentaire qui n’a pas 1 à 50 caractères.',
  unnamedColumn: 'Le fichier a une colonne sans nom, qui n’existe pas pour {type}.',
  repairBeyond: 'Le fichier n’a pas de ligne {row}, mais {rows} lignes.',
  noSuchImport: 'Cette importation n’existe pas dans cette organisation : « {got} ».',
  tooManyCells: 'La ligne a plus de cellules que le fichier n’a de colonnes.',
  tooManyBytes: '{max} octets au plus.',
  sameCodeInLine: '« {shortCode} » figure aussi à la ligne {line}. Choisissez autre chose.',
  domainNotProved: '« {hostname} » n’est pas encore validé. Créez d’abord son enregistrement TXT.',
  notOwnDomain: 'Ce doit être un domaine validé de cette organisation, ou « {publicHost} ».',
  notDateOrTime: 'Écrivez une date ou un moment, comme 2026-01-31 ou 2026-01-31T09:30:00Z.',
  inFuture: 'Ce moment ne doit pas être dans le futur.',
  before1970: 'Ce moment ne doit pas être avant 1970.',
  sameCodeAsLine: '« {shortCode} » figure aussi à la ligne {line}. Choisissez autre chose.',
  codeAssignedHere: '« {shortCode} » est déjà pris ici. Choisissez autre chose.',
  domainGone: 'Le domaine {hostname} n’existe plus.',

  fileEmpty: 'Le fichier est vide ; sa première ligne doit nommer les colonnes.',
  tooManyColumns: 'Un fichier a {max} colonnes au plus.',
  tooManyRows: '{max} lignes au plus. Divisez le fichier et envoyez les parties l’une après l’autre.',
  fileNotText:
    'Ce doit être un fichier CSV, mais ce n’est pas du texte (il contient des octets nuls). Exportez la feuille de calcul en CSV.',
  mixedEncodings:
    'Le fichier commence en {encoding} et continue dans un autre codage. Enregistrez-le en UTF-8.',
  quoteNotClosed: 'Un guillemet n’est jamais fermé, dans la rangée qui commence à la ligne {line}.',
  rowTooLong: 'La rangée qui commence à la ligne {line} dépasse {max} Mio.',
  notCsv: 'Le fichier n’est pas lisible comme CSV : {reason}.',
  notSheetFile: 'Ce doit être un fichier CSV ou xlsx, et non {got}.',
  oldWorkbook: 'C’est un ancien classeur (xls). Enregistrez-le en xlsx ou en CSV.',
  notWorkbook: 'Ce fichier n’est pas lisible comme classeur. Enregistrez-le à nouveau en xlsx, ou en CSV.',
  sheetTooLarge:
    'La feuille est trop grande : décompressé, un fichier peut avoir {max} Mo. Enregistrez la feuille en CSV.',
  sheetWithTooMuchText:
    'Les cellules de la feuille ont plus de {max} Mo de texte. Divisez-la et envoyez les parties l’une après l’autre.',
  importEnded: 'Cette importation est déjà terminée ({status}) et ne peut plus être annulée.',
  rowsNotImported: 'Les lignes restantes n’ont pas pu être importées. Le journal du service en a la cause.',

  fileWithoutLinks: 'Le fichier n’a pas de liens.',
  jsonWithoutLinks: 'Le fichier n’a pas de liste de liens.',
  notJson: 'Le fichier n’est pas lisible comme JSON.',
  jsonTooLarge: 'Un fichier JSON a {max} Mo au plus. Divisez-le, ou exportez les liens en CSV.',
  tooManyVisits: '{max} visites au plus.',
  fileWithoutVisits: 'Le fichier n’a pas de visites. Omettez-le s’il n’y en a pas.',
  mappingNotJson: 'Ce doit être du JSON.',
  mappingNotObject: 'Ce doit être un objet de champs.',
  tooManyLinksToLookAt:
    'Les destinations de {max} liens au plus sont examinées, et le fichier en a {got}. Omettez-le, ou divisez le fichier.',
  linksNotMoved: 'Les liens restants n’ont pas pu être transférés. Le journal du service en a la cause.',
  visitsNotMoved: 'Les visites restantes n’ont pas pu être transférées. Le journal du service en a la cause.',
} as const satisfies ProblemWords<typeof english>
