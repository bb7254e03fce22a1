import type { requestProblems as english } from '@everscan/contract/problems/request-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const requestProblems = {
  noSuchRecord: 'Il n’y a rien dans cette organisation avec cet identifiant.',
  eventsNotKept:
    'L’événement de Last-Event-ID n’est plus conservé. La suite reprend avec le plus ancien qui l’est.',
  nothingHere: 'Il n’y a rien à cette adresse.',
  urlNotValid: 'L’adresse n’est pas valide.',
  urlEncodingNotValid: 'Le chemin de l’adresse a un codage avec % qui n’est pas valide.',
  methodNotAllowed: 'Ce point d’accès accepte {allowed}, et non {method}.',
  formatsRefused: 'Accept refuse image/png. Nommez un autre format : {formats}.',

  bodyNotJson: 'Le corps de la requête n’est pas du JSON valide.',
  bodyNotUtf8: 'Le corps de la requête n’est pas de l’UTF-8 valide.',
  bodyEmpty: 'La requête est vide ; du JSON était attendu.',
  bodyTooLarge: 'La requête est plus grande que ce que ce point d’accès accepte.',
  bodyOfOtherLength: 'La longueur de la requête ne correspond pas à l’en-tête Content-Length.',
  bodyEncoded: 'La requête ne doit pas être codée (Content-Encoding: {encoding}). Envoyez-la telle quelle.',
  contentTypeMissing: 'L’en-tête Content-Type manque.',
  contentTypeNotJson: 'La requête doit être du JSON, avec l’en-tête Content-Type: application/json.',
  contentTypeNotForm:
    'La requête doit être un formulaire avec un fichier, avec l’en-tête Content-Type: multipart/form-data.',
  messagesInBatch: 'Les lots ne sont pas acceptés : envoyez chaque message seul.',

  formNotValid: 'Le formulaire est incomplet ou n’est pas du multipart/form-data valide.',
  formFieldUnknown: 'Le formulaire a un champ inconnu.',
  formTooLong: 'Le formulaire a {max} champs au plus.',
  fileTooLarge: 'Le fichier dépasse {maxMb} Mo. Divisez-le et envoyez les parties l’une après l’autre.',
  notFile: 'Ce doit être un fichier avec un nom.',
  fieldNotJson: 'Ce doit être du JSON.',

  emptyWithout: 'Cette valeur est requise sans « {field} ».',
  tooManyTogether: '{max} valeurs au plus avec « {field} ».',
  inBodyOrQuery: 'Ce doit être dans le corps de la requête ou dans son adresse, mais pas dans les deux.',
  filterOfWaiting: 'Ce n’est pas possible avec waiting=true, qui n’accepte que domainId, page et limit.',
  idempotencyKeyForm: '1 à {max} caractères ASCII visibles.',
  idempotencyKeyUsed: 'Cet Idempotency-Key a servi à une autre requête. Utilisez-en un nouveau.',

  replayedDays: '{max} jours au plus ; la plus longue période possible commence le {start}.',
  replayedScans: ({ max, start }) =>
    `${max.toLocaleString('fr')} scans au plus ; la plus longue période possible commence le ${start}.`,
  replayedTime:
    'Au plus ce qui peut être lu en {seconds} s ; la plus longue période possible commence le {start}.',
  pictureTooLarge:
    'L’image a {bytes} octets, et un outil en renvoie {max} au plus. Choisissez une taille plus petite ou le format « png », ou téléchargez-la depuis son imageUrl.',
  requestTookTooLong: 'La requête a pris trop de temps. Réessayez dans un instant.',
  scanStoreUnavailable:
    'Le stockage des scans n’est pas disponible pour l’instant. Réessayez dans un instant.',
  catalogueUnavailable: 'Le catalogue n’est pas disponible pour l’instant. Réessayez dans un instant.',
  internalError:
    'Le service a rencontré une erreur inattendue. Réessayez ; si cela se reproduit, prévenez l’exploitant.',
  clientGone: 'La connexion s’est terminée avant que la requête soit traitée.',
  noSuchTool: 'Il n’y a pas d’outil de ce nom : voyez tools/list.',
  mailNotSent: 'Le mail n’a pas pu être envoyé. Réessayez dans un instant.',
} as const satisfies ProblemWords<typeof english>
