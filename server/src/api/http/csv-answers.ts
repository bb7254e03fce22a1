import { contentDisposition } from '../../files/file-names.ts'
import { csvType } from '@everscan/contract/endpoints/media-types.ts'
import { Answer } from './handler.ts'

export function csvAnswer(text: string, name: string): Answer<string> {
  return new Answer(text, {
    'content-type': csvType,
    'content-disposition': contentDisposition('attachment', name, 'csv'),
  })
}
