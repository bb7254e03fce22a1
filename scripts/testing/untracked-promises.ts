// Loads Node's runner without its watch over every promise, which costs as much as many tests do.
// It follows promises to tell to which test an error belongs that none caught: here, such an error
// fails the batch.
import hooks from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
await import('node:test')
hooks.createHook = createHook
