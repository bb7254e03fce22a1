import type { archiveProblems as english } from '@everscan/contract/problems/archive-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const archiveProblems = {
  organizationNotEmpty:
    'Une archive ne remplit qu’une organisation vide, et celle-ci contient déjà quelque chose.',
  importNotEnded: 'Cette organisation a une importation en cours. Attendez qu’elle se termine.',
  organizationChangedNow: 'L’organisation de cette installation vient de changer. Réessayez.',
  linesNotTaken:
    'Lignes de l’archive qui ne peuvent pas être reprises : {count}. Rien n’a été écrit. Répétez avec leaveOut=true pour importer le reste.',

  archiveLines: '{max} lignes au plus, sans compter celles des visites (archiveLinesMax).',
  archiveFolders: '{max} dossiers au plus (archiveFoldersMax).',
  archiveStyles: '{max} styles au plus (archiveStylesMax).',
  archiveTags: '{max} mots-clés différents au plus (archiveTagsMax).',
  archiveRefusals: '{max} lignes qui ne peuvent pas être reprises au plus (archiveRefusalsMax).',
  archiveSeconds: 'La lecture dure {max} secondes au plus (archiveSecondsMax).',
  archiveHeap: '{max} Mo de contenu en mémoire au plus pendant la vérification (archiveHeapMegabytesMax).',

  notZip: 'Ce doit être une archive zip entière.',
  zipFileDamaged: 'Ce doit être une archive zip entière ; {file} est endommagé.',
  zipUnpacksTooLarge: '{max} Gio au plus une fois décompressée.',
  archiveLineTooLong: 'Une ligne a {max} Mio au plus ; la ligne {line} de {file} est plus longue.',
  notArchive: 'Ce doit être l’archive d’une organisation, avec organization.json.',
  aboutUnreadable: 'Son fichier organization.json ne peut pas être lu : {field}.',
  aboutWithoutTimes: 'Son fichier organization.json n’a pas de moments valides.',
  aboutWithStrangeLogo: 'Son fichier organization.json a un logo qu’Everscan n’enregistre pas.',
  archiveTooNew:
    'L’archive est au format {got}, et cette version lit jusqu’à {max}. Mettez d’abord Everscan à jour.',

  notJsonObject: 'Ce n’est pas un objet JSON.',
  tooManyInOrganization: 'Une organisation en a {max} au plus.',
  notTopFolder: 'Ce n’est pas un dossier du premier niveau.',
  nameOfSibling: 'Un autre dossier au même endroit a déjà ce nom.',
  otherDefaultStyle: 'Un autre style est celui par défaut.',
  otherDefaultDomain: 'Un autre domaine est celui par défaut.',
  ofEarlierLine: 'Une ligne précédente l’a déjà.',
  codeOfEarlierLine: '« {shortCode} » figure déjà dans une ligne précédente.',
  notStoredLogo: 'Ce n’est pas un logo comme Everscan les enregistre.',
  noDomainOfArchive: 'Ce n’est pas un domaine de l’archive.',
  noFolderOfArchive: 'Ce n’est pas un dossier de l’archive.',
  noCodeOfArchive: 'Ce n’est pas un code de l’archive.',
  hitsOfNoCode: 'Ce n’est pas un code de l’archive (visites dans ce fichier : {count}).',
  notPasswordHash: 'Ce n’est pas une empreinte Argon2id de la taille habituelle.',
  pictureTooSmall: 'L’image est trop petite pour l’URL courte dans ce style.',
  versionNotBefore: 'Ce doit être inférieur à la ligne précédente.',
  versionTooOld: 'C’est plus ancien que l’historique.',

  notScanArray: 'Ce doit être une liste de {count} valeurs.',
  strangeScanValue: 'Aucun scan n’a la valeur de {column}.',
  closedHitNotOfBot: 'Une visite avec isClosed doit être de la classe « bot ».',
  scanInFuture: 'Le moment timeMs est dans le futur.',

  scanStoreAway: 'Le stockage des scans ne répond pas. L’importation continue dès qu’il répond.',
  stepFails:
    'Une étape a échoué plusieurs fois et est répétée chaque minute. Le journal du service en a la cause.',
  lineRefused: 'Cette ligne ne peut pas être reprise : {reason}',
} as const satisfies ProblemWords<typeof english>
