// A thread that counts the limits of codes in SQLite, whose commits wait for the disk.
import { workerData } from 'node:worker_threads'
import { openDatabase } from '../db/open-database.ts'
import { createLog } from '../log.ts'
import { answerQuestions } from './answer-questions.ts'
import { limitCountersOf, type LimitCall } from './limit-counters.ts'

export type LimitThreadData = { dataDir: string; logLevel: string }

const { dataDir, logLevel } = workerData as LimitThreadData
const log = createLog({ level: logLevel, role: 'front' })
const db = await openDatabase({ databaseUrl: undefined, dataDir, role: 'writer', log })
const counters = limitCountersOf(async () => db)

answerQuestions(async (question) => {
  const { name, parameters } = question as LimitCall
  return (counters[name] as (...of: unknown[]) => Promise<unknown>)(...parameters)
})
