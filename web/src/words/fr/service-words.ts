import type { serviceWords as English } from '../service-words.ts'

/** French. */
export const serviceWords: typeof English = {
  wrongSignIn: 'L’adresse e-mail ou le mot de passe est incorrect.',
  wrongPassword: 'Le mot de passe est incorrect.',
  wrongCode: 'Le code est incorrect ou a déjà été utilisé.',
  tooManyAttempts: (seconds) => `Trop de tentatives échouées. Réessayez dans ${seconds} s.`,
  tooManyRequests: 'Trop de requêtes. Réessayez dans un instant.',
  tooSlow:
    'L’envoi a pris trop de temps. Vérifiez votre connexion et réessayez. Un fichier demande une ligne qui n’est pas interrompue.',
  roleNeeded: (needed, role) => `Il faut pour cela le rôle ${needed} ; vous avez ${role}.`,
  unexpected:
    'Le service a rencontré une erreur inattendue. Réessayez ; si cela se reproduit, prévenez l’exploitant.',
  unavailable: 'Le service n’est pas disponible pour l’instant. Réessayez dans un instant.',
  required: 'Ce champ est requis.',
  atLeast: (chars) => `${chars} caractères au moins.`,
  atMost: (chars) => `${chars} caractères au plus.`,
  email: 'Ce n’est pas une adresse e-mail.',
  phone: 'Ce n’est pas un numéro de téléphone, comme +33 1 23 45 67 89.',
  address: 'Ce n’est pas une adresse web. Elle commence par http:// ou https://.',
  color: 'Une couleur a la forme #RRGGBB.',
  controls: 'Les caractères de contrôle ne sont pas possibles ici.',
}
