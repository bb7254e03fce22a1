import type { mailProblems as english } from '@everscan/contract/problems/mail-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const mailProblems = {
  mailRefusedTriedAgain:
    'Le serveur de messagerie n’a pas accepté l’e-mail pour {addresses}. Une nouvelle tentative est prévue.',
  mailRefused: 'Le serveur de messagerie n’a pas accepté l’e-mail pour {addresses}. Tentatives : {attempts}.',
  figuresUnreadTriedAgain: 'Les chiffres n’ont pas pu être lus. Une nouvelle tentative est prévue.',
  figuresUnread: 'Les chiffres n’ont pas pu être lus. Tentatives : {attempts}.',
  codeOfViewDeleted: 'Rien n’a été envoyé : le code de cette vue a été supprimé.',
  viewMailsUsedUp:
    'Adresses sans cet e-mail : {unsent} sur {addresses}. L’organisation a envoyé {max} e-mails de vues aujourd’hui, ce qui est le maximum.',
  mailsStopped:
    'Rien n’a été envoyé : l’exploitant de cette installation a arrêté les e-mails de votre organisation.',
  restWaitsForAccount:
    'Le reste attend demain : la personne qui a configuré l’e-mail a atteint le maximum d’e-mails par jour.',
  restWaitsForInstallation:
    'Le reste attend demain : cette installation a atteint son maximum d’e-mails par jour.',
} as const satisfies ProblemWords<typeof english>
