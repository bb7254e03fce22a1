// The entry of every process. Plain JavaScript, so that what Node makes of the sources is kept before the first of them is read: what strips
// types takes each process some 14 MB (measured), as soon as there is a single file to strip.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Where packages are, if that can be written.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))
await import('./main.ts')
