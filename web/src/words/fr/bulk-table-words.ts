import type { tableWords as English } from '../bulk-table-words.ts'
import { isOne, pluralsOf } from '../plurals.ts'

const plural = pluralsOf('fr')
const codesOf = (codes: number, written: string) => plural(codes, `${written} code`, `${written} codes`)

/** French. */
export const tableWords: typeof English = {
  title: 'Modifier dans un tableau',
  codes: codesOf,
  back: 'Tous les codes',
  none: {
    title: 'Aucun code à modifier',
    text: 'Sélectionnez des codes dans la liste et choisissez « Modifier dans un tableau », ou importez un fichier CSV téléchargé ici.',
    link: 'Aller à la liste',
  },
  columns: {
    name: 'Nom',
    url: 'Destination',
    folder: 'Dossier',
    tags: 'Mots-clés',
    look: 'Apparence',
  },
  cell: (column, name) => `${column} de ${name}`,
  changed: (before) => `Modifié. Avant : ${before === '' ? 'vide' : before}`,
  edit: 'Modifier',
  openEditor: (name) => `Modifier ${name} dans l’éditeur`,
  noFolder: 'Aucun dossier',
  ownLook: 'Apparence propre',
  plainLook: 'Simple',
  hint: 'Entrée passe à la ligne suivante, Échap rétablit l’ancienne valeur. Une colonne collée depuis un tableur remplit les lignes du dessous.',
  tools: 'Modifier tous les codes',
  toolNames: {
    replace: 'Rechercher et remplacer',
    utm: 'UTM',
    folder: 'Dossier',
    tags: 'Mots-clés',
    look: 'Apparence',
    csv: 'CSV',
  },
  replace: {
    find: 'Rechercher dans les destinations',
    replace: 'Remplacer par',
    ignoreCase: 'Ignorer la casse',
    apply: (codes, written) => `Remplacer dans ${codesOf(codes, written)}`,
    none: 'Aucune destination ne contient ce texte.',
    start:
      'Saisissez une partie des adresses, par exemple l’hôte. Vous voyez chaque modification avant l’enregistrement.',
  },
  utm: {
    template: 'Modèle',
    noTemplate: 'Valeurs libres',
    fields: {
      source: 'Source',
      medium: 'Support',
      campaign: 'Campagne',
      term: 'Terme',
      content: 'Contenu',
    },
    hint: '{name}, {shortCode} et {folder} représentent ceux de chaque code.',
    existing: 'Valeurs UTM existantes',
    modes: { replace: 'Remplacer', keep: 'Garder' },
    apply: (codes, written) => `Ajouter à ${codesOf(codes, written)}`,
    none: 'Aucune destination ne change.',
    start: 'Choisissez un modèle ou saisissez une valeur.',
    templateName: 'Nom du modèle',
    save: 'Enregistrer comme modèle',
    saved: (name) => `Modèle ${name} enregistré`,
    update: 'Mettre à jour le modèle',
    updated: (name) => `Modèle ${name} mis à jour`,
    delete: 'Supprimer le modèle',
    deleted: (name) => `Modèle ${name} supprimé`,
  },
  folder: { choose: 'Dossier pour tous', apply: 'Définir le dossier' },
  tags: {
    add: 'Ajouter des mots-clés',
    remove: 'Retirer des mots-clés',
    hint: 'Séparez les mots-clés par des virgules.',
    apply: 'Modifier les mots-clés',
  },
  look: { choose: 'Apparence pour tous', apply: 'Définir l’apparence' },
  csv: {
    text: 'Téléchargez le tableau, modifiez-le dans un tableur et importez-le de nouveau. Les lignes sont retrouvées par identifiant, ou par code court et domaine.',
    download: 'Télécharger en CSV',
    upload: 'Importer un CSV',
    forImportText:
      'Pour créer ces codes ailleurs, téléchargez un fichier qu’un import peut lire. Les règles, l’accès et l’apparence n’y sont pas.',
    forImport: (type) => `Pour un import : ${type}`,
    leftOut: (codes, written) =>
      codes === 1
        ? '1 code n’est pas dans le fichier : les colonnes ne peuvent pas tout contenir.'
        : `${written} codes ne sont pas dans le fichier : les colonnes ne peuvent pas tout contenir.`,
    fileName: 'codes.csv',
    title: 'Modifications dans le fichier',
    apply: (changes, written) =>
      changes === 1
        ? 'Mettre 1 modification dans le tableau'
        : `Mettre ${written} modifications dans le tableau`,
    noChanges: 'Le fichier ne change rien.',
    problems: (problems, written) =>
      problems === 1
        ? '1 cellule ou ligne est inutilisable :'
        : `${written} cellules ou lignes sont inutilisables :`,
    row: (row, what) => `Ligne ${row} : ${what}`,
    noKey: 'La première ligne doit avoir une colonne « id » ou « shortCode ».',
    unreadable: 'Ce n’est pas un fichier CSV lisible. Enregistrez d’abord la feuille au format CSV.',
    tooLarge: (rows) => `Le fichier est trop grand : ${rows} codes au plus.`,
    unknownCode: (key) => `aucun code ici ne s’appelle ${key}`,
    missingKey: 'elle n’a ni identifiant ni code court',
    twice: 'son code figure déjà dans une ligne précédente',
    notALink: 'ce code n’a pas de destination à modifier',
    unknownFolder: (name) => `il n’y a pas de dossier ${name}`,
    unknownLook: (name) => `il n’y a pas de style enregistré ${name}`,
  },
  preview: {
    label: 'Modifications',
    count: (changes, written) =>
      plural(changes, `${written} destination change :`, `${written} destinations changent :`),
    cells: (changes, written) =>
      plural(changes, `${written} cellule change :`, `${written} cellules changent :`),
    more: (written) => `et ${written} de plus`,
    before: 'avant',
    after: 'après',
    empty: 'vide',
  },
  bad: {
    name: 'Un nom est requis.',
    nameLong: (chars) => `${chars} caractères au plus.`,
    tagLong: (chars) => `Un mot-clé peut avoir ${chars} caractères au plus.`,
    tagsMany: (tags) => `${tags} mots-clés au plus.`,
  },
  unsaved: (cells, written) =>
    cells === 0
      ? 'Aucune modification'
      : cells === 1
        ? '1 cellule modifiée'
        : `${written} cellules modifiées`,
  discard: 'Abandonner',
  discarded: 'Modifications abandonnées',
  pasteProblem: (name, why) => `Non collé pour ${name} : ${why}`,
  save: (codes, written) => `Enregistrer ${codesOf(codes, written)}`,
  nothing: 'Enregistrer',
  fix: (cells, written) =>
    cells === 1 ? 'Corrigez d’abord 1 cellule' : `Corrigez d’abord ${written} cellules`,
  done: (codes) => `${codes} ${isOne(codes) ? 'modifié' : 'modifiés'}`,
  undone: 'Annulé',
  left: (rows, written) =>
    rows === 1
      ? '1 code n’a pas été enregistré. Sa ligne dit pourquoi.'
      : `${written} codes n’ont pas été enregistrés. Leurs lignes disent pourquoi.`,
  conflict: {
    text: 'Quelqu’un a modifié ce code depuis que vous l’avez ouvert.',
    theirs: 'Prendre l’autre version',
    mine: 'Garder la mienne',
    now: (column, value) => `${column}, maintenant : ${value === '' ? 'vide' : value}`,
  },
  gone: { text: 'Ce code a été supprimé.', remove: 'Retirer la ligne' },
}
