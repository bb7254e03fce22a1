import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { FaultyDisk, Killed } from './testing/visit-faults.ts'
import { blocksOf, marksOf, marksOfScans, VisitWorld, type WorldScan } from './testing/visit-world.ts'
import { VisitIndex } from './visit-index.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-visit-index-'))
const small = { recentMax: 40, runsMax: 2, disk: new FaultyDisk() }
const seed = testSeed()
const context = `SEED=${seed} npm test -- visit-index`
const stepsCount = process.env['SOAK'] === '1' ? 20_000 : 100

after(() => rmSync(root, { recursive: true }))

test('each mark is right after batches, kills, lost power, damage, retention and older copies', async () => {
  const trial = new Trial(join(root, 'any'))
  await trial.open()
  for (let step = 0; step < stepsCount || !trial.hadAll; step++) await trial.step()
  await trial.reopen()
  await trial.world.check(trial.index, context)
  await trial.index.close()
})

test('a kill or a loss of power at each step of a flush and of merges loses no mark', async () => {
  const random = randomFrom(seed)
  const world = new VisitWorld()
  const base = join(root, 'base')
  // Full runs on each level, and records in memory that are nearly a run.
  const index = await VisitIndex.open({ folder: base, ...small })
  await index.catchUp(world.stored())
  while (world.firsts().size < 119) {
    await storeBatch(index, world, world.newScans(random, { writer: 'a', rows: 2, visitors: 1_000 }))
    await index.settle()
  }
  await index.close()
  const batch = world.judge(world.newScans(random, { writer: 'b', rows: 80, visitors: 1_000 }))
  let isKilled = true
  for (let step = 1; isKilled; step++)
    for (const losesPower of [false, true]) {
      const folder = join(root, `killed-${step}-${losesPower}`)
      cpSync(base, folder, { recursive: true })
      const disk = new FaultyDisk()
      const killed = await VisitIndex.open({ ...small, folder, disk })
      await killed.catchUp(world.stored())
      disk.left = step
      try {
        await killed.storeBatch(blocksOf(batch), () => Promise.resolve([]))
        await killed.flush()
        await killed.settle()
      } catch (error) {
        if (!(error instanceof Killed)) throw error
      }
      // In the background, a kill is not seen.
      isKilled = disk.isKilled
      await killed.close()
      if (losesPower) disk.losePower()
      const opened = await VisitIndex.open({ folder, ...small })
      await opened.catchUp(world.stored())
      await world.check(opened, `step ${step}, ${context}`)
      assert.deepEqual(leftovers(folder), [])
      await opened.close()
      if (!isKilled)
        assert.ok(levelsIn(folder) > 2 && step > 30, `only ${step} steps and ${levelsIn(folder)} levels`)
      rmSync(folder, { recursive: true })
    }
})

test('a batch that was not committed leaves nothing, and one of unknown outcome is looked up', async () => {
  const random = randomFrom(seed)
  const world = new VisitWorld()
  const index = await VisitIndex.open({ folder: join(root, 'failed'), ...small })
  const batch = world.newScans(random, { writer: 'a', rows: 30, visitors: 40 })
  assert.equal(await index.storeBatch(blocksOf(batch), notStored), false, 'nothing before catchUp')
  await index.catchUp(world.stored())

  for (const commit of [notStored, () => Promise.reject(new Error('lost'))]) {
    await index.storeBatch(blocksOf(batch), commit).catch(() => {})
    assert.equal(index.isCurrent, false)
    assert.equal(await index.storeBatch(blocksOf(batch), notStored), false)
    await index.catchUp(world.stored())
  }
  assert.ok(await storeBatch(index, world, batch))
  const lost = world.judge(world.newScans(random, { writer: 'b', rows: 30, visitors: 40 }))
  await assert.rejects(
    index.storeBatch(blocksOf(lost), () => {
      world.add(lost)
      return Promise.reject(new Error('lost'))
    }),
  )
  await index.catchUp(world.stored())
  await world.check(index, context)
  await index.close()
})

test('batches that come at once are marked one after the other', async () => {
  const random = randomFrom(seed)
  const world = new VisitWorld()
  const index = await VisitIndex.open({ folder: join(root, 'at-once'), ...small })
  await index.catchUp(world.stored())
  await Promise.all(
    ['a', 'b', 'c', 'a', 'b'].map((writer) =>
      storeBatch(index, world, world.newScans(random, { writer, rows: 60, visitors: 30 })),
    ),
  )
  await world.check(index, context)
  await index.close()
})

