/**
 * The substances that must be named with a dish in the European Union, in the order of Regulation
 * (EU) No 1169/2011, annex II.
 */
export const allergens = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soybeans',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const
export type Allergen = (typeof allergens)[number]

/** Properties for which people choose a dish. */
export const diets = [
  'vegetarian',
  'vegan',
  'gluten-free',
  'lactose-free',
  'halal',
  'kosher',
  'organic',
  'spicy',
] as const
export type Diet = (typeof diets)[number]
