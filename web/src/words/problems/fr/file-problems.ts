import type { fileProblems as english } from '@everscan/contract/problems/file-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const fileProblems = {
  metadataKeyOfColumn: 'Le nom d’un champ supplémentaire a 1 à 50 caractères.',
  columnNotInFile: 'Le fichier n’a pas la colonne « {column} ».',
  fieldWithoutColumn: 'Le fichier n’a pas de colonne pour cela. Choisissez-en une.',
  visitsWithoutCodes: 'Aucune colonne n’a le code court ou l’URL courte, comme « shortCode ».',
  visitsWithoutTimes: 'Aucune colonne n’a le moment de la visite, comme « date ».',
  visitWithoutCode: 'Le code court manque.',
  visitWithoutTime: 'Le moment manque.',
  timeBefore2000: '« {text} » est avant l’an 2000.',
  timeBeyond: 'Ce moment doit être après 1970 et ne doit pas être dans le futur.',
  notDate: 'Écrivez une date ou un moment, comme 2026-01-31 ou 2026-01-31T09:30:00Z.',
  notCount: 'Ce n’est pas un nombre de clics.',
  cellEmpty: 'Ce champ est requis.',
  codeNotExact: '« {code} » ne peut pas être un code court : 1 à 128 lettres, chiffres ou « -_.~+/ ».',
  codeOfEveryHost: 'Le service se sert lui-même de « {code} ». Choisissez autre chose.',
  codeOfService: 'Le service se sert lui-même de « {code} ». Choisissez autre chose.',
  codeFormHere: '« {code} » ne peut pas être un code court ici : {min} à {max} lettres, chiffres ou « - ».',
} as const satisfies ProblemWords<typeof english>
