// Uses process.nextTick, clears the memory while no tick is there, uses it again, and prints what
// V8 knows about it. With the word `keep` a tick is kept.
import { setTimeout as sleep } from 'node:timers/promises'
import { runInThisContext } from 'node:vm'
import { keepTick } from '../kept-tick.ts'

/** In turns of ten, as the answers of a front. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    for (let count = 0; count < 10; count++) process.nextTick(() => undefined)
    await sleep(0)
  }
}

if (process.argv.includes('keep')) keepTick()
await tick()
globalThis.gc?.()
await tick()
runInThisContext('%DebugPrint(process.nextTick)')