test('others have their turns while a batch is marked, and while stored scans are read', async (t) => {
  // As long as if every look at the clock came half a turn after the one before.
  let nowMs = 0
  t.mock.method(performance, 'now', () => (nowMs += 4))
  const random = randomFrom(seed)
  const world = new VisitWorld()
  world.add(world.judge(world.newScans(random, { writer: 'a', rows: 3_000, visitors: 10_000 })))
  const index = await VisitIndex.open({ folder: join(root, 'turns') })
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const stored = world.stored()
  let turnsOfReading = 0
  await index.catchUp({
    ...stored,
    async *read(stretches) {
      const before = turns
      yield* stored.read(stretches)
      turnsOfReading += turns - before
    },
  })
  const blocks = blocksOf(world.newScans(random, { writer: 'b', rows: 3_000, visitors: 10_000 }))
  turns = 0
  await index.storeBatch(blocks, () => Promise.resolve([]))
  clearImmediate(next)
  assert.ok(turnsOfReading > 20, `${turnsOfReading} turns`)
  assert.ok(turns > 20, `${turns} turns`)
  await index.close()
})

test('reading stored scans ends with a signal, and goes on at the next call', async () => {
  const random = randomFrom(seed)
  const world = new VisitWorld()
  world.add(world.judge(world.newScans(random, { writer: 'a', rows: 900, visitors: 900 })))
  const stop = new AbortController()
  const ended = new Error('the service ends')
  const folder = join(root, 'stopped')
  const index = await VisitIndex.open({ folder, ...small })
  const stored = world.stored()
  const reading = index.catchUp({
    ...stored,
    signal: stop.signal,
    async *read(stretches) {
      for await (const list of stored.read(stretches)) {
        yield list
        if (stretches[0]?.month === 202603) stop.abort(ended)
      }
    },
  })
  await assert.rejects(reading, (error) => error === ended)
  assert.equal(index.isCurrent, false)
  await index.flush()
  await index.close()

  const opened = await VisitIndex.open({ folder, ...small })
  world.readVisits = 0
  await opened.catchUp(world.stored())
  const left = [...world.firsts().values()].filter(({ month }) => month === 202603).length
  assert.equal(world.readVisits, left, 'a month that was read is not read again')
  await world.check(opened, context)
  await opened.close()
})

test('after an orderly stop no scan is read again', async () => {
  const random = randomFrom(seed)
  const world = new VisitWorld()
  const folder = join(root, 'orderly')
  const index = await VisitIndex.open({ folder, ...small })
  await index.catchUp(world.stored())
  for (let batch = 0; batch < 10; batch++)
    await storeBatch(index, world, world.newScans(random, { writer: 'a', rows: 50, visitors: 300 }))
  await index.flush()
  await index.close()
  const opened = await VisitIndex.open({ folder, ...small })
  await opened.catchUp(world.stored())
  assert.equal(world.readVisits, 0)
  await world.check(opened, context)
  await opened.close()
})

const allEvents = [
  'stored',
  'refused',
  'unknown',
  'killed',
  'damaged',
  'moved',
  'put back',
  'older folder',
] as const

/** An index and a world in which anything happens. */
class Trial {
  readonly world = new VisitWorld()
  readonly #events = new Set<string>()
  readonly #folder: string
  readonly #random = randomFrom(seed)
  #disk = new FaultyDisk()
  #index: VisitIndex | undefined
  /** Scans in journals that are not stored. */
  #waiting: WorldScan[] = []
  #copies = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  get index(): VisitIndex {
    if (this.#index === undefined) throw new Error('it is not open')
    return this.#index
  }

