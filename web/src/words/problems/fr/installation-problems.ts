import type { installationProblems as english } from '@everscan/contract/problems/installation-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { byMachines } from '../values.ts'

/** French. */
export const installationProblems = {
  processDown: 'Le processus ne fonctionne pas ou démarre.',
  processSilent: 'Le processus n’a pas donné signe depuis {seconds} s.',
  processMute: 'Le processus ne répond pas.',
  figuresCannotRun:
    '{package} exige {needs} et ne fonctionne pas sur cette machine ({reason}). Les codes redirigent, les scans attendent dans le journal et les statistiques échouent. Changez de machine ou définissez CLICKHOUSE_URL.',
  apiCannotRun:
    '{package} exige {needs} et ne fonctionne pas sur cette machine ({reason}). Les codes redirigent et les scans attendent dans le journal. L’API, le tableau de bord et les statistiques ne fonctionnent pas. Changez de machine.',

  catalogueUpgradeBegins: 'Le catalogue est mis à niveau.',
  catalogueCopied: 'Le catalogue est sauvegardé avant sa mise à niveau.',
  catalogueUpgrading:
    'Le catalogue est mis à niveau : {done} étapes sur {all} sont faites, maintenant {migration}.',
  catalogueUpgradedElsewhere: 'Un autre processus met le catalogue à niveau.',
  catalogueSilent: 'La base de données ne répond pas.',

  scanStoreSilent:
    'Le stockage des scans ne répond pas : les scans attendent dans le journal, et les statistiques échouent.',
  scanStoreUpgrading:
    'Le stockage des scans est mis à niveau : les scans attendent dans le journal, et les statistiques échouent.',
  scanStoreLater:
    'Une version plus récente a mis à niveau le stockage des scans (schéma {schema}, cette version connaît jusqu’à {known}). Utilisez cette version-là, ou restaurez une sauvegarde antérieure.',
  scanServerTooOld:
    'ClickHouse doit être en version {min} ou plus récente, et le serveur de CLICKHOUSE_URL est en {version}. Mettez-le à niveau.',
  scanStoreForeign:
    'Le stockage des scans appartient à l’installation {owner}, et le catalogue à {installation}. Restaurez le {dir} correspondant. Si c’est voulu : ./everscan adopt scan-store.',
  scanServerForeign:
    'Le stockage des scans appartient à l’installation {owner}, et le catalogue à {installation}. Indiquez la CLICKHOUSE_URL correspondante. Si c’est voulu : ./everscan adopt scan-store.',
  scanStoreOther:
    'Le stockage des scans n’est pas celui que le catalogue connaît. Restaurez le bon, ou adoptez celui-ci : ./everscan adopt scan-store.',
  scanStoreEmpty:
    'Le stockage des scans est vide, mais le catalogue y connaît des scans. Restaurez-le (un volume n’est-il pas monté ?), ou commencez avec celui-ci, qui récupère les scans des trois derniers jours : ./everscan adopt scan-store.',
  scanStoreSecond:
    'CLICKHOUSE_URL manque : cette base de données appartient à une machine avec son propre stockage des scans, et chacun des deux n’aurait qu’une partie des scans. Définissez CLICKHOUSE_URL sur toutes les machines. Si cette machine n’existe plus : ./everscan adopt scan-store.',
  scanStoreOld:
    'Les scans sont dans le stockage intégré d’une version antérieure. Arrêtez le service et transformez-les en fichiers de cette version : ./everscan upgrade-store. D’ici là, les codes redirigent, les scans attendent dans le journal et les statistiques sont indisponibles.',
  scanStoreRefused:
    'Le stockage des scans ne peut pas être utilisé. La cause est dans le journal du service.',
  rewriteStuck: 'Le stockage des scans ne peut pas continuer sa mise à niveau : {reason}.',
  rewriteUnderWay: ({ done, rows, minutes }) =>
    `Les anciennes lignes sont réécrites : ${done} sur ${rows}${minutes < 0 ? '' : `, encore ${minutes} min environ`}. Les codes redirigent, et les statistiques restent justes.`,
  scanPartsTroubled: ({ detached, broken, part, table, why }) =>
    `Des parties du stockage des scans sont détachées (${detached}) ou illisibles (${broken}), comme ${part} de ${table}${why === '' ? '' : ` (${why})`}. Voir docs/operations.md.`,
  hitsLost: ({ hits, firstDay, lastDay }) =>
    `Scans perdus du ${firstDay}${firstDay === lastDay ? '' : ` au ${lastDay}`} : ${hits}. Restaurez une sauvegarde qui les contient, ou acceptez la perte : ./everscan adopt losses.`,

  scansUnrecorded: 'Les scans ne sont pas enregistrés, ou pas écrits sur le disque.',
  journalNearlyFull:
    'Le journal des scans est presque plein : {percent} % de JOURNAL_MAX_BYTES sont occupés.',
  journalFilling: 'Le journal des scans se remplit : {percent} % de JOURNAL_MAX_BYTES sont occupés.',
  diskNearlyFull: 'Le disque de DATA_DIR est presque plein : {freeBytes} octets sur {sizeBytes} sont libres.',
  limitsUncounted:
    'Le catalogue n’a pas pu compter des réponses de codes limités. Données sans lui : {open}, refusées : {closed}.',

  ingestWaits: 'Les scans attendent le stockage des scans.',
  ingestStoreSilent: 'Les scans attendent dans le journal : le stockage des scans ne répond pas.',
  ingestStoreRefused: 'Les scans attendent dans le journal : le stockage des scans répond {code}.',
  ingestFileFailed: 'Les scans attendent dans le journal : un fichier ne peut pas être lu ou écrit ({code}).',
  ingestCatalogueSilent: 'Les scans attendent dans le journal : le catalogue ne répond pas.',
  ingestFailing: 'Les scans attendent dans le journal. La cause est dans le journal du service.',
  journalForeign:
    'Les journaux de {dir} appartiennent à l’installation {owner}. Sortez le dossier de DATA_DIR. Pour reprendre ses scans ici : ./everscan adopt data-dir.',
  ingestLate: 'Les statistiques ont {seconds} s de retard ({bytes} octets).',
  restoredUncounted:
    'Les scans de la sauvegarde restaurée sont comptés. D’ici là, les compteurs des codes sont en retard sur les statistiques.',

  geographyUnreadable:
    'Le fichier des villes pour IP{family} {path} ne peut pas être lu ({code}). Les lieux sont inconnus.',
  geographyKept:
    'Le fichier des villes pour IP{family} {path} ne peut pas être lu ({code}). L’ancien reste en service.',
  geographyOld: 'Les données des lieux sont du {day} et ont {days} jours.',

  certificatesFailing: ({ count, host, day, last, ...values }, sayOther) =>
    `Certificats qui n’ont pas pu être renouvelés : ${count}. Celui de ${host} expire le ${day}. ${sayOther(last, values)}`,

  settingDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `${value} sur ${on}`),
    ),
  secretDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `empreinte ${value} sur ${on}`),
    ),
  machineSilent:
    'La machine {machine} n’a pas donné signe depuis {since} et n’a pas été arrêtée. Les scans de son journal ne sont peut-être nulle part ailleurs. Redémarrez-la.',
} as const satisfies ProblemWords<typeof english>

const differing = (setting: string, parts: readonly string[]) =>
  `Le réglage ${setting} diffère entre les machines : ${parts.join(', ')}. Donnez à toutes la même valeur.`
