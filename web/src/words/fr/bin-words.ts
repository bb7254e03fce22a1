import { limits } from '@everscan/contract/schema/limits.ts'
import type { binWords as EnglishBin, deletionWords as EnglishDeletion } from '../bin-words.ts'
import { isOne, pluralsOf } from '../plurals.ts'

const plural = pluralsOf('fr')
const them = (codes: number, one: string, many: string) => (codes === 1 ? one : many)

/** French. */
export const binWords: typeof EnglishBin = {
  title: 'Corbeille',
  text: `Les codes supprimés restent ici ${limits.binDays} jours. Tant que vous n’en restaurez pas un, quiconque le scanne lit qu’il ne fonctionne plus.`,
  back: 'Retour aux codes',
  search: 'Rechercher par nom dans la corbeille',
  empty: {
    title: 'La corbeille est vide',
    text: `Les codes que vous supprimez restent ici ${limits.binDays} jours, pour que vous puissiez les récupérer.`,
  },
  nothingFound: {
    title: 'Aucun code supprimé trouvé',
    text: 'Aucun code de la corbeille ne porte ce nom.',
  },
  count: (codes, written) => plural(codes, `${written} code`, `${written} codes`),
  deletedBy: (age, who) => `Supprimé ${age} par ${who}`,
  daysLeft: (days) => (days <= 1 ? 'Moins d’un jour restant' : `${days} jours restants`),
  restore: 'Restaurer',
  restoreOne: (name) => `Restaurer ${name}`,
  restored: (codes, one) =>
    one ? `${codes} restauré : il fonctionne de nouveau` : `${codes} restaurés : ils fonctionnent de nouveau`,
  purge: 'Supprimer définitivement',
  purgeOne: (name) => `Supprimer ${name} définitivement`,
  purgeTitle: (what) => `Supprimer ${what} définitivement ?`,
  purgeText: (codes) =>
    `C’est irréversible. ${them(codes, 'Ce qui en est imprimé ne fonctionnera plus jamais, et son lien court ne sera', 'Ce qui en est imprimé ne fonctionnera plus jamais, et leurs liens courts ne seront')} jamais réutilisé${codes === 1 ? '' : 's'}.`,
  purged: (codes) => `${codes} ${isOne(codes) ? 'supprimé' : 'supprimés'} définitivement`,
}

export const deletionWords: typeof EnglishDeletion = {
  title: (what) => `Supprimer ${what} ?`,
  quoted: (name) => `« ${name} »`,
  scanned: (codes, scans, written) =>
    scans === 0
      ? `${them(codes, 'Il n’a pas été scanné', 'Ils n’ont pas été scannés')} ces 30 derniers jours.`
      : `${them(codes, 'Il a été scanné', 'Ils ont été scannés')} ${scans === 1 ? 'une fois' : `${written} fois`} ces 30 derniers jours.`,
  counting: 'Comptage des scans des 30 derniers jours…',
  notCounted: 'Les scans des 30 derniers jours n’ont pas pu être comptés.',
  effect: (codes) =>
    `Quiconque scanne une impression lira ${them(codes, 'qu’il ne fonctionne plus', 'qu’ils ne fonctionnent plus')}. Vous pouvez ${them(codes, 'le', 'les')} restaurer depuis la corbeille pendant ${limits.binDays} jours. Ensuite, ${them(codes, 'il disparaît', 'ils disparaissent')} pour de bon.`,
  archiveHint: (codes) =>
    `Pour ${them(codes, 'le', 'les')} arrêter un temps, archivez-${them(codes, 'le : il reste', 'les : ils restent')} dans votre liste, et vous pouvez ${them(codes, 'le', 'les')} réactiver à tout moment.`,
  archive: 'Archiver plutôt',
  delete: (codes) => `Supprimer ${codes}`,
  type: (written) => `Saisissez ${written} pour les supprimer`,
  deleted: (codes) => `${codes} ${isOne(codes) ? 'déplacé' : 'déplacés'} vers la corbeille`,
}