  /** Whether each kind of event came at least once. */
  get hadAll(): boolean {
    return allEvents.every((event) => this.#events.has(event))
  }

  async open(): Promise<void> {
    this.#disk = new FaultyDisk()
    this.#index = await VisitIndex.open({ folder: this.#folder, ...small, disk: this.#disk })
    await this.index.catchUp(this.world.stored())
  }

  async reopen(): Promise<void> {
    await this.index.close()
    await this.open()
  }

  async step(): Promise<void> {
    const event = this.#random()
    if (event < 0.6) await this.#batch()
    else if (event < 0.7) await this.#batchAgain()
    else if (event < 0.75) await this.index.flush()
    else if (event < 0.8) await this.#move()
    else if (event < 0.83) await this.#damage()
    else if (event < 0.86) await this.#putBack()
    else if (event < 0.89) await this.#olderFolder()
    else if (event < 0.94) await this.#kill()
    else await this.reopen()
    if (this.#random() < 0.1) await this.world.check(this.index, context)
  }

  async #batch(): Promise<void> {
    const { world } = this
    const writer = pick(this.#random, ['a', 'b'])
    const rows = 1 + Math.floor(this.#random() * 40)
    this.#waiting.push(...world.newScans(this.#random, { writer, rows, visitors: 700 }))
    const batch = world.judge(this.#waiting.filter(({ row }) => row.writer === writer))
    const outcome = this.#random()
    let isStored = false
    const blocks = blocksOf(batch)
    const done = await this.index
      .storeBatch(blocks, () => {
        assert.deepEqual(marksOf(blocks), marksOfScans(batch), context)
        isStored = outcome < 0.85 || outcome > 0.95
        const stretches = isStored ? world.add(batch) : undefined
        return outcome > 0.9 ? Promise.reject(new Error('unknown')) : Promise.resolve(stretches)
      })
      .catch((error: unknown) => {
        if (error instanceof assert.AssertionError || error instanceof Killed) throw error
        this.#count('unknown')
        return false
      })
    if (isStored) this.#waiting = this.#waiting.filter(({ row }) => row.writer !== writer)
    this.#count(done ? 'stored' : 'refused')
    if (!done) await this.index.catchUp(world.stored())
  }

  /** Scans of a batch that was stored get the marks that they have. */
  async #batchAgain(): Promise<void> {
    const first = Math.floor(this.#random() * this.world.scans.length)
    const batch = this.world.scans.slice(first, first + 30).filter(({ row }) => row.writer === 'a')
    const inOrder = batch.toSorted((one, other) => Number(one.row.sequence) - Number(other.row.sequence))
    const blocks = blocksOf(inOrder)
    await this.index.storeBatch(blocks, () => {
      assert.deepEqual(marksOf(blocks), marksOfScans(inOrder), context)
      return Promise.resolve([])
    })
  }

  async #move(): Promise<void> {
    const changes = this.world.deleteFirst(Math.floor(this.#random() * 40))
    // Half the time, the process ends before the index knows it.
    if (this.#random() >= 0.5) await this.reopen()
    else if (!(await this.index.move([changes], `${this.world.version}`))) {
      // It has met a damaged file, and begins anew.
      assert.ok(this.#events.has('damaged'), context)
      await this.index.catchUp(this.world.stored())
    }
    this.#count('moved')
  }

  async #damage(): Promise<void> {
    const way = this.#random()
    const isOpen = this.#random() < 0.5
    await (isOpen ? this.index.settle() : this.index.close())
    const path = join(this.#folder, pick(this.#random, readdirSync(this.#folder)))
    const bytes = readFileSync(path)
    if (way < 0.6) {
      const at = Math.floor(this.#random() * bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ 4
      writeFileSync(path, bytes)
    } else if (isOpen) return
    else if (way < 0.8) truncateSync(path, bytes.length >> 1)
    else rmSync(path)
    this.#count('damaged')
    if (!isOpen) await this.open()
  }

  /** An older catalogue comes back, under the open index: journals are read again. */
  async #putBack(): Promise<void> {
    const kept = this.world.scans.length - Math.floor(this.#random() * 60)
    this.#waiting = [...this.world.scans.slice(Math.max(0, kept)), ...this.#waiting]
      .map((scan) => ({ ...scan, isUnique: false }))
      .toSorted((one, other) => Number(one.row.sequence) - Number(other.row.sequence))
    this.world.putBack(Math.max(0, kept))
    await this.index.catchUp(this.world.stored())
    this.#count('put back')
  }

  async #olderFolder(): Promise<void> {
    await this.index.close()
    const copy = join(root, `copy-${this.#copies}`)
    if (this.#copies > 0 && this.#random() < 0.6) {
      rmSync(this.#folder, { recursive: true })
      cpSync(copy, this.#folder, { recursive: true })
      this.#count('older folder')
    } else {
      this.#copies++
      cpSync(this.#folder, join(root, `copy-${this.#copies}`), { recursive: true })
    }
    await this.open()
  }

  async #kill(): Promise<void> {
    this.#disk.left = 1 + Math.floor(this.#random() * 30)
    try {
      for (let batch = 0; batch < 4; batch++) await this.#batch()
      await this.index.flush()
      await this.index.settle()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      this.#count('killed')
    }
    await this.index.close()
    if (this.#random() < 0.5) this.#disk.losePower()
    await this.open()
  }

  #count(event: (typeof allEvents)[number]): void {
    this.#events.add(event)
  }
}

async function storeBatch(
  index: VisitIndex,
  world: VisitWorld,
  batch: readonly WorldScan[],
): Promise<boolean> {
  const blocks = blocksOf(batch)
  return await index.storeBatch(blocks, () => {
    const judged = world.judge(batch)
    assert.deepEqual(marksOf(blocks), marksOfScans(judged), context)
    return Promise.resolve(world.add(judged))
  })
}

function notStored(): Promise<undefined> {
  return Promise.resolve(undefined)
}

/** Returns files that the index does not need. */
function leftovers(folder: string): string[] {
  const used = new Set(['state.json', ...runsIn(folder).map(({ number }) => `${number}.run`)])
  return readdirSync(folder).filter((name) => !used.has(name))
}

function levelsIn(folder: string): number {
  return 1 + Math.max(...runsIn(folder).map(({ level }) => level))
}

function runsIn(folder: string): { number: number; level: number }[] {
  const { runs } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as {
    runs: { number: number; level: number }[]
  }
  return runs
}
