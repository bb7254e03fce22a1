import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { visitDisk, type VisitDisk } from '../visit-disk.ts'

/** The process was killed. */
export class Killed extends Error {}

/**
 * A disk on which a process can be killed at any change, and the machine can lose its power. It
 * remembers what was synced instead of waiting for it.
 */
export class FaultyDisk implements VisitDisk {
  /** Changes until the process is killed. */
  left = Infinity
  changes = 0
  readonly #dirty = new Set<FileHandle>()
  readonly #paths = new Map<string, FileHandle>()
  readonly #undo: (() => void)[] = []

  makeFolder(path: string): Promise<void> {
    return visitDisk.makeFolder(path)
  }

  async create(path: string): Promise<FileHandle> {
    this.#step()
    const file = await visitDisk.create(path)
    this.#paths.set(path, file)
    this.#dirty.add(file)
    return file
  }

  async append(file: FileHandle, bytes: Uint8Array): Promise<void> {
    this.#dirty.add(file)
    if (this.left <= 1) await visitDisk.append(file, bytes.subarray(0, bytes.length >> 1))
    this.#step()
    await visitDisk.append(file, bytes)
  }

  async sync(file: FileHandle): Promise<void> {
    this.#step()
    this.#dirty.delete(file)
    await Promise.resolve()
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step()
    const file = this.#paths.get(from)
    assert.ok(file !== undefined && !this.#dirty.has(file), 'a file gets its name when it is durable')
    this.#undo.push(restorerOf(from), restorerOf(to))
    await visitDisk.rename(from, to)
  }

  async syncFolder(): Promise<void> {
    this.#step()
    this.#undo.length = 0
    await Promise.resolve()
  }

  async remove(path: string): Promise<void> {
    this.#step()
    this.#undo.push(restorerOf(path))
    await visitDisk.remove(path)
  }

  get isKilled(): boolean {
    return this.left <= 0
  }

  /** Takes back the names that were not made durable. */
  losePower(): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo()
  }

  #step(): void {
    if (--this.left <= 0) throw new Killed('killed')
    this.changes++
  }
}

function restorerOf(path: string): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined
  return () => {
    if (before === undefined) rmSync(path, { force: true })
    else writeFileSync(path, before)
  }
}
