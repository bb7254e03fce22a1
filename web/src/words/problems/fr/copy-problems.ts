import type { copyProblems as english } from '@everscan/contract/problems/copy-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const copyProblems = {
  backupDirMissing:
    'Le dossier {dir} de BACKUP_DIR n’existe pas. Montez-le, ou créez-le pour l’utilisateur du service.',
  backupDirNoFolder: 'BACKUP_DIR {dir} n’est pas un dossier. Indiquez un dossier.',
  backupDirUnwritable:
    'L’utilisateur du service ne peut pas écrire dans {dir} de BACKUP_DIR. Donnez-lui ce droit.',
  passphraseFileUnreadable:
    'Le fichier {path} de BACKUP_PASSPHRASE_FILE ne peut pas être lu. D’ici là, aucune sauvegarde n’est faite, car elle ne serait pas chiffrée.',
  copyAbandoned:
    'Le processus qui y travaillait sur {machine} s’est arrêté avant la fin. Lisez le journal, et vérifiez la mémoire de la machine.',
  copyDiffers: 'La sauvegarde restaurée est différente : {difference}.',
  copyCommandFailed: 'La commande dit : {reason}.',
  copyNotMade: ({ last, ...values }, sayOther) =>
    `Aucune sauvegarde n’a pu être faite. ${sayOther(last, values)}`,
  copyNotVerified: ({ copy, last, ...values }, sayOther) =>
    `La sauvegarde ${copy} n’a pas pu être vérifiée. ${sayOther(last, values)}`,
  copyFailed: 'La dernière sauvegarde a échoué. La cause est dans le journal du service.',
  copyLacksScans: ({ hits, firstDay, lastDay, writer, scans, machines, damagedBytes }) => {
    const lacks = [
      ...(hits > 0
        ? [`scans ${period(firstDay, lastDay)} : ${hits}${writer === '' ? '' : ` (de ${writer})`}`]
        : []),
      ...(scans > 0 ? [`scans d’autres machines qui ne sont pas arrivés : jusqu’à ${scans}`] : []),
      ...(machines === '' ? [] : [`peut-être des scans de ${machines}`]),
      ...(damagedBytes > 0 ? [`octets endommagés des journaux de cette machine : ${damagedBytes}`] : []),
    ]
    return `Il manque des données à la dernière sauvegarde : ${lacks.join(' ; ')}. Vérifiez que chaque machine fonctionne et atteint le stockage des scans. Pour les scans perdus, ./everscan doctor en dit plus.`
  },
  copyMissing: ({ hours }) =>
    `Aucune sauvegarde n’a été faite depuis ${span(hours)}. La cause est dans le journal du service.`,
  copyOld: ({ hours, everyHours }) =>
    `La dernière sauvegarde date d’il y a ${span(hours)}, et il en faut une toutes les ${everyHours} h. La cause est dans le journal du service.`,
  copyUnverified: ({ hours }) =>
    `Aucune sauvegarde n’a été vérifiée depuis ${span(hours)}. La cause est dans le journal du service.`,
  copyHasFewer:
    'La sauvegarde a moins de scans que {before}, et RETENTION_DAYS ne les a pas supprimés. Il en manque : {hits}. Gardez l’ancienne jusqu’à ce que vous sachiez pourquoi.',
  copiesNotScheduled: 'Aucune sauvegarde n’est planifiée. Réglez BACKUP_DIR.',
} as const satisfies ProblemWords<typeof english>

const span = (hours: number) => (hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} jours`)
const period = (first: string, last: string) => (first === last ? `du ${first}` : `du ${first} au ${last}`)
