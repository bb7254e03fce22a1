import type { Database } from '../database.ts'
import { postgresFacts } from './postgres-facts.ts'
import { sqliteFacts } from './sqlite-facts.ts'
import type { DatabaseFacts } from './database-facts.ts'

export function factsOf({ dialect }: Database): DatabaseFacts {
  return dialect === 'sqlite' ? sqliteFacts : postgresFacts
}
