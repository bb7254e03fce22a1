import { contentDisposition } from '../../files/file-names.ts'
import { csvType } from '../../files/write-csv.ts'
import { Answer } from './endpoint.ts'

export function csvAnswer(text: string, name: string): Answer<string> {
  return new Answer(text, {
    'content-type': csvType,
    'content-disposition': contentDisposition('attachment', name, 'csv'),
  })
}
