import { Type } from 'typebox'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

export const Email = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: limits.emailCharsMax, pattern: patterns.email })
export const Phone = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: limits.phoneCharsMax, pattern: patterns.phone })
