/**
 * Settings of queries for figures. They run after incoming scans. From the set of `in (select …)`,
 * the store finds the ranges of the key only if it is short: with 345,000 codes, that took 300 to
 * 700 ms for each set, and then all ranges were read anyway (measured, 1,000,000 codes).
 */
export const figuresSettings = {
  priority: '2',
  use_index_for_in_with_subqueries_max_values: '10000',
}
