import type { accessWords as English } from '../access-words.ts'
import { isOne } from '../plurals.ts'

/** French. */
export const accessWords: typeof English = {
  title: 'Accès',
  intro:
    'Quand ce code est ouvert, combien de fois et pour qui. Cela s’applique aussitôt, sans nouvelle image.',
  states: {
    LIVE: 'Ouvert',
    SCHEDULED: 'Pas encore ouvert',
    ENDED: 'Expiré',
    FULL: 'Épuisé',
    ARCHIVED: 'Archivé',
  },
  opens: 'Ouverture',
  ends: 'Fin',
  timesHint: (zone) => `Vide : sans limite de temps. Les heures sont celles de ${zone}.`,
  limit: 'Nombre de scans',
  limitHint: 'Vide : sans limite. Les robots et les aperçus ne comptent pas.',
  count: (count, limit) => `${count} sur ${limit} à ce jour`,
  reset: 'Repartir de zéro',
  resetTitle: 'Repartir de zéro ?',
  resetText: (count) =>
    `Les scans faits jusqu’ici (${count}) ne comptent plus pour la limite. Les chiffres des statistiques restent.`,
  resetDone: 'Le compte repart de zéro.',
  cancel: 'Annuler',
  whenUnknown: 'Si le compte est momentanément indisponible',
  unknownAnswers: { open: 'Rester ouvert et compter après', closed: 'Fermer' },
  password: 'Mot de passe',
  passwordHint: 'Les visiteurs doivent le saisir. Il ne sera plus jamais affiché.',
  passwordShort: (days) =>
    `Celui-ci est court : un programme qui essaie depuis de nombreux réseaux le trouve en ${days} ${isOne(days) ? 'jour' : 'jours'} environ. Huit lettres et chiffres résistent de nombreuses années.`,
  passwordSet: 'Les visiteurs doivent saisir un mot de passe.',
  passwordChange: 'Changer le mot de passe',
  passwordRemove: 'Retirer le mot de passe',
  passwordRemoved: 'Le mot de passe sera retiré à l’enregistrement.',
  passwordKeep: 'Garder le mot de passe',
  newPassword: 'Nouveau mot de passe',
  closed: 'Ce que voient les visiteurs tant qu’il est fermé',
  closings: {
    page: 'Une page qui dit pourquoi',
    message: 'Une page avec mon message',
    url: 'Une autre adresse',
  },
  message: 'Message',
  url: 'Adresse',
  urlHint: 'Par exemple https://example.com/bientot',
  save: 'Enregistrer l’accès',
  discard: 'Abandonner',
  saved: 'Accès enregistré.',
  undone: 'L’accès est de nouveau comme avant.',
  late: 'Quelqu’un d’autre a modifié ce code. Son accès actuel est affiché ; refaites votre modification.',
}
