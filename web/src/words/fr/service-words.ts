import type { serviceWords as English } from '../service-words.ts'

/** French. */
export const serviceWords: typeof English = {
  tooManyRequests: 'Trop de requêtes. Réessayez dans un instant.',
  tooSlow:
    'L’envoi a pris trop de temps. Vérifiez votre connexion et réessayez. Un fichier demande une ligne qui n’est pas interrompue.',
  unexpected:
    'Le service a rencontré une erreur inattendue. Réessayez ; si cela se reproduit, prévenez l’exploitant.',
  unavailable: 'Le service n’est pas disponible pour l’instant. Réessayez dans un instant.',
}
