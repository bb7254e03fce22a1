/** Texts that a dump could corrupt. Without NUL, which PostgreSQL cannot store. */
export const hostileTexts = [
  '',
  'null',
  '\\N',
  '\\.',
  '\\',
  '\\\\n',
  'a\tb\nc\rd\r\ne\bf\fg\vh',
  '"quoted", \'singly\', `otherwise`',
  '["an","array"]',
  '\u0001\u001e\u001f\u007f\u0080\u009f\u2028\u2029\ufeff\uffff',
  'Grüße, 東京, 👩‍👩‍👧‍👦, e\u0301 is not \u00e9',
  '\u{10ffff}\ud7ff\ue000',
  '\\u0000 \\x00 %s $1 ? :name',
  ' ends with a space ',
  'x'.repeat(5_000),
] as const
