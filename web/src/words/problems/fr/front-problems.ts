import type { frontProblems as english } from '@everscan/contract/problems/front-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const frontProblems = {
  requestNotHttp: 'La requête n’est pas du HTTP valide.',
  methodNotServed: 'Le service n’accepte que {allowed}.',
  pathOnlyRead: 'Cette adresse ne peut être que lue.',
  requestTooSlow: 'Ceci n’est pas arrivé à temps. Vérifiez votre connexion et réessayez.',
  expectationNotMet: 'Le service ne satisfait aucune attente de l’en-tête Expect, sauf 100-continue.',
  headTooLarge: 'L’en-tête de la requête peut avoir au plus {max} Kio.',
  targetNotHere: 'La requête doit viser un chemin ou une adresse en http ou https.',
  hostHeaderNotOne: 'La requête doit avoir un seul en-tête Host.',
  httpVersionStrange: 'La requête doit être en HTTP/1.1 ou HTTP/1.0.',
  serviceNotReady: 'Le service démarre ou est surchargé. Réessayez dans un instant.',
  answerTooLate:
    'Le service n’a pas répondu à temps. La modification a peut-être été faite : vérifiez avant de réessayer.',
  serviceUpgrading: 'Le service est en cours de mise à jour. Réessayez dans un instant.',
  noSuchChallenge: 'Cette vérification n’existe pas.',
  tlsAskedFromAfar: 'Seules les machines du réseau local peuvent le demander, sans proxy.',
  tlsHostMissing: '« domain » doit être un nom d’hôte, comme go.example.com.',
  tlsHostUnknown: '« domain » n’est ni l’hôte de PUBLIC_URL ni un domaine prouvé.',
} as const satisfies ProblemWords<typeof english>
