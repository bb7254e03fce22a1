import { documentation } from '@everscan/contract/endpoints/openapi/documentation.ts'
import { Answer, handler } from '../http/handler.ts'
import { openApiDocument } from './openapi.ts'

let text: string | undefined

export const read = handler(documentation.read, {
  handle: () => {
    text ??= JSON.stringify(openApiDocument())
    return new Answer(text, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
    })
  },
})
