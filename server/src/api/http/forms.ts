import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import multipart, {
  type FastifyMultipartBaseOptions,
  type Multipart,
  type MultipartFile,
} from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { ReceivedFile } from '../../files/received-file.ts'
import { validationError } from '../../request-errors.ts'

const fieldsMax = 10
const fieldBytesMaxDefault = 1024

export type ReceivedForm<File, Second = never> = {
  fields: Record<string, string>
  file: File | undefined
  second: Second | undefined
}

export type FormOptions<File, Second = never> = {
  fileBytesMax: number
  /** Default: 1 KiB. */
  fieldBytesMax?: number
  /** Receives the one file, in the field `file`, as its bytes arrive. */
  takeFile: (file: ReceivedFile) => Promise<File>
  /** Another file that may be sent, in a field of its own. */
  second?: { field: string; take: (file: ReceivedFile) => Promise<Second> }
}

/**
 * The methods that the plugin adds to a request. Its own declaration finds Fastify's types only if
 * the installer puts both packages into one folder.
 */
type MultipartRequest = FastifyRequest & {
  isMultipart: () => boolean
  parts: (options: { limits: FastifyMultipartBaseOptions['limits'] }) => AsyncIterableIterator<Multipart>
}

/** Makes the routes of a scope accept multipart forms only. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart)
}

/** Throws ApiError 415 if the body is not a form. */
export function requireForm({ headers }: FastifyRequest): void {
  const type = headers['content-type']
  if (type === undefined || /^multipart\/form-data\s*(;|$)/i.test(type)) return
  throw new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', problem('contentTypeNotForm'))
}

/**
 * Reads a form whose fields and file may come in any order. Throws ApiError if the form is not
 * valid.
 */
export async function receiveForm<File, Second = never>(
  request: FastifyRequest,
  options: FormOptions<File, Second>,
): Promise<ReceivedForm<File, Second>> {
  const { fileBytesMax, fieldBytesMax = fieldBytesMaxDefault, takeFile, second } = options
  const fields: Record<string, string> = Object.create(null)
  const files = new Set<string>()
  const taken: { file?: File; second?: Second } = {}
  try {
    for await (const part of partsOf(request, { fileBytesMax, fieldBytesMax, filesMax: second ? 2 : 1 })) {
      const { fieldname } = part
      if (part.type === 'field') {
        if (Object.hasOwn(fields, fieldname)) throw fieldError(fieldname, problem('givenTwice'))
        if (part.valueTruncated) throw fieldError(fieldname, problem('tooManyBytes', { max: fieldBytesMax }))
        fields[fieldname] = String(part.value)
        continue
      }
      if (fieldname !== 'file' && fieldname !== second?.field)
        throw fieldError(fieldname, problem('unknownField'))
      if (files.has(fieldname)) throw fieldError(fieldname, problem('givenTwice'))
      files.add(fieldname)
      if (fieldname === 'file') taken.file = await receiveFile(part, { fileBytesMax, take: takeFile })
      else if (second !== undefined)
        taken.second = await receiveFile(part, { fileBytesMax, take: second.take })
    }
  } catch (error) {
    // Drain the rest of the body: the connection stays open, and the client must not wait for ever.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
  return { fields, file: taken.file, second: taken.second }
}

/**
 * Receives a file. An error about its size takes precedence over any other; the rest of the file
 * is drained.
 */
async function receiveFile<File>(
  part: MultipartFile,
  { fileBytesMax, take }: { fileBytesMax: number; take: (file: ReceivedFile) => Promise<File> },
): Promise<File> {
  async function* bytes(): AsyncGenerator<Buffer, void, undefined> {
    try {
      // Not destroyed when the reader stops early: other parts still follow.
      for await (const chunk of part.file.iterator({ destroyOnReturn: false })) yield chunk as Buffer
    } catch (cause) {
      throw formError(cause, fileBytesMax)
    }
    if (part.file.truncated) throw tooLarge(fileBytesMax)
  }
  try {
    return await take({ name: part.filename, mediaType: part.mimetype, bytes: bytes() })
  } catch (error) {
    if (!part.file.destroyed) for await (const _ of bytes());
    if (part.file.truncated) throw tooLarge(fileBytesMax)
    throw error
  }
}

async function* partsOf(
  request: FastifyRequest,
  {
    fileBytesMax,
    fieldBytesMax,
    filesMax,
  }: { fileBytesMax: number; fieldBytesMax: number; filesMax: number },
): AsyncGenerator<Multipart> {
  const form = request as MultipartRequest
  if (!form.isMultipart()) return
  const limits = {
    fileSize: fileBytesMax,
    files: filesMax,
    fields: fieldsMax,
    fieldSize: fieldBytesMax,
    fieldNameSize: 100,
    parts: fieldsMax + filesMax,
    headerPairs: 20,
  }
  try {
    yield* form.parts({ limits })
  } catch (cause) {
    throw formError(cause, fileBytesMax)
  }
}

function formError(cause: unknown, bytesMax: number): ApiError {
  if (cause instanceof ApiError) return cause
  const { code } = cause as { code?: unknown }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(bytesMax)
  if (code === 'FST_FILES_LIMIT') return fieldError('file', problem('givenTwice'))
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new ApiError(400, 'VALIDATION_ERROR', problem('formTooLong', { max: fieldsMax }), { cause })
  if (code === 'FST_PROTO_VIOLATION')
    return new ApiError(400, 'VALIDATION_ERROR', problem('formFieldUnknown'), { cause })
  return new ApiError(400, 'VALIDATION_ERROR', problem('formNotValid'), { cause })
}

function fieldError(path: string, found: Problem): ApiError {
  return validationError([{ path, ...found }])
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(413, 'PAYLOAD_TOO_LARGE', problem('fileTooLarge', { maxMb: bytesMax / 1024 ** 2 }))
}
