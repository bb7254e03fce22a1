import type { recordProblems as english } from '@everscan/contract/problems/record-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const recordProblems = {
  notTogetherWith: ({ fields }) => `Ce n’est pas possible avec ces champs : ${fields}.`,
  withoutRequired: 'Il faut pour cela {field}.',
  requiredUnless: 'Cette valeur est requise si {field} manque.',

  codeChangedSince: 'Le code QR a changé depuis la version d’If-Match. Lisez-le à nouveau.',
  codeChangedMeanwhile: 'Une autre requête a modifié le code QR. Lisez-le à nouveau.',
  codeKeepsChanging: 'D’autres requêtes ne cessent de modifier le code QR. Réessayez.',
  noSuchVersion: 'Ce code QR n’a pas de version {version}, ou elle n’est plus conservée.',
  metadataTooLarge: '{max} champs supplémentaires au plus ; avec ceux qui existent, il y en aurait {count}.',
  shortCodeAssignedNow: 'Le code court « {shortCode} » vient d’être attribué. Réessayez.',
  codeIsLost:
    'Le code QR n’a pas d’image : un autre code a le code court « {shortCode} » sur « {hostname} ». Choisissez d’abord un autre code court.',
  codeWaits:
    'Le code QR n’a pas encore d’image : il attend que « {hostname} » soit validé, et une impression ne fonctionnerait pas.',
  noSuchStyle: 'Ce style n’existe pas dans cette organisation : « {got} ».',
  noSuchCode: 'Ce code n’existe pas dans cette organisation.',
  noSuchCodes: 'Ces codes n’existent pas dans cette organisation.',
  noUtmValue: 'Il faut l’une de ces valeurs : {fields}.',

  folderNameTaken: 'Un autre dossier a ce nom ici. Choisissez-en un autre.',
  folderNamesMeet:
    'Un dossier de celui-ci a le même nom qu’un dossier du premier niveau. Renommez l’un d’eux, puis supprimez.',
  folderNotAtTop: 'Ce doit être un dossier du premier niveau : les dossiers n’ont qu’un niveau en dessous.',
  folderInItself: 'Ce doit être un autre dossier.',
  folderHasFolders:
    'Ce dossier contient des dossiers et reste donc au premier niveau : les dossiers n’ont qu’un niveau en dessous.',
  noSuchFolderOrNone: 'Ce doit être un dossier de cette organisation, ou « none ».',

  batchTooLarge: '{max} valeurs au plus, et il y en a {got}. Envoyez-les en plusieurs appels.',
  batchRejected: 'Rien n’a été traité : {failed} sur {count} n’étaient pas possibles.',
  changesNotAlone: 'Ce n’est pas possible avec « ids » ou « updates ».',
  requiredWithoutChanges: 'Cette valeur est requise sans « changes ».',
  sameCodeAsChange: 'C’est le même code que dans changes[{index}].',

  intervalTooFine: 'Pour cette période, day, week ou month sont possibles ; hour, pour {max} jours au plus.',
  tooManyDaysByHour:
    'Pour une période de {days} jours, day, week ou month sont possibles ; hour, pour {max} au plus.',
  tooManyIds: '{max} identifiants au plus, et il y en a {got}.',
  notDay: '« {got} » n’est ni une date ni un moment selon ISO 8601.',
  noCalendarDay: 'Cette date n’existe pas : « {got} ».',
  yearOutside: 'L’année doit être entre {min} et {max}, et non « {got} ».',
  startAfterEnd: 'Le début est après la fin : « {startDate} » et « {endDate} ».',
  startAfterToday: 'Sans fin, le début ne doit pas être après aujourd’hui ({today} à {timezone}).',
  notIpAddress: 'Ce n’est pas une adresse IPv4 ou IPv6.',
  moveBeingCompared: 'Ce transfert est en cours de comparaison. Attendez qu’elle soit finie.',
  webhookDisabled: 'Ce webhook est désactivé. Activez-le d’abord.',
} as const satisfies ProblemWords<typeof english>
