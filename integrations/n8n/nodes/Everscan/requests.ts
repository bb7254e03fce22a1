import type {
  DeclarativeRestApiSettings,
  IDataObject,
  IExecutePaginationFunctions,
  IExecuteSingleFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  INodeExecutionData,
} from 'n8n-workflow'

const pageLimit = 100

/** Reads every page of a list. */
export async function readPages(
  this: IExecutePaginationFunctions,
  request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
  const items: INodeExecutionData[] = []
  for (let page = 1; ; page++) {
    request.options.qs = { ...request.options.qs, page, limit: pageLimit }
    const found = await this.makeRoutingRequest(request)
    items.push(...found)
    if (found.length < pageLimit) return items
  }
}

/** Puts the file of an answer into the field that the node names, with its name and type. */
export async function receiveFile(
  this: IExecuteSingleFunctions,
  _items: INodeExecutionData[],
  { body, headers }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  const field = this.getNodeParameter('outputField') as string
  const contentType = (headers['content-type'] as string).replace(/;.*/, '')
  const fileName = fileNameOf((headers['content-disposition'] as string | undefined) ?? '')
  const bytes = Buffer.from(body as ArrayBuffer)
  const binary = await this.helpers.prepareBinaryData(bytes, fileName, contentType)
  return [{ json: { fileName, contentType, bytes: bytes.length }, binary: { [field]: binary } }]
}

/** Sends the fields of the request and the file of the input as a form. */
export async function sendFile(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const field = this.getNodeParameter('inputField') as string
  const { fileName } = this.helpers.assertBinaryData(field)
  const bytes = await this.helpers.getBinaryDataBuffer(field)
  const form = new FormData()
  for (const [name, value] of Object.entries(request.body as IDataObject)) form.append(name, String(value))
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'text/csv' }), fileName ?? 'import.csv')
  return { ...request, body: form }
}

/** The file name of a `Content-Disposition` header (RFC 6266); `filename*` comes first. */
function fileNameOf(contentDisposition: string): string {
  const [, extended] = /filename\*=UTF-8''([^;\s]+)/i.exec(contentDisposition) ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  const [, quoted = 'file'] = /filename="((?:[^"\\]|\\.)*)"/i.exec(contentDisposition) ?? []
  return quoted.replace(/\\(.)/g, '$1')
}
