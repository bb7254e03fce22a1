// For tests: an io in which one call, or some calls in a row, fail.
import type { JournalIo } from '../journal-io.ts'
import { diskError } from './journal.ts'

/**
 * `before`: nothing is done. `after`: the call is done, but fails nevertheless. `short`: a write
 * is done in part.
 */
export type Fault = {
  at: number
  calls: number
  kind: 'before' | 'after' | 'short'
  code: 'EIO' | 'ENOSPC' | 'EFBIG'
}

type Counted = { io: JournalIo; count: () => number; names: string[] }

/**
 * Passes every call to `io`, except that `calls` of them from number `at` on, counted from 0, fail.
 */
export function faultyIo(io: JournalIo, fault: Fault | undefined): Counted {
  let count = 0
  const names: string[] = []
  const fails = (name: string): boolean => {
    names.push(name)
    const number = count++
    return fault !== undefined && number >= fault.at && number < fault.at + fault.calls
  }
  const faulty =
    <Args extends unknown[], R>(name: string, call: (...args: Args) => R) =>
    (...args: Args): R => {
      if (!fails(name) || fault === undefined) return call(...args)
      if (fault.kind === 'after') call(...args)
      throw diskError(fault.code)
    }
  const later =
    (name: string, call: JournalIo['sync']): JournalIo['sync'] =>
    (fd, done) => {
      if (!fails(name) || fault === undefined) call(fd, done)
      else if (fault.kind === 'after') call(fd, () => done(diskError(fault.code)))
      else setImmediate(done, diskError(fault.code))
    }
  const write: JournalIo['write'] = (fd, bytes, from, length, position) => {
    if (!fails('write') || fault === undefined) return io.write(fd, bytes, from, length, position)
    if (fault.kind === 'short') return io.write(fd, bytes, from, length >> 1, position)
    if (fault.kind === 'after') io.write(fd, bytes, from, length, position)
    throw diskError(fault.code)
  }
  return {
    io: {
      write,
      open: faulty('open', (path, flags) => io.open(path, flags)),
      read: faulty('read', (...args) => io.read(...args)),
      truncate: faulty('truncate', (fd, length) => io.truncate(fd, length)),
      size: faulty('size', (fd) => io.size(fd)),
      isNamed: faulty('isNamed', (fd, path) => io.isNamed(fd, path)),
      close: faulty('close', (fd) => io.close(fd)),
      syncNow: faulty('syncNow', (fd) => io.syncNow(fd)),
      syncData: later('syncData', (fd, done) => io.syncData(fd, done)),
      sync: later('sync', (fd, done) => io.sync(fd, done)),
      rename: faulty('rename', (from, to) => io.rename(from, to)),
      unlink: faulty('unlink', (path) => io.unlink(path)),
      makeDirectory: faulty('makeDirectory', (path) => io.makeDirectory(path)),
      list: faulty('list', (path) => io.list(path)),
      stat: faulty('stat', (path) => io.stat(path)),
      listLater: faulty('listLater', (path) => io.listLater(path)),
    },
    count: () => count,
    names,
  }
}
